# SPDX-License-Identifier: BSD-3-Clause
"""Finding rows: the headline size of a benchmark, the conditions that may share an axis, series and their order."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from functools import cache
from typing import TypeVar

from raddle.catalogue import catalogue
from raddle.compare_points import NO_MPI, placement, whole
from raddle.model import ResultRow
from raddle.report.style import variant_rank

Group = TypeVar("Group", bound=Hashable)

# The size that stands for a benchmark where only one can be shown; the nearest one measured is taken.
HEADLINE_BYTES = {"bandwidth": 1 << 20}
DEFAULT_HEADLINE_BYTES = 8


@dataclass(frozen=True, order=True)
class Condition:
    """Rows of different conditions do different work, or do it under different circumstances: never on one axis."""

    profile: str
    threads: int
    rest: tuple[tuple[str, str], ...] = ()

    @property
    def shared(self) -> bool:
        return self.profile == "shared"

    @property
    def words(self) -> str:
        """For a title, e.g. `2 pairs at once, window 32`."""
        pairs = "1 pair" if self.threads == 1 else f"{self.threads} pairs at once"
        return ", ".join([pairs, *(f"{name} {value}" for name, value in self.rest)])


def size(row: ResultRow) -> int:
    """Bytes of a message; 0 for work that has none."""
    return whole(row, "bytes")


def condition(row: ResultRow) -> Condition:
    """What must be equal on one axis, apart from benchmark, variant, MPI, placement and size.

    `processes` follows from the others. What is as the catalogue has it by default, such as a window, goes without
    saying.
    """
    known = {"bytes", "threads", "processes", "placement"}
    usual = _defaults(row.benchmark)
    rest = [
        (name, str(value))
        for name, value in sorted(row.params.items())
        # A benchmark of another version is not in the catalogue: all its parameters count.
        if name not in known and (usual is None or str(value) != usual.get(name, str(value)))
    ]
    return Condition(row.profile, whole(row, "threads", 1), tuple(rest))


def headline_size(rows: Iterable[ResultRow], benchmark: str) -> int | None:
    """The measured size nearest to the one that people quote for this benchmark; none without rows."""
    wanted = HEADLINE_BYTES.get(benchmark, DEFAULT_HEADLINE_BYTES)
    own = [row for row in rows if row.benchmark == benchmark]
    sizes = {size(row) for row in own if row.mpi != NO_MPI} or {size(row) for row in own}
    return min(sizes, key=lambda each: (abs(each - wanted), each), default=None)


def headline(rows: Iterable[ResultRow], benchmark: str) -> list[ResultRow]:
    """The rows at that size, of every variant, MPI and condition; the physical probe's included."""
    rows = list(rows)
    wanted = headline_size(rows, benchmark)
    return [row for row in rows if row.benchmark == benchmark and size(row) == wanted]


def group(rows: Iterable[ResultRow], key: Callable[[ResultRow], Group]) -> dict[Group, list[ResultRow]]:
    """Rows by key, groups in order of their first row."""
    groups: dict[Group, list[ResultRow]] = {}
    for row in rows:
        groups.setdefault(key(row), []).append(row)
    return groups


def display_order(row: ResultRow) -> tuple[object, ...]:
    """Sort key within one MPI: variants in their fixed order, one process before two, small before large."""
    return (variant_rank(row.variant), placement(row) != "one-process", size(row))


@cache
def _defaults(benchmark: str) -> dict[str, str] | None:
    known = catalogue().benchmarks.get(benchmark)
    return {name: str(param.default) for name, param in known.params.items()} if known else None
