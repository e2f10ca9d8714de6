# SPDX-License-Identifier: BSD-3-Clause
"""T1, Figures 2 and 3 of the paper: what asking for a higher thread level costs a program with one thread."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from raddle.judge.points import difference, ratio
from raddle.model import ResultRow
from raddle.report import numbers
from raddle.report.data import Data
from raddle.report.figures.bar_panels import Bars, drawing, plain_bar, tracks_panel
from raddle.report.figures.bars import Bar
from raddle.report.figures.by_size import legend, size_panels
from raddle.report.figures.findings import on_each
from raddle.report.figures.model import Figure, Panel
from raddle.report.figures.suite import Column, Strand, column, measured, one_for_each, strands, suite_table
from raddle.report.figures.tracks import TrackGroup, height
from raddle.report.params import is_reference, series, way
from raddle.report.rows import display_order, size
from raddle.stats.difference import Difference
from raddle.stats.ratio import Ratio
from raddle.units import format_bytes, three_digits


def build(data: Data) -> Figure | None:
    """The figure, or none when neither the latency nor the lock operations were measured."""
    rows, locks = measured(data, "thread_overhead"), measured(data, "lock_operations")
    if not rows and not locks:
        return None
    counted = data.headline("lock_operations")
    return Figure(
        name="t1-thread-overhead",
        heading="T1. Overhead of the thread level",
        short="T1",
        finding=_finding(data) if rows else _counted(data, counted),
        how_to_read=(
            "Two processes of one thread each play ping-pong; only the level asked for at initialisation differs, "
            "single being plain MPI_Init. Overhead: what a level takes more than single, launch against launch and "
            "paired block by block; where the interval contains zero no difference is shown. Lock operations are "
            "counted and have no noise; locks that a library builds from atomic instructions are not seen."
        ),
        panels=[
            *(size_panels(data, rows, [], "latency") if len({size(row) for row in rows}) > 1 else []),
            *_panels_of_all(data),
        ],
        table=suite_table(data, [*rows, *locks], [_overhead_column(data), column("instructions", "instructions", "")]),
        benchmarks=[name for name, own in (("thread_overhead", rows), ("lock_operations", locks)) if own],
        legend=legend(rows),
    )


def above_single(data: Data, row: ResultRow) -> Ratio | None:
    """A level's latency as a multiple of that after plain MPI_Init."""
    single = data.process(row)
    return None if single is None else ratio(row, single)


def more_than_single(data: Data, row: ResultRow) -> Difference | None:
    """The same as a difference, in the unit of the row."""
    single = data.process(row)
    return None if single is None else difference(row, single)


def _finding(data: Data) -> str:
    rows = one_for_each(data, [row for row in data.headline("thread_overhead") if way(row) == "multiple"])
    found = [(data.title(row.mpi), its) for row in rows if (its := above_single(data, row)) is not None]
    if not found:
        return "Latency by thread level"
    return on_each(
        found,
        f"at {format_bytes(size(rows[0]))} MPI_THREAD_MULTIPLE multiplies the latency of one thread by {{}}",
        nothing="between MPI_THREAD_MULTIPLE and plain MPI_Init",
    )


def _counted(data: Data, rows: Sequence[ResultRow]) -> str:
    most = max(rows, key=lambda row: row.median)
    return f"Up to {plain_bar(most).text} are taken, by {data.title(most.mpi)} under {way(most)}"


def _panels_of_all(data: Data) -> Iterator[Panel]:
    """Overhead and locks, each with all MPIs in one panel, since there are but a few bars for each."""
    levels = [row for row in data.headline("thread_overhead") if not is_reference(row)]
    overhead = Bars("more than plain MPI_Init", way, partial(_overhead, data), unit="%", from_zero=True)
    locks = Bars("lock operations a message", way, plain_bar, unit="", from_zero=True)
    found = [
        (title, how, strand, groups)
        for title, how, rows in (
            ("Overhead", overhead, levels),
            ("Lock operations", locks, data.headline("lock_operations")),
        )
        for strand in strands(rows)
        if (groups := [group for mpi in data.mpis if (group := _group(data, strand, mpi, how)).tracks])
    ]
    tall = max((height(groups) for _, _, _, groups in found), default=0.0)
    for title, how, strand, groups in found:
        words = ", ".join([f"{title} at {format_bytes(size(strand.rows[0]))}", *strand.condition.details])
        bars = [bar for group in groups for bar in group.tracks if isinstance(bar, Bar)]
        yield tracks_panel(words, groups, drawing(bars, how, strand), strand, tall)


def _group(data: Data, strand: Strand, mpi: str, how: Bars) -> TrackGroup:
    own = sorted((row for row in strand.rows if row.mpi == mpi), key=display_order)
    return TrackGroup(data.title(mpi), [bar for row in own if (bar := how.bar(row)) is not None])


def _overhead(data: Data, row: ResultRow) -> Bar | None:
    """What a level takes more than single in per cent, and in time."""
    its, more = above_single(data, row), more_than_single(data, row)
    if its is None or more is None:
        return None
    interval = None if its.interval is None else (_percent(its.interval[0]), _percent(its.interval[1]))
    told = f" [{three_digits(interval[0])}, {three_digits(interval[1])}]" if interval else ""
    text = f"{_percent(its.estimate):+.3g} %{told}, {numbers.difference_text(more, row.unit)}"
    return Bar(series(row), way(row), _percent(its.estimate), interval, text)


def _percent(ratio: float) -> float:
    return 100 * (ratio - 1)


def _overhead_column(data: Data) -> Column:
    def text(row: ResultRow) -> str:
        more = None if is_reference(row) else more_than_single(data, row)
        return numbers.difference_text(more, row.unit) if more else "-"

    return "more than single", text
