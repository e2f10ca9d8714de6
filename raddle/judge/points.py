# SPDX-License-Identifier: BSD-3-Clause
"""Finding the row that did the same work in another way, and the ratio between the two."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from raddle.model import PHYSICAL, PROCESS, TUNED, ResultRow
from raddle.results.machine_states import NONE, ONLY
from raddle.stats.difference import Difference, paired_difference
from raddle.stats.ratio import Ratio, paired_ratio

# Whose best row is what headline ratios are against (docs/use/measuring.md).
RIVALS = (PROCESS, TUNED)
# Where the sides of a pair live, and what follows from it and the variant, is the way the work is done, not the work.
_NOT_WORK = ("processes", "placement")
_Work = tuple[object, ...]
_LimitKey = tuple[str, str, str, int, int, str]


def work(row: ResultRow) -> _Work:
    """What two rows must have in common to be compared: all but MPI, variant, placement and number of processes.

    The profile is part of it, since `clean` and `shared` rows must never be compared.
    """
    params = sorted((name, value) for name, value in row.params.items() if name not in _NOT_WORK)
    return (row.benchmark, row.metric, row.unit, row.profile, tuple(params))


def placement(row: ResultRow) -> str:
    """Where the two sides of a pair live: `one-process`, `node`, ..."""
    return str(row.params.get("placement", ""))


def whole(row: ResultRow, name: str, default: int = 0) -> int:
    """A parameter that counts something; `default` where the row has none."""
    value = row.params.get(name, default)
    return int(value) if isinstance(value, (int, float)) else default


def by_block(row: ResultRow) -> dict[int, float]:
    """Block medians by block id: what ratios are paired by."""
    return dict(zip(row.block_ids, row.blocks, strict=True))


def alike(a: ResultRow, b: ResultRow) -> tuple[dict[int, float], dict[int, float]]:
    """What may be compared of two rows: block medians of the blocks in which the machine was in the same state.

    Against the machine's limit it is what the launch's own probes found, where they did this work: that of another
    launch may be of another state.
    """
    mine, its = by_block(a), by_block(b)
    if b.variant == PHYSICAL and a.block_limits:
        own = {block: limit for block, limit in zip(a.block_ids, a.block_limits, strict=True) if limit is not None}
        return {block: mine[block] for block in own}, own
    same = together(a, b)
    return {block: mine[block] for block in same}, {block: its[block] for block in same}


def together(a: ResultRow, b: ResultRow) -> list[int]:
    """The blocks that both have in the same state; a row without states was always in the only one."""
    states = [dict(zip(row.block_ids, row.block_states, strict=True)) if row.block_states else {} for row in (a, b)]
    return [
        block
        for block in a.block_ids
        if block in b.block_ids
        and NONE not in (found := [own[block] for own in states if own])
        and len({*found} - {ONLY}) < 2
    ]


def ratio(a: ResultRow, b: ResultRow) -> Ratio | None:
    """`a`/`b` as measured, over the blocks that are alike; none without one. Raises ValueError when units differ."""
    if a.unit != b.unit:
        raise ValueError(f"no ratio of {a.unit} to {b.unit}")
    return paired_ratio(*alike(a, b))


def difference(a: ResultRow, b: ResultRow) -> Difference | None:
    """`a`-`b` as measured, in their unit, over the blocks that are alike; none without one.

    Raises ValueError when units differ.
    """
    if a.unit != b.unit:
        raise ValueError(f"no difference of {a.unit} to {b.unit}")
    return paired_difference(*alike(a, b))


def speed(a: ResultRow, b: ResultRow) -> Ratio | None:
    """How many times better `a` is than `b`: above 1 is better, for times as for rates."""
    found = ratio(a, b)
    return found.inverse() if found is not None and a.better == "lower" else found


class PointIndex:
    """Rows by the point they describe. Of rows that describe the same point the last one counts."""

    def __init__(self, rows: Iterable[ResultRow]) -> None:
        self.rows: Sequence[ResultRow] = list(rows)
        self._places: dict[tuple[_Work, str, str, str], ResultRow] = {}
        self._limits: dict[_LimitKey, list[ResultRow]] = {}
        self._mpis = list(dict.fromkeys(row.mpi for row in self.rows))
        for row in self.rows:
            self._places[work(row), row.mpi, row.variant, placement(row)] = row
            if row.variant == PHYSICAL:
                self._limits.setdefault(_limit_key(row), []).append(row)

    def counterpart(self, row: ResultRow, variant: str, place: str | None = None) -> ResultRow | None:
        """The row of `variant` that did the same work on the same MPI; none when it was not measured.

        Its sides live where those of `row` do, or in `place`: processes are never in `one-process`, so the processes to
        compare two threads of one process with are in `node`.
        """
        return self._places.get((work(row), row.mpi, variant, placement(row) if place is None else place))

    def rivals(self, row: ResultRow, variants: Sequence[str], place: str | None = None) -> list[ResultRow]:
        """The rows of these variants that did the same work on any MPI; where some share a block, only those."""
        where, blocks = placement(row) if place is None else place, set(row.block_ids)
        keys = ((work(row), mpi, variant, where) for mpi in self._mpis for variant in variants)
        found = [self._places[key] for key in keys if key in self._places]
        return [each for each in found if not blocks.isdisjoint(each.block_ids)] or found

    def physical(self, row: ResultRow) -> ResultRow | None:
        """The machine's limit for that work, at as many pairs with a CPU for each; none when it was not probed.

        A probe may lack parameters (a ring of cache lines has no window), so among several rows the one that agrees in
        most of them is taken.
        """
        rows = self._limits.get(_limit_key(row), [])
        return max(rows, key=lambda limit: len(limit.params.items() & row.params.items()), default=None)


def best(rows: Sequence[ResultRow]) -> ResultRow | None:
    """The one with the best median, of equal ones the first; none of none. All have one unit."""
    if not rows:
        return None
    return (max if rows[0].better == "higher" else min)(rows, key=lambda row: row.median)


def can_have_limit(row: ResultRow) -> bool:
    """Whether a probe could have one for that work: a CPU for each, and another one to send to."""
    return row.profile == "clean" and row.params.get("partner") != "self"


def _limit_key(row: ResultRow) -> _LimitKey:
    """With whom it is that a message is for: what is between two has a limit, what one sends to itself has none."""
    pairs, partner = whole(row, "threads", 1), str(row.params.get("partner", ""))
    return row.benchmark, row.metric, row.profile, whole(row, "bytes"), pairs, partner
