# SPDX-License-Identifier: BSD-3-Clause
"""The states of a machine, found in what one probe measured again and again: values that lie together, with gaps.

A probe of the distance between two CPUs has few values and many repetitions of each: neighbours, other caches, another
socket. So a state is a stretch of values that are close to one another, and what separates two is a gap on the
logarithmic axis. Single values in between (the CPU moved while the probe ran) belong to none, and bridge no gap.
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

GAP = 1.6
"""States are further apart than this factor: from neighbours to other caches it is 2 to 5, noise is below 1.3."""

NEAR = 1.25
"""Values within this factor of each other support each other, and what is within it of a state belongs to the state."""

FEWEST = 3
"""A state is made of so many values at least, near each other: two may be chance, or a bridge."""

SHARE = 0.05
"""The same as a share of all values."""

MOST = 3
"""Of states, nearest gaps closed first: more of them would leave none with enough blocks."""


class State(NamedTuple):
    """From the least to the largest of the values that make it up."""

    lo: float
    hi: float

    def holds(self, value: float) -> bool:
        """Whether a launch that measured this was in the state."""
        return self.lo / NEAR <= value <= self.hi * NEAR


def find_states(values: Sequence[float]) -> list[State]:
    """The states that positive `values` show, rising; none where there are too few of them or all are scattered."""
    ordered = sorted(values)
    enough = max(FEWEST, math.ceil(SHARE * len(ordered)))
    dense = [
        value for value in ordered if bisect_right(ordered, value * NEAR) - bisect_left(ordered, value / NEAR) >= enough
    ]
    if not dense:
        return []
    gaps = [(high / low, low, high) for low, high in pairwise(dense) if high / low > GAP]
    kept = sorted((low, high) for _, low, high in sorted(gaps)[-(MOST - 1) :])
    edges = [dense[0], *(edge for gap in kept for edge in gap), dense[-1]]
    return [State(lo, hi) for lo, hi in zip(edges[::2], edges[1::2], strict=True)]


def agree(a: float, b: float) -> bool:
    """Whether two values may be one, measured twice."""
    return max(a, b) <= min(a, b) * NEAR


def state_of(value: float, states: Sequence[State]) -> int | None:
    """Which of the states the value is in; none between them."""
    return next((number for number, state in enumerate(states) if state.holds(value)), None)
