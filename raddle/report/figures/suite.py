# SPDX-License-Identifier: BSD-3-Clause
"""Which rows a page is of, and which of these share axes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from raddle.judge.points import difference
from raddle.model import PHYSICAL, ResultRow
from raddle.report.data import Data
from raddle.report.figures.model import Series
from raddle.report.params import is_reference, series, way_rank
from raddle.report.rows import Condition, condition, group, size
from raddle.stats.difference import Difference
from raddle.stats.ratio import Ratio

Rows = Sequence[ResultRow]
# Those of a page's rows that a part of it shows.
Chosen = Callable[[Data, Rows], Rows]
# What a row is held against something with; none where there is nothing.
RatioOf = Callable[[Data, ResultRow], Ratio | None]


@dataclass(frozen=True)
class Strand:
    """Rows that may share axes: one profile, and everything equal but MPI, variant and number of flows."""

    condition: Condition
    rows: list[ResultRow]

    def title(self, mpi: str) -> str:
        """Of the panel of one MPI."""
        return ", ".join([mpi, *self.condition.details])


def measured(data: Data, benchmark: str) -> list[ResultRow]:
    """All rows of a benchmark but the machine's limits."""
    return [row for row in data.rows if row.benchmark == benchmark and row.mpi in data.mpis]


def physical(data: Data, benchmark: str) -> list[ResultRow]:
    """The machine's limits for it, small messages first; none when only limits were measured: then they are rows."""
    rows = [row for row in data.rows if row.benchmark == benchmark and row.mpi not in data.mpis]
    return sorted((row for row in rows if row.variant == PHYSICAL), key=size)


def everything(data: Data, rows: Rows) -> Rows:
    """All of them."""
    return rows


def at_headline(data: Data, rows: Rows) -> Rows:
    """Those that stand for their benchmark where only some can be shown."""
    return [row for benchmark in dict.fromkeys(row.benchmark for row in rows) for row in data.headline(benchmark)]


def one_for_each(data: Data, rows: Rows) -> list[ResultRow]:
    """For each MPI the row that a sentence is best made of: clean, and as usual in all else; of those most flows."""

    def order(row: ResultRow) -> tuple[object, ...]:
        each = condition(row)
        return (each.shared, len(each.rest), -each.threads)

    return [min(own, key=order) for mpi in data.mpis if (own := [row for row in rows if row.mpi == mpi])]


def strands(rows: Rows, beside: Sequence[str] = ()) -> list[Strand]:
    """The rows by what may share axes, clean ones first; `beside` names parameters that may differ on one axis."""

    def key(row: ResultRow) -> Condition:
        each = condition(row)
        return replace(each, threads=0, rest=tuple(pair for pair in each.rest if pair[0] not in beside))

    found = group(rows, key)
    return [Strand(each, found[each]) for each in sorted(found)]


def flows(row: ResultRow) -> str:
    """How much runs at once, as the heading of what does."""
    return condition(row).flows


def twin(data: Data, row: ResultRow, **differing: int | float | str) -> ResultRow | None:
    """The row of the same MPI, variant and profile that differs in these parameters only."""
    same, asked = (row.mpi, row.variant, row.profile), row.params | differing
    rows = (each for each in measured(data, row.benchmark) if (each.mpi, each.variant, each.profile) == same)
    return next((each for each in rows if each.params == asked), None)


def added(data: Data, row: ResultRow) -> Difference | None:
    """What it takes more than processes, or the plainest way, in the unit of the row; none for these themselves."""
    process = None if is_reference(row) else data.process(row)
    return None if process is None else difference(row, process)


def legend_of(rows: Rows, order: Callable[[ResultRow], Any], entry: Callable[[ResultRow], Series]) -> list[Series]:
    """Each entry once, in the order of the rows."""
    return list(dict.fromkeys(entry(row) for row in sorted(rows, key=order)))


def ways(data: Data, rows: Rows) -> list[Series]:
    """A legend of the ways to do the work, such as algorithms, in the order of display."""
    return legend_of(rows, way_rank, lambda row: Series(series(row)))
