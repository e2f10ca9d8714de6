# SPDX-License-Identifier: BSD-3-Clause
"""The distribution-free 95 % interval of a median: two of the sorted values themselves.

Whatever the distribution, the number of values below its median is Binomial(n, 1/2). So the chance that the median
lies between the lo-th and the hi-th smallest value depends on n alone (Hoefler & Belli, SC'15, rule 5; David &
Nagaraja, Order Statistics, section 7.1). `bench/core/statistics.cpp` uses the same ranks to decide when to stop.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from scipy.special import bdtr

FEWEST = 6
"""With fewer values even smallest..largest covers less than 95 % (n = 5: 93.75 %), so there is no interval."""

EXACT_BELOW = 30
"""From this many values on the normal approximation of the binomial gives the ranks."""

TAIL = 0.025
"""The chance allowed on each side of the interval."""


class Ranks(NamedTuple):
    """Positions in the sorted values, counted from 1."""

    lo: int
    hi: int


class Interval(NamedTuple):
    """An interval in the unit of the values."""

    lo: float
    hi: float

    @property
    def width(self) -> float:
        return self.hi - self.lo


def median_ranks(n: int) -> Ranks | None:
    """Ranks whose values enclose the median of `n` values with at least 95 %; none if `n` is too small."""
    if n < FEWEST:
        return None
    if n >= EXACT_BELOW:
        spread = 1.96 * math.sqrt(n)
        return Ranks(math.floor((n - spread) / 2), math.ceil(1 + (n + spread) / 2))
    lo = max(rank for rank in range(1, n // 2 + 1) if bdtr(rank - 1, n, 0.5) <= TAIL)
    return Ranks(lo, n + 1 - lo)


def median(values: Sequence[float]) -> float:
    """The middle value, or the mean of the middle two. Raises ValueError when there is none."""
    if len(values) == 0:
        raise ValueError("no median of no values")
    return float(np.median(values))


def median_interval(values: Sequence[float]) -> Interval | None:
    """The 95 % interval of the median of `values`, which must be independent; none for fewer than six."""
    ranks = median_ranks(len(values))
    if ranks is None:
        return None
    ordered = np.sort(np.asarray(values, dtype=float))
    return Interval(float(ordered[ranks.lo - 1]), float(ordered[ranks.hi - 1]))
