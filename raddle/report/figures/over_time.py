# SPDX-License-Identifier: BSD-3-Clause
"""Samples in order of time, for points that had not settled: whether a drift is real is for eyes to judge."""

from __future__ import annotations

from functools import partial
from itertools import accumulate, pairwise

from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator

from raddle.judge.points import placement
from raddle.model import ResultRow
from raddle.notices import Notice
from raddle.report import numbers
from raddle.report.data import Data
from raddle.report.figures.kinds.ticks import axis_unit, log_limits, set_log_ticks
from raddle.report.figures.model import Figure, Panel
from raddle.report.figures.tables import Column, table
from raddle.report.page import row_name
from raddle.report.params import series, way
from raddle.report.rows import condition, size, work_words
from raddle.report.style import color, variant_style

# A run in which everything drifts needs another machine, not a hundred panels.
MOST = 9


def build(data: Data) -> Figure | None:
    """The figure, or none when every point had settled."""
    rows = [row for row in data.rows if Notice.STILL_WARMING.value in row.flags]
    if not rows:
        return None
    shown = sorted(rows, key=lambda row: (condition(row), row.benchmark, size(row)))[:MOST]
    some = f"; the first {len(shown)} are shown" if len(shown) < len(rows) else ""
    return Figure(
        name="over-time",
        across=True,
        heading="Samples over time",
        short="Samples over time",
        finding=f"{len(rows)} of {len(data.rows)} points may not have settled{some}",
        how_to_read=(
            "Every sample in order of time, launch after launch; rules stand between blocks, bars are the medians of "
            "the blocks. A slope that repeats in every block is warming up; one over all blocks is the machine."
        ),
        panels=[_panel(data, row) for row in shown],
        table=table(data, shown, COLUMNS, labels=1),
        benchmarks=list(dict.fromkeys(row.benchmark for row in shown)),
    )


def _panel(data: Data, row: ResultRow) -> Panel:
    return Panel(
        title=", ".join(
            filter(None, [row.benchmark, work_words(row), f"{way(row)} {placement(row)}", data.title(row.mpi)])
        ),
        draw=partial(_draw, row=row),
        description=f"{len(row.samples)} samples in {len(row.blocks)} blocks, median {numbers.value(row)}.",
        height=2.1,
        shared=condition(row).shared,
    )


def _draw(axes: Axes, *, row: ResultRow) -> None:
    style = variant_style(series(row))
    (drawn,) = axes.plot(
        range(len(row.samples)), row.samples, ".", color=style.light, markersize=4, alpha=0.75, markeredgewidth=0
    )
    drawn.set_gid(f"series:{series(row)}")
    edges = [0, *accumulate(row.block_sizes)]
    for (begin, end), middle in zip(pairwise(edges), row.blocks, strict=True):
        axes.axvline(begin - 0.5, color=color("grid"), linewidth=0.7)
        axes.plot([begin, end - 1], [middle, middle], color=color("ink"), linewidth=1.2)
    limits = log_limits(row.samples, 1.1, 1.1)
    axes.set_yscale("log")
    axes.set_ylim(*limits)
    unit, tick = axis_unit(row.blocks, row.unit)
    set_log_ticks(axes.yaxis, limits, tick)
    axes.set_ylabel(f"{row.metric} ({unit})")
    axes.set_xlabel("sample")
    axes.xaxis.set_major_locator(MaxNLocator(5, integer=True))
    axes.grid(axis="x", visible=False)


COLUMNS: list[str | Column] = [
    ("point", row_name),
    *("median", "95 % interval"),
    # Also those of another state of the machine: all that is drawn.
    ("blocks", lambda data, row: str(len(row.blocks))),
    "samples",
    ("autocorrelation", lambda data, row: "-" if row.autocorrelation is None else f"{row.autocorrelation:.2f}"),
]
