# SPDX-License-Identifier: BSD-3-Clause
"""Rows of a run, found by what they measured, and ratios of them as the cells of a table."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path

from raddle.judge.points import best, speed
from raddle.model import ResultRow, Value
from raddle.report import numbers
from raddle.report.data import Data
from raddle.report.load import load
from raddle.stats.ratio import Ratio

RESULTS = Path(__file__).resolve().parents[2] / "docs" / "results"
_ORDER = ("mpich", "openmpi", "intel", "mpich-debian", "openmpi-debian")
Cell = Callable[[str], str]
"""What a table says of an MPI."""
Rows = dict[str, ResultRow | None]
"""By MPI."""
Where = dict[str, Value]
_OF_A_ROW = ("benchmark", "variant", "mpi", "profile")


class Run:
    """A run that docs/results keeps."""

    def __init__(self, name: str) -> None:
        self.data: Data = load(RESULTS / name)
        there = {row.mpi for row in self.data.rows}
        self.mpis = [name for name in _ORDER if name in there]

    def find(self, **wanted: Value) -> list[ResultRow]:
        """The rows with these parameters, benchmark, variant, MPI and profile."""
        return [row for row in self.data.rows if all(_has(row, name, value) for name, value in wanted.items())]

    def one(self, **wanted: Value) -> ResultRow | None:
        """The only one, if there is one. Raises ValueError where there are several."""
        found = self.find(**wanted)
        if len(found) > 1:
            raise ValueError(f"{len(found)} rows are {wanted}")
        return found[0] if found else None

    def fastest(self, **wanted: Value) -> ResultRow | None:
        """The one with the best median of those with an interval."""
        return best([row for row in self.find(**wanted) if row.ci95 is not None])

    def title(self, mpi: str) -> str:
        """E.g. `MPICH 5.0.2`."""
        return self.data.title(mpi)

    def head(self, *labels: str) -> list[str]:
        """The first two lines of a table with a column for each MPI behind these."""
        cells = [*labels, *map(self.title, self.mpis)]
        return [line(*cells), "|" + "---|" * len(cells)]

    def row(self, *labels: str, cell: Cell) -> str:
        """A line with what `cell` says of each MPI."""
        return line(*labels, *map(cell, self.mpis))

    def ratios(self, *labels: str, of: Rows, to: Rows | ResultRow | None) -> str:
        """A line with how many times as fast the rows of `of` are as the others, or as one of any MPI."""
        others = to if isinstance(to, dict) else dict.fromkeys(self.mpis, to)
        return line(*labels, *(faster(of[mpi], others[mpi]) for mpi in self.mpis))

    def figures(self, *labels: str, of: Rows) -> str:
        """A line with the rows themselves."""
        return line(*labels, *("-" if (row := of[mpi]) is None else numbers.told(row) for mpi in self.mpis))

    def of_each(self, find: Callable[[str], ResultRow | None]) -> Rows:
        """By MPI what is found for it."""
        return {mpi: find(mpi) for mpi in self.mpis}


run = cache(Run)


def line(*cells: str) -> str:
    """A line of a table."""
    return "|" + "|".join(f" {cell} " if cell else " " for cell in cells) + "|"


def fastest(rows: Rows) -> ResultRow | None:
    """The best of those with an interval."""
    return best([row for row in rows.values() if row is not None and row.ci95 is not None])


def told(its: Ratio | None) -> str:
    """A ratio with its interval; `-` where there is none."""
    if its is None:
        return "-"
    # Without an interval the text says why.
    return numbers.ratio_text(its) + ("" if its.shown or its.interval is None else f", {its.words}")


def faster(a: ResultRow | None, b: ResultRow | None) -> str:
    """How many times as fast `a` is as `b`."""
    return "-" if a is None or b is None else told(speed(a, b))


def span(ratios: Iterable[Ratio | None]) -> str:
    """From the least to the greatest of several, with the outermost ends of their intervals."""
    found = [each for each in ratios if each is not None and each.interval is not None]
    if not found:
        return "-"
    low, high = (numbers.ratio_value(end) for end in (min(found, key=_estimate), max(found, key=_estimate)))
    ends = [end for each in found if each.interval for end in each.interval]
    words = "" if any(each.shown for each in found) else ", no difference shown"
    return f"{low if low == high else f'{low} to {high}'} [{min(ends):.2f}, {max(ends):.2f}]{words}"


def _estimate(its: Ratio) -> float:
    return its.estimate


def _has(row: ResultRow, name: str, value: Value) -> bool:
    return bool((getattr(row, name) if name in _OF_A_ROW else row.params.get(name)) == value)
