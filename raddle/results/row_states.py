# SPDX-License-Identifier: BSD-3-Clause
"""Rows in one state of the machine, and the states that two runs have in common."""

from __future__ import annotations

import msgspec

from raddle.model import ResultRow, StateFigures
from raddle.stats.states import GAP


def in_state(row: ResultRow, name: str) -> ResultRow | None:
    """The row with the median and interval of one state; itself where it knows of one only, none without a block."""
    if not row.block_states:
        return row
    own = next((each for each in row.states if each.state == name and each.median is not None), None)
    if own is None or own.median is None:
        return None
    return msgspec.structs.replace(row, state=name, median=own.median, ci95=own.ci95)


def blocks_shown(row: ResultRow) -> list[float]:
    """The block medians that its median and interval are of."""
    if not row.block_states:
        return row.blocks
    return [value for value, state in zip(row.blocks, row.block_states, strict=True) if state == row.state]


def in_common(a: ResultRow, b: ResultRow) -> tuple[ResultRow, ResultRow] | None:
    """Two rows of different runs, both in the state in which they have most blocks in common; none without one.

    States of two runs are the same when their CPUs were equally far apart, whatever they are called. Rows that know of
    no state are taken as they are.
    """
    if not a.states or not b.states:
        return a, b
    alike = [
        (min(one.blocks, other.blocks), one.state, other.state)
        for one in a.states
        for other in b.states
        if _alike(one, other) and one.blocks and other.blocks
    ]
    if not alike:
        return None
    # Of as many the nearest, which stand first.
    _, one, other = max(alike, key=lambda each: each[0])
    found = in_state(a, one), in_state(b, other)
    return (found[0], found[1]) if found[0] and found[1] else None


def _alike(a: StateFigures, b: StateFigures) -> bool:
    times = sorted((a.core_to_core_ns, b.core_to_core_ns))
    return times[1] <= times[0] * GAP
