# SPDX-License-Identifier: BSD-3-Clause
"""The matrix: benchmark x variant x MPI, each cell the speed as a multiple of processes with its interval."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Sequence
from dataclasses import dataclass

from raddle.compare_points import NO_MPI, placement
from raddle.model import ResultRow
from raddle.notices import Notice
from raddle.report import numbers
from raddle.report.data import Data
from raddle.report.rows import Condition, condition, display_order, size
from raddle.stats.ratio import Ratio
from raddle.units import format_bytes

# Shades by speed: three of slower, three of faster. A ratio whose interval holds 1 gets none.
_STEPS = [0.33, 0.67, 1.0, 1.5, 3.0]
SHADES = ["slower-3", "slower-2", "slower-1", "faster-1", "faster-2", "faster-3"]


@dataclass(frozen=True)
class Cell:
    """One comparison; `ratio` is none where there is nothing to compare, and `why` says so."""

    ratio: Ratio | None
    why: str = ""

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
    def interval(self) -> str:
        return numbers.ratio_interval(self.ratio) if self.ratio else ""

    @property
    def words(self) -> str:
        return f"{self.ratio.words}, {self.ratio.n} blocks" if self.ratio else ""


@dataclass(frozen=True)
class Line:
    """One variant; cells run parallel to `Data.mpis`."""

    variant: str
    placement: str
    cells: list[Cell]


@dataclass(frozen=True)
class Part:
    """The lines of one benchmark under one condition."""

    benchmark: str
    work: str
    shared: bool
    lines: list[Line]


def matrix(data: Data) -> list[Part]:
    """All parts at the headline sizes, clean ones first."""
    parts = [
        part
        for benchmark in data.benchmarks
        for each in sorted({condition(row) for row in data.headline(benchmark)})
        if data.mpis != [NO_MPI] and (part := _part(data, benchmark, each)).lines
    ]
    return sorted(parts, key=lambda part: part.shared)


def _part(data: Data, benchmark: str, each: Condition) -> Part:
    rows = [row for row in data.headline(benchmark) if condition(row) == each]
    kinds = dict.fromkeys(
        (row.variant, placement(row)) for row in sorted(rows, key=display_order) if row.variant != "process"
    )
    lines = [
        Line(variant, place, [_cell(data, rows, mpi, variant, place) for mpi in data.mpis]) for variant, place in kinds
    ]
    return Part(benchmark, f"{format_bytes(size(rows[0]))}, {each.words}", each.shared, lines)


def _cell(data: Data, rows: Sequence[ResultRow], mpi: str, variant: str, place: str) -> Cell:
    row = next((row for row in rows if (row.mpi, row.variant, placement(row)) == (mpi, variant, place)), None)
    if row is None:
        return Cell(None, "not there" if _skipped(data, mpi, variant, place) else "not measured")
    ratio = data.speed(row, data.process(row))
    return Cell(ratio, "" if ratio else "no processes")


def _skipped(data: Data, mpi: str, variant: str, place: str) -> bool:
    """Whether this MPI does not have it, as opposed to a run that was cut off before it was measured."""
    if (mpi, variant, place) in data.skipped:
        return True
    return any(
        (incident.notice, incident.mpi, incident.variant) == (Notice.VARIANT_SKIPPED, mpi, variant)
        for incident in data.incidents
    )
