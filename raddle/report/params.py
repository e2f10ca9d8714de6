# SPDX-License-Identifier: BSD-3-Clause
"""Parameters in words: what a benchmark's own ones mean, said as briefly as a title allows."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from raddle.catalogue import catalogue
from raddle.model import WAYS, ResultRow
from raddle.units import format_bytes

# Where an MPI is not told to yield, however many threads are busy: its settings are what is looked at.
_LEFT_ALONE = (("step", "slow"), ("waiting", "default"))

_WORDS: dict[str, Callable[[str], str]] = {
    "collective": lambda value: value,
    "completion": lambda value: f"{value} asks" if value != "wait" else "both wait",
    "extent": lambda value: f"lattice {lattice(value)}",
    "fraction": lambda value: f"{100 * float(value):g} % neighbours",
    "mode": lambda value: value,
    "noise": lambda value: f"noise {value}",
    "order": lambda value: f"order {value}",
    "parties": lambda value: f"{value} parties",
    "pattern": lambda value: value,
    "partition_bytes": lambda value: f"partitions of {_bytes(value)}",
    "ranks": lambda value: f"{value} {'rank' if value == '1' else 'ranks'}",
    "spread_ms": lambda value: f"computing {value} ms",
    "placement": lambda value: value,
    "kernel": lambda value: f"kernel in {value}",
    "yield": lambda value: "yielding" if value == "1" else "not yielding",
    "long_bytes": lambda value: "no long messages" if value == "0" else f"beside messages of {_bytes(value)}",
    "neighbours": lambda value: f"{value} {'neighbour' if value == '1' else 'neighbours'}",
    "ratio": lambda value: f"computing {value}x as long",
    "partner": lambda value: "to itself" if value == "self" else "to another",
    "waiting": lambda value: "as it comes" if value == "default" else "told to yield",
    "volume": lambda value: f"{_bytes(value)} in all",
    "wait_ms": lambda value: f"waiting {value} ms",
}


def told(name: str, value: str) -> str:
    """One parameter, e.g. `2 parties`, `window 32`."""
    words = _WORDS.get(name)
    return words(value) if words else f"{name} {value}"


def noun(benchmark: str) -> str:
    """What runs `threads` times at once: `pair`, `flow`, or nothing."""
    known = catalogue().benchmarks.get(benchmark)
    return known.flow if known else "pair"


def way(row: ResultRow) -> str:
    """The variant, or whatever else says how the work was done: `thread`, `multiple`, `+ probe`, `psend`, `nbx`."""
    if "level" in row.params:
        return str(row.params["level"])
    if "step" in row.params:
        return str(row.params["step"])
    if own := row.params.get("mechanism", row.params.get("algorithm")):
        endpoints = " on endpoints" if row.variant.startswith("endpoint-") else ""
        return f"{own}{endpoints}{', in messages' if by_messages(row) else ''}"
    progress = str(row.params.get("progress", WAYS["progress"][0]))
    return row.variant if progress == WAYS["progress"][0] else f"+ {progress}"


def by_messages(row: ResultRow) -> bool:
    """Whether Raddle was kept from writing into the receiver's buffer."""
    return row.params.get("direct") == "no"


def has_ways(rows: Iterable[ResultRow]) -> bool:
    """Whether some rows are held against the plainest way of doing the work, instead of against processes."""
    return any(name in row.params for row in rows for name in WAYS)


def untold(rows: Iterable[ResultRow]) -> list[str]:
    """What those oversubscribed rows are called whose MPI was left as it comes: it was not told to yield."""
    found = {
        str(value) if name == "step" else told(name, str(value))
        for row in rows
        if row.profile == "shared"
        for name, value in row.params.items()
        if (name, value) in _LEFT_ALONE
    }
    return sorted(found, reverse=True)


def work_rank(row: ResultRow) -> tuple[tuple[str, float, str], ...]:
    """Sort key of what was done by a benchmark's own parameters, numbers by size and words by alphabet."""
    known = {"bytes", "threads", "processes", "placement", *WAYS}
    own = ((name, value) for name, value in sorted(row.params.items()) if name not in known)
    return tuple((name, 0.0, value) if isinstance(value, str) else (name, float(value), "") for name, value in own)


def series(row: ResultRow) -> str:
    """What its line is drawn as: its variant, its level where all are processes, its mechanism, algorithm or step."""
    return next(
        (str(row.params[name]) for name in ("level", "mechanism", "algorithm", "step") if name in row.params),
        row.variant,
    )


def way_rank(row: ResultRow) -> tuple[int, ...]:
    """Sort key within a variant."""
    return tuple(_place(order, str(row.params.get(name, order[0]))) for name, order in WAYS.items())


def is_reference(row: ResultRow) -> bool:
    """Whether others are held against it: processes that do the work in the plainest way."""
    return row.variant == "process" and not any(way_rank(row))


def _place(order: tuple[str, ...], value: str) -> int:
    return order.index(value) if value in order else len(order)


def lattice(extent: str) -> str:
    """That of `dslash`, e.g. `8x8x8x16`."""
    return "x".join([extent] * 3 + [str(2 * int(extent))]) if extent.isdecimal() else extent


def _bytes(value: str) -> str:
    return format_bytes(int(value)) if value.isdecimal() else value
