# SPDX-License-Identifier: BSD-3-Clause
"""What the pages of sparse exchange have in common: cells, in which algorithms do the same work on the same MPI."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from raddle.judge.points import placement, whole, work
from raddle.model import ResultRow
from raddle.report import numbers
from raddle.report.data import Data
from raddle.report.figures.model import Table
from raddle.report.figures.suite import Rows, measured
from raddle.report.figures.tables import Column, ratio_columns, table
from raddle.report.params import told, way_rank
from raddle.report.rows import condition, group, size_words
from raddle.stats.ratio import Ratio

COLLECTIVES, CENSUS, OURS, CHOSEN = "native-alltoallv", "native-nbx", "nbx", "auto"
# As the study has them; alphabetical they would be a riddle.
_PATTERNS = ("random", "clustered", "skewed", "nearest", "empty")
# Of these patterns the number of neighbours is what the pattern says.
_FIXED = ("nearest", "empty")
_USUAL_FRACTION = 0.1
_TOLD = "told"


def ranks(row: ResultRow) -> int:
    return whole(row, "ranks")


def algorithm(row: ResultRow) -> str:
    return str(row.params.get("algorithm", ""))


def work_told(row: ResultRow) -> str:
    """What was exchanged, e.g. `16 ranks, 1 KiB, random`; the fraction of neighbours where it is not the usual one."""
    pattern, fraction = str(row.params.get("pattern", "")), row.params.get("fraction", _USUAL_FRACTION)
    share = "" if pattern in _FIXED or fraction == _USUAL_FRACTION else told("fraction", str(fraction))
    size = "" if pattern == "empty" else size_words(row)
    return ", ".join(filter(None, [ranks_told(row), size, pattern, share]))


def ranks_told(row: ResultRow) -> str:
    """How many, and whether the MPI was left as it comes."""
    waiting = str(row.params.get("waiting", _TOLD))
    return ", ".join(
        filter(None, [told("ranks", str(ranks(row))), told("waiting", waiting) if waiting != _TOLD else ""])
    )


@dataclass(frozen=True)
class Cell:
    """One piece of work on one MPI, by every algorithm."""

    mpi: str
    rows: list[ResultRow]

    @property
    def work(self) -> str:
        return work_told(self.rows[0])

    @property
    def shared(self) -> bool:
        return condition(self.rows[0]).shared

    def by(self, name: str) -> ResultRow | None:
        """The row of that algorithm."""
        return next((row for row in self.rows if algorithm(row) == name), None)

    def fastest(self, without: str = "") -> ResultRow | None:
        """The row whose median is the least; `without` may be left out."""
        return min((row for row in self.rows if algorithm(row) != without), key=lambda row: row.median, default=None)


def cells(data: Data, benchmark: str, variant: str = "process") -> list[Cell]:
    """All of them, MPI by MPI, few ranks first."""
    rows = [row for row in measured(data, benchmark) if row.variant == variant]
    return [
        Cell(mpi, sorted(own, key=way_rank))
        for mpi in data.mpis
        for own in group(sorted((row for row in rows if row.mpi == mpi), key=_order), _work).values()
    ]


def speed(data: Data, row: ResultRow | None, other: ResultRow | None) -> Ratio | None:
    """How many times faster one is; none where either was not measured."""
    return None if row is None else data.speed(row, other)


def ratio_cell(its: Ratio | None) -> str:
    return numbers.ratio_text(its) if its else "-"


def row_cell(row: ResultRow | None) -> str:
    return numbers.told(row) if row else "-"


def sparse_table(data: Data, rows: Rows, own: Sequence[Column]) -> Table:
    """Every row with its interval, and how many times as fast it is as the MPI's own collectives among processes."""
    places = {mpi: place for place, mpi in enumerate(data.mpis)}
    return table(
        data, sorted(rows, key=lambda row: (places[row.mpi], _order(row), way_rank(row), placement(row))),
        ["MPI", "algorithm", "placement", ("work", lambda _, row: work_told(row)), "profile", "median",
         "95 % interval", *own, *ratio_columns(f"speed to {COLLECTIVES}", _to_collectives), "blocks", "samples"],
        labels=5,
    )  # fmt: skip


def _to_collectives(data: Data, row: ResultRow) -> Ratio | None:
    other = data.process(row)
    return None if other is row else data.speed(row, other)


def _work(row: ResultRow) -> tuple[object, ...]:
    params = tuple(sorted((name, value) for name, value in row.params.items() if name != "algorithm"))
    return (*work(row)[:-1], params)


def _order(row: ResultRow) -> tuple[object, ...]:
    pattern, share = str(row.params.get("pattern", "")), row.params.get("fraction", 0)
    place = _PATTERNS.index(pattern) if pattern in _PATTERNS else len(_PATTERNS)
    left = row.params.get("waiting", _TOLD) != _TOLD
    return (condition(row).shared, ranks(row), left, place, pattern, share, whole(row, "bytes"))
