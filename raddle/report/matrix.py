# SPDX-License-Identifier: BSD-3-Clause
"""The matrix: benchmark x variant x MPI, each cell the speed as a multiple of the best processes with its interval."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Sequence
from dataclasses import dataclass

from raddle.judge.points import placement
from raddle.model import NO_MPI, ResultRow
from raddle.notices import Notice
from raddle.report import numbers
from raddle.report.anchors import anchors
from raddle.report.data import Data
from raddle.report.params import is_reference, series, way
from raddle.report.rows import Condition, condition, display_order, work_words
from raddle.report.style import SHADES
from raddle.stats.ratio import Ratio

# Shades by speed on a logarithmic scale: four of slower, four of faster. A ratio whose interval contains 1 gets none.
_STEPS = [1 / 10, 1 / 3, 2 / 3, 1.0, 1.5, 3.0, 10.0]
_ENDS = ["under 0.1x", "0.1-0.33x", "0.33-0.67x", "slower", "faster", "1.5-3x", "3-10x", "over 10x"]
SCALE = dict(zip(SHADES, _ENDS, strict=True))


@dataclass(frozen=True)
class Cell:
    """One comparison; `ratio` is none where there is nothing to compare, and `why` says so."""

    ratio: Ratio | None
    why: str = ""
    # What is compared with what, and with the processes of the same MPI where these are others.
    row: ResultRow | None = None
    process: ResultRow | None = None
    own: Ratio | None = None

    @property
    def shade(self) -> str:
        """The class of the cell's colour: a difference that is not shown gets no colour."""
        if self.ratio is None:
            return "absent"
        if self.ratio.interval is None:
            return "small"
        if not self.ratio.shown:
            return "same"
        return SHADES[bisect(_STEPS, self.ratio.estimate)]

    @property
    def value(self) -> str:
        return numbers.ratio_value(self.ratio) if self.ratio else self.why

    @property
    def sign(self) -> str:
        """What the colour says, for those who see none."""
        if self.ratio is None or self.ratio.interval is None:
            return ""
        return "=" if not self.ratio.shown else "\u25b2" if self.ratio.estimate > 1 else "\u25bc"

    @property
    def interval(self) -> str:
        return numbers.ratio_interval(self.ratio) if self.ratio else ""

    @property
    def words(self) -> str:
        return f"{self.ratio.words}, {self.ratio.n} blocks" if self.ratio else ""


@dataclass(frozen=True)
class Line:
    """One variant or other way; cells run parallel to `Data.subjects`. `series` is what it looks like in figures."""

    label: str
    series: str
    placement: str
    cells: list[Cell]


@dataclass(frozen=True)
class Part:
    """The lines of one benchmark under one condition; `anchor` is where the page tells the numbers behind it."""

    anchor: str
    benchmark: str
    work: str
    shared: bool
    lines: list[Line]
    # Whose processes it is held against, where several MPIs had some: "Open MPI 4.1.4 (Debian)".
    against: str = ""

    @property
    def told(self) -> bool:
        """Whether there is any comparison in it; figures may be zero, or have no processes to be compared with."""
        return any(cell.ratio for line in self.lines for cell in line.cells)


def matrix(data: Data) -> list[Part]:
    """All parts at the headline sizes, clean ones first."""
    names = anchors(data.benchmarks)  # of pages, where each has one
    parts = [
        part
        for benchmark in data.benchmarks
        for number, each in enumerate(sorted({condition(row) for row in data.headline(benchmark)}), start=1)
        if data.mpis != [NO_MPI]
        and (part := _part(data, benchmark, each, f"{names[benchmark]}-{number}")).lines
        and part.told
    ]
    return sorted(parts, key=lambda part: part.shared)


def _part(data: Data, benchmark: str, each: Condition, anchor: str) -> Part:
    rows = [row for row in data.headline(benchmark) if condition(row) == each]
    plain = [row for row in rows if is_reference(row)]
    # Where there is a choice, each MPI's own processes are a line like the others.
    choice = len({row.mpi for row in plain}) > 1 and any(data.rival(row) is not row for row in plain)
    others = sorted((row for row in rows if choice or not is_reference(row)), key=display_order, reverse=True)
    kinds = {(way(row), placement(row)): row for row in others if row.mpi in data.subjects}
    lines = [
        Line(label, series(like), place, [_cell(data, rows, mpi, like) for mpi in data.subjects])
        for (label, place), like in reversed(kinds.items())
    ]
    return Part(anchor, benchmark, work_words(rows[0]), each.shared, lines, _against(data, rows) if choice else "")


def _against(data: Data, rows: Sequence[ResultRow]) -> str:
    """The one MPI; where placements have different ones, the cells tell."""
    found = {data.whose(rival) for row in rows if (rival := data.rival(row)) is not None}
    return found.pop() if len(found) == 1 else ""


def _cell(data: Data, rows: Sequence[ResultRow], mpi: str, like: ResultRow) -> Cell:
    """The comparison for the row of that MPI which was done like this one."""
    kind = way(like), placement(like)
    row = next((row for row in rows if (row.mpi, way(row), placement(row)) == (mpi, *kind)), None)
    if row is None:
        return Cell(None, "not there" if _skipped(data, mpi, like) else "not measured")
    rival, process = data.rival(row), data.process(row)
    if rival is row:
        return Cell(None, "the best", row)
    ratio = data.speed(row, rival)
    own = None if process in (None, row, rival) else data.speed(row, process)
    return Cell(ratio, "" if ratio else "no processes" if rival is None else "no ratio", row, rival, own)


def _skipped(data: Data, mpi: str, like: ResultRow) -> bool:
    """Whether this MPI does not have it, as opposed to a run that was cut off before it was measured."""
    if any((mpi, like.variant, placement(like), benchmark) in data.skipped for benchmark in (like.benchmark, "")):
        return True
    return any(
        (incident.notice, incident.mpi, incident.variant) == (Notice.VARIANT_SKIPPED, mpi, like.variant)
        and incident.benchmark in (like.benchmark, "")
        for incident in data.incidents
    )
