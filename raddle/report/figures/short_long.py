# SPDX-License-Identifier: BSD-3-Clause
"""T5, Figures 9 and 10 of the paper: the time of every short message while a neighbour sends long ones."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial

from raddle.judge.points import ratio, whole
from raddle.model import ResultRow
from raddle.report.data import Data
from raddle.report.extras import trace
from raddle.report.figures.by_flows import flow_bars
from raddle.report.figures.by_size import legend
from raddle.report.figures.findings import on_each
from raddle.report.figures.model import Figure, Panel
from raddle.report.figures.suite import Strand, column, measured, one_for_each, strands, suite_table
from raddle.report.figures.ticks import axis_unit, log_limits
from raddle.report.figures.traces import Trace, draw_traces
from raddle.report.numbers import value
from raddle.report.params import is_reference, series, told
from raddle.report.rows import condition, display_order, size
from raddle.stats.ratio import Ratio
from raddle.units import format_bytes


def build(data: Data) -> Figure | None:
    """The figure, or none when it was not measured."""
    rows = measured(data, "short_long")
    if not rows:
        return None
    traced = [row for row in rows if trace(row)]
    panels = [panel for strand in strands(traced, ["long_bytes"]) for panel in _panels(data, strand)]
    return Figure(
        name="t5-short-long",
        heading="T5. Short messages beside long ones",
        short="T5",
        finding=_finding(data),
        how_to_read=(
            "Each short message by itself, in the order in which they were sent, in one sample of the first launch. A "
            "fair library spreads the cost of the long message over many short ones; a spike is a short one that "
            "waited for a long one. Lower is better. Delayed: took more than ten times the median."
        ),
        panels=panels or flow_bars(data, rows, "time of a short message"),
        table=suite_table(
            data, rows,
            [column("p99", "p99", "us"), column("longest", "max", "us"), column("delayed", "delayed", "fraction"),
             column("long messages", "long_bandwidth", "MB/s")],
        ),
        benchmarks=["short_long"],
        legend=legend(traced),
    )  # fmt: skip


def _finding(data: Data) -> str:
    """What the long messages do to the short ones of threads, and to those of processes."""
    shown = [row for row in data.headline("short_long") if row.params.get("long_bytes")]
    threads = _slowed(data, shown, lambda row: row.variant == "thread")
    processes = _slowed(data, shown, is_reference)
    if not threads and not processes:
        return "Short messages beside long ones by variant and MPI"
    said = []
    if threads:
        claim = (
            f"at {format_bytes(size(shown[0]))} short messages of threads take {{}} as long beside long ones as alone"
        )
        said.append(on_each(threads, claim, nothing="between short messages of threads beside long ones and alone"))
    if processes:
        said.append(on_each(processes, "those of processes take {}", nothing="between those of processes"))
    return "; ".join([said[0], *(f"{each[:1].lower()}{each[1:]}" for each in said[1:])])


def _slowed(data: Data, rows: Sequence[ResultRow], chosen: Callable[[ResultRow], bool]) -> list[tuple[str, Ratio]]:
    """How many times as long short messages take beside long ones as alone, MPI by MPI."""
    return [
        (data.title(row.mpi), its)
        for row in one_for_each(data, [row for row in rows if chosen(row)])
        if (alone := _alone(data, row)) is not None and (its := ratio(row, alone)) is not None
    ]


def _alone(data: Data, row: ResultRow) -> ResultRow | None:
    """The row of the same work while nobody sends long messages."""
    asked = row.params | {"long_bytes": 0}
    return next(
        (each for each in measured(data, row.benchmark) if each.params == asked
         and (each.mpi, each.variant, each.profile) == (row.mpi, row.variant, row.profile)),
        None,
    )  # fmt: skip


def _panels(data: Data, strand: Strand) -> Iterator[Panel]:
    """One for each size of the long messages, none last, and MPI; all of a strand have the same axis."""
    times = [time for row in strand.rows for time in trace(row)]
    limits = log_limits(times, 1.3, 1.3)
    unit, tick = axis_unit(times, "us")
    draw = partial(
        draw_traces, limits=limits, label=f"time of a short message ({unit})", tick=tick,
    )  # fmt: skip
    for long_bytes in sorted({whole(row, "long_bytes") for row in strand.rows}, reverse=True):
        for mpi in data.mpis:
            own = [row for row in strand.rows if (row.mpi, whole(row, "long_bytes")) == (mpi, long_bytes)]
            if own:
                yield _panel(data.title(mpi), sorted(own, key=display_order), draw, strand)


def _panel(mpi: str, rows: Sequence[ResultRow], draw: Callable[..., None], strand: Strand) -> Panel:
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
