# SPDX-License-Identifier: BSD-3-Clause
"""What the pages of partitioned communication have in common: one mechanism held against another, work being equal."""

from __future__ import annotations

from collections.abc import Sequence

from raddle.judge.points import whole, work
from raddle.model import ResultRow
from raddle.report.data import Data
from raddle.report.figures.claims import Claim
from raddle.report.figures.model import IN_MESSAGES, Series, Table
from raddle.report.figures.suite import Rows, legend_of, measured
from raddle.report.figures.tables import Column, ratio_column, suite_table
from raddle.report.params import by_messages, series, way_rank
from raddle.report.rows import display_order
from raddle.stats.ratio import Ratio
from raddle.units import format_bytes

BULK, NATIVE, ADAPTIVE = "bulk", "psend", "raddle-auto"
# What tells series on one axis apart: they are conditions of nothing.
_WAY = ("mechanism", "direct")


def partition_size(row: ResultRow) -> int:
    return whole(row, "partition_bytes")


def partitions(row: ResultRow) -> int:
    """How many a buffer has."""
    return whole(row, "bytes") // max(partition_size(row), 1)


def as_placed(row: ResultRow) -> bool:
    """Whether nothing but its mechanism tells the row from what a program would do: processes of one node, directly."""
    return row.variant == "thread" and not by_messages(row)


def against(data: Data, row: ResultRow, mechanism: str) -> ResultRow | None:
    """The row of another mechanism that did the same work in the same place, in the plainest way."""
    asked = _work(row)
    return next(
        (each for each in measured(data, row.benchmark) if each.params.get("mechanism") == mechanism
         and not by_messages(each) and (each.mpi, each.variant) == (row.mpi, row.variant) and _work(each) == asked),
        None,
    )  # fmt: skip


def multiplies(mechanism: str, other: str, says: str, nothing: str) -> Claim:
    """A claim of a mechanism's value as a multiple of another's, as measured."""
    return Claim(
        only=lambda row: row.params.get("mechanism") == mechanism and as_placed(row),
        its=lambda data, row: data.ratio(row, against(data, row, other)),
        says=says,
        nothing=nothing,
        words=lambda row: {"partition": format_bytes(partition_size(row)), "partitions": str(partitions(row))},
    )


def legend(data: Data, rows: Rows) -> list[Series]:
    """The mechanisms in the order of display; those in which Raddle sends messages by themselves."""
    return legend_of(rows, _rank, lambda row: Series(series(row), IN_MESSAGES if by_messages(row) else ""))


def table(data: Data, rows: Rows, own: Sequence[Column]) -> Table:
    """Every row with its figures, smallest partitions first, and its speed against one large message."""

    def to_bulk(data: Data, row: ResultRow) -> Ratio | None:
        other = against(data, row, BULK)
        return None if other is row else data.speed(row, other)

    columns: list[Column] = [
        ("partitions", lambda _, row: format_bytes(partition_size(row))),
        *own,
        ratio_column("speed to bulk", to_bulk),
    ]
    return suite_table(data, sorted(rows, key=lambda row: (partition_size(row), _rank(row))), columns)


def _rank(row: ResultRow) -> tuple[object, ...]:
    return (way_rank(row), display_order(row))


def _work(row: ResultRow) -> tuple[object, ...]:
    """All that two mechanisms must have in common; both are in the same place."""
    params = tuple(sorted((name, value) for name, value in row.params.items() if name not in _WAY))
    return (*work(row)[:-1], params)
