# SPDX-License-Identifier: BSD-3-Clause
"""Finding rows: the headline size of a benchmark, the conditions that may share an axis, series and their order."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass, field
from functools import cache
from typing import TypeVar

from raddle.catalogue import catalogue
from raddle.judge.points import placement, whole
from raddle.model import NO_MPI, WAYS, ResultRow
from raddle.report.params import noun, told, way_rank
from raddle.report.style import variant_rank
from raddle.units import format_bytes

Group = TypeVar("Group", bound=Hashable)
Value = int | float | str

# The size that stands for a benchmark where only one can be shown; the nearest one measured is taken.
HEADLINE_BYTES = {
    "bandwidth": 1 << 20,
    "concurrent_bandwidth": 8 << 20,
    "message_rate": 0,
    "short_long": 128,
    "overlap": 4 << 20,
    "concurrent_collectives": 2048,
    "collective_compute": 16 << 20,
    "ep_throughput": 64,
    "fft_exchange": 64,
    "partitioned_bandwidth": 8 << 20,
    "partitioned_tail": 8 << 20,
    "partitioned_ready": 8 << 20,
    "dsde_census": 1024,
    "dsde_algorithms": 1024,
    "dsde_endpoints": 1024,
}
DEFAULT_HEADLINE_BYTES = 8

# The same for a benchmark's own parameters: what the suite's paper did, or what is nearest to it.
HEADLINE_PARAMS: dict[str, dict[str, int | float | str]] = {
    "message_rate": {"mode": "published"},
    "short_long": {"long_bytes": 4 << 20},
    "overlap": {"neighbours": 4, "ratio": 1},
    "concurrent_collectives": {"collective": "allreduce", "parties": 2},
    "collective_compute": {"kernel": "cache", "yield": 0},
    "dslash": {"parties": 2, "extent": 4},
    "fft_exchange": {"parties": 2, "volume": 256 << 10},
    "partitioned_bandwidth": {"partition_bytes": 512, "order": "linear", "completion": "wait"},
    "partitioned_tail": {"partition_bytes": 128 << 10, "spread_ms": 8, "noise": "none"},
    "partitioned_ready": {"partition_bytes": 4096},
    "dsde_census": {"ranks": 16, "pattern": "random", "fraction": 0.1, "waiting": "told"},
    "dsde_algorithms": {"ranks": 16, "pattern": "random", "fraction": 0.1},
    "dsde_endpoints": {"ranks": 4, "pattern": "random", "fraction": 0.1},
}

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


def headline_size(rows: Iterable[ResultRow], benchmark: str) -> int | None:
    """The measured size nearest to the one that people quote for this benchmark; none without rows."""
    wanted = HEADLINE_BYTES.get(benchmark, DEFAULT_HEADLINE_BYTES)
    own = [row for row in rows if row.benchmark == benchmark]
    sizes = {size(row) for row in own if row.mpi != NO_MPI} or {size(row) for row in own}
    return min(sizes, key=lambda each: (abs(each - wanted), each), default=None)


def headline(rows: Iterable[ResultRow], benchmark: str) -> list[ResultRow]:
    """The rows at that size, of every variant, MPI and condition; the physical probe's included.

    Of a benchmark's own parameters those are taken that stand for it, or what was measured nearest to them.
    """
    rows = list(rows)
    wanted = headline_size(rows, benchmark)
    found = [row for row in rows if row.benchmark == benchmark and size(row) == wanted]
    for name, value in HEADLINE_PARAMS.get(benchmark, {}).items():
        chosen = _nearest({row.params[name] for row in found if name in row.params}, value)
        found = [row for row in found if row.params.get(name) == chosen]
    return found


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


def _nearest(values: set[Value], wanted: Value) -> Value | None:
    """The wanted word, else the first one; or the number nearest to the wanted one. None without any."""
    if isinstance(wanted, str):
        return wanted if wanted in values else min(map(str, values), default=None)
    numbers = [value for value in values if not isinstance(value, str)]
    return min(numbers, key=lambda value: (abs(value - wanted), value), default=None)


@cache
def _defaults(benchmark: str) -> dict[str, str]:
    """What a benchmark's parameters are by default; empty for one that the catalogue does not know."""
    known = catalogue().benchmarks.get(benchmark)
    return {"placement": "node"} | {name: _text(param.default) for name, param in known.params.items()} if known else {}


def _text(value: Value) -> str:
    """Two and 2.0 are the same."""
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)
