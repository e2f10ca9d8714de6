# SPDX-License-Identifier: BSD-3-Clause
"""T5, Figures 9 and 10 of the paper: the time of every short message while a neighbour sends long ones."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from raddle.judge.points import whole
from raddle.model import ResultRow
from raddle.report.data import Data
from raddle.report.extras import trace
from raddle.report.figures.claims import Claim, claims
from raddle.report.figures.kinds.bar_panels import Bars
from raddle.report.figures.kinds.by_size import legend
from raddle.report.figures.kinds.ticks import axis_unit, log_limits
from raddle.report.figures.kinds.traces import Trace, draw_traces
from raddle.report.figures.model import Panel
from raddle.report.figures.page import Page
from raddle.report.figures.suite import Rows, Strand, strands, twin
from raddle.report.figures.tables import column
from raddle.report.numbers import value
from raddle.report.params import is_reference, series, told
from raddle.report.rows import condition, display_order
from raddle.stats.ratio import Ratio


def _slowed(data: Data, row: ResultRow) -> Ratio | None:
    """How many times as long short messages take beside long ones as alone."""
    return data.ratio(row, twin(data, row, long_bytes=0))


def _panels(data: Data, rows: Rows) -> list[Panel]:
    """Traces of the rows that have one; where none has, bars."""
    found = [panel for strand in strands(_traced(data, rows), ["long_bytes"]) for panel in _traces(data, strand)]
    return found or list(Bars("time of a short message")(data, rows))


def _traced(data: Data, rows: Rows) -> list[ResultRow]:
    return [row for row in rows if trace(row)]


def _traces(data: Data, strand: Strand) -> Iterator[Panel]:
    """One for each size of the long messages, none last, and MPI; all of a strand have the same axis."""
    times = [time for row in strand.rows for time in trace(row)]
    limits = log_limits(times, 1.3, 1.3)
    unit, tick = axis_unit(times, "us")
    draw = partial(draw_traces, limits=limits, label=f"time of a short message ({unit})", tick=tick)
    for long_bytes in sorted({whole(row, "long_bytes") for row in strand.rows}, reverse=True):
        for mpi in data.mpis:
            own = [row for row in strand.rows if (row.mpi, whole(row, "long_bytes")) == (mpi, long_bytes)]
            if own:
                yield _panel(data.title(mpi), sorted(own, key=display_order), draw, strand)


def _panel(mpi: str, rows: Rows, draw: Callable[..., None], strand: Strand) -> Panel:
    return Panel(
        title=", ".join([mpi, *_told(rows[0])]),
        draw=partial(draw, traces=[Trace(series(row), trace(row)) for row in rows]),
        description=" ".join(f"{row.variant}: {len(trace(row))} messages, median of all {value(row)}." for row in rows),
        shared=strand.condition.shared,
    )


def _told(row: ResultRow) -> list[str]:
    """What is not as usual, and in any case whether there were long messages."""
    rest = dict(condition(row).rest) | {"long_bytes": str(row.params.get("long_bytes", 0))}
    return [told(name, value) for name, value in sorted(rest.items())]


PAGE = Page(
    benchmarks=["short_long"],
    name="t5-short-long",
    heading="T5. Short messages beside long ones",
    how_to_read=(
        "Each short message by itself, in the order in which they were sent, in one sample of the first launch. A fair "
        "library spreads the cost of the long message over many short ones; a spike is a short one that waited for a "
        "long one. Lower is better. Delayed: took more than ten times the median."
    ),
    finding=claims(
        Claim(
            only=lambda row: row.variant == "thread" and bool(row.params.get("long_bytes")),
            its=_slowed,
            says="at {size} short messages of threads take {ratios} as long beside long ones as alone",
            nothing="between short messages of threads beside long ones and alone",
        ),
        Claim(
            only=lambda row: is_reference(row) and bool(row.params.get("long_bytes")),
            its=_slowed,
            says="those of processes take {ratios}",
            nothing="between those of processes",
        ),
        otherwise="Short messages beside long ones by variant and MPI",
    ),
    panels=[_panels],
    columns=[
        column("p99", "p99", "us"),
        column("longest", "max", "us"),
        column("delayed", "delayed", "fraction"),
        column("long messages", "long_bandwidth", "MB/s"),
    ],
    legend=lambda data, rows: legend(_traced(data, rows)),
)
