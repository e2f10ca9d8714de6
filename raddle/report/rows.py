# SPDX-License-Identifier: BSD-3-Clause
"""Rows of a figure: the conditions that may share an axis, series and their order."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass, field
from functools import cache
from typing import TypeVar

from raddle.catalogue import catalogue
from raddle.judge.headline import headline, headline_params, headline_size
from raddle.judge.points import placement, whole
from raddle.model import WAYS, Params, ResultRow, Value
from raddle.report.params import noun, told, way_rank
from raddle.report.style import variant_rank
from raddle.units import format_bytes

__all__ = [
    "HEADLINE_PARAMS",
    "Condition",
    "condition",
    "display_order",
    "group",
    "headline",
    "headline_size",
    "size",
    "size_words",
    "work_words",
]

Group = TypeVar("Group", bound=Hashable)

# The parameters of its own that stand for a benchmark.
HEADLINE_PARAMS: dict[str, Params] = {name: headline_params(name) for name in catalogue().benchmarks}

# Where the parties of one pair live on one node: nothing to say about, unlike `no-shm`, `netns` and `nodes`.
_USUAL_PLACES = ("", "node", "one-process")


@dataclass(frozen=True, order=True)
class Condition:
    """Rows of different conditions do different work, or do it under different circumstances: never on one axis."""

    profile: str
    threads: int
    rest: tuple[tuple[str, str], ...] = ()
    # What runs `threads` times at once, and how many of it go without saying where it has no name.
    noun: str = field(default="pair", compare=False)
    usual: int = field(default=1, compare=False)

    @property
    def shared(self) -> bool:
        return self.profile == "shared"

    @property
    def words(self) -> str:
        """For a title, e.g. `2 pairs at once, window 32`; empty where there is nothing to tell."""
        return ", ".join(filter(None, [self.flows, *self.details]))

    @property
    def flows(self) -> str:
        """How much runs at once, e.g. `2 pairs at once`."""
        if not self.noun:
            return "" if self.threads == self.usual else f"{self.threads} threads at once"
        if self.threads == 1:
            return f"1 {self.noun}"
        return f"{self.threads} {self.nouns}"

    @property
    def nouns(self) -> str:
        """What there are several of, e.g. `pairs at once`."""
        if " on " in self.noun:  # not several at once, but more in one
            return self.noun.replace(" ", "s ", 1)
        return f"{self.noun}s at once"

    @property
    def details(self) -> list[str]:
        """What else is not as usual."""
        return [told(name, value) for name, value in self.rest]


def size(row: ResultRow) -> int:
    """Bytes of a message; 0 for work that has none."""
    return whole(row, "bytes")


def condition(row: ResultRow) -> Condition:
    """What must be equal on one axis, apart from benchmark, variant and other ways, MPI and size.

    `processes` follows from the others. What is as the catalogue has it by default, such as a window, goes without
    saying; so does a placement in which messages go through memory.
    """
    known = {"bytes", "threads", "processes", *WAYS}
    if placement(row) in _USUAL_PLACES:
        known.add("placement")
    usual = _defaults(row.benchmark)
    rest = [
        (name, text)
        for name, value in sorted(row.params.items())
        # A benchmark of another version is not in the catalogue: all its parameters count.
        if name not in known and ((text := _text(value)) != usual.get(name, text) or not usual)
    ]
    count = int(usual.get("threads", "1"))
    return Condition(row.profile, whole(row, "threads", 1), tuple(rest), noun(row.benchmark), count)


def size_words(row: ResultRow) -> str:
    """The size of a message; empty for work that has none of its own."""
    return format_bytes(size(row)) if "bytes" in row.params else ""


def work_words(row: ResultRow) -> str:
    """What was done, e.g. `8 B, 2 pairs at once`, `2 KiB, 2 collectives at once, bcast`."""
    return ", ".join(filter(None, [size_words(row), condition(row).words]))


def group(rows: Iterable[ResultRow], key: Callable[[ResultRow], Group]) -> dict[Group, list[ResultRow]]:
    """Rows by key, groups in order of their first row."""
    groups: dict[Group, list[ResultRow]] = {}
    for row in rows:
        groups.setdefault(key(row), []).append(row)
    return groups


def display_order(row: ResultRow) -> tuple[object, ...]:
    """Sort key within one MPI: variants in their fixed order, one process before two, small before large."""
    return (variant_rank(row.variant), way_rank(row), placement(row) != "one-process", size(row))


@cache
def _defaults(benchmark: str) -> dict[str, str]:
    """What a benchmark's parameters are by default; empty for one that the catalogue does not know."""
    known = catalogue().benchmarks.get(benchmark)
    return {"placement": "node"} | {name: _text(param.default) for name, param in known.params.items()} if known else {}


def _text(value: Value) -> str:
    """Two and 2.0 are the same."""
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)
