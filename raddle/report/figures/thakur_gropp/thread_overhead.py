# SPDX-License-Identifier: BSD-3-Clause
"""T1, Figures 2 and 3 of the paper: what asking for a higher thread level costs a program with one thread."""

from __future__ import annotations

from collections.abc import Iterator

from raddle.model import ResultRow
from raddle.report import numbers
from raddle.report.data import Data
from raddle.report.figures.claims import Claim, claims
from raddle.report.figures.kinds.bar_panels import Bars, bars_panel, plain_bar
from raddle.report.figures.kinds.bars import Bar
from raddle.report.figures.kinds.by_size import BySize, legend
from raddle.report.figures.kinds.tracks import TrackGroup, height
from raddle.report.figures.model import Panel
from raddle.report.figures.page import Page
from raddle.report.figures.suite import Rows, Strand, added, strands
from raddle.report.figures.tables import added_column, column
from raddle.report.params import is_reference, series, way
from raddle.report.rows import display_order, size
from raddle.stats.ratio import Ratio
from raddle.units import format_bytes, three_digits


def above_single(data: Data, row: ResultRow) -> Ratio | None:
    """A level's latency as a multiple of that after plain MPI_Init."""
    return data.ratio(row, data.process(row))


def _overhead(data: Data, row: ResultRow) -> Bar | None:
    """What a level takes more than single in per cent, and in time."""
    its, more = above_single(data, row), added(data, row)
    if its is None or more is None:
        return None
    interval = None if its.interval is None else (_percent(its.interval[0]), _percent(its.interval[1]))
    told = f" [{three_digits(interval[0])}, {three_digits(interval[1])}]" if interval else ""
    text = f"{_percent(its.estimate):+.3g} %{told}, {numbers.difference_text(more, row.unit)}"
    return Bar(series(row), way(row), _percent(its.estimate), interval, text)


def _percent(ratio: float) -> float:
    return 100 * (ratio - 1)


# Of each benchmark the title of its panels, and how rows become bars.
_KINDS = {
    "thread_overhead": ("Overhead", Bars("more than plain MPI_Init", way, _overhead, unit="%", from_zero=True)),
    "lock_operations": ("Lock operations", Bars("lock operations a message", way, unit="", from_zero=True)),
}


def _latency(data: Data, rows: Rows) -> list[ResultRow]:
    return [row for row in rows if row.benchmark == "thread_overhead"]


def _panels(data: Data, rows: Rows) -> Iterator[Panel]:
    """Overhead and locks, each with all MPIs in one panel, since there are but a few bars for each."""
    found = []
    for benchmark, (title, how) in _KINDS.items():
        shown = data.headline(benchmark)
        for strand in strands([row for row in shown if benchmark == "lock_operations" or not is_reference(row)]):
            if groups := [group for mpi in data.mpis if (group := _group(data, strand, mpi, how)).tracks]:
                words = [f"{title} at {format_bytes(size(strand.rows[0]))}", *strand.condition.details]
                found.append((", ".join(words), how, strand, groups))
    tall = max((height(groups) for *_, groups in found), default=0.0)
    for name, how, strand, groups in found:
        bars = [bar for group in groups for bar in group.tracks if isinstance(bar, Bar)]
        yield bars_panel(name, groups, how.drawing(bars, strand), strand, tall)


def _group(data: Data, strand: Strand, mpi: str, how: Bars) -> TrackGroup:
    own = sorted((row for row in strand.rows if row.mpi == mpi), key=display_order)
    return TrackGroup(data.title(mpi), [bar for row in own if (bar := how.bar(data, row)) is not None])


def _counted(data: Data, shown: Rows) -> str:
    most = max(shown, key=lambda row: row.median)
    return f"Up to {plain_bar(data, most).text} are taken, by {data.title(most.mpi)} under {way(most)}"


_LEVEL = claims(
    Claim(
        only=lambda row: row.benchmark == "thread_overhead" and way(row) == "multiple",
        its=above_single,
        says="at {size} MPI_THREAD_MULTIPLE multiplies the latency of one thread by {ratios}",
        nothing="between MPI_THREAD_MULTIPLE and plain MPI_Init",
    ),
    otherwise="Latency by thread level",
)


def _finding(data: Data, shown: Rows) -> str:
    return _LEVEL(data, shown) if _latency(data, shown) else _counted(data, shown)


PAGE = Page(
    benchmarks=tuple(_KINDS),
    name="t1-thread-overhead",
    heading="T1. Overhead of the thread level",
    how_to_read=(
        "Two processes of one thread each play ping-pong; only the level asked for at initialisation differs, single "
        "being plain MPI_Init. Overhead: what a level takes more than single, launch against launch and paired block "
        "by block; where the interval contains zero no difference is shown. Lock operations are counted and have no "
        "noise; locks that a library builds from atomic instructions are not seen."
    ),
    finding=_finding,
    panels=[BySize("latency", of=_latency), _panels],
    columns=[added_column("more than single"), column("instructions", "instructions", "")],
    legend=lambda data, rows: legend(_latency(data, rows)),
)
