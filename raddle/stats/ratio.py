# SPDX-License-Identifier: BSD-3-Clause
"""How many times A is B, block by block, so that what disturbs a whole block disturbs both and cancels."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from raddle.stats.order import median, median_interval


@dataclass(frozen=True)
class Ratio:
    """A ratio without unit; `lo` and `hi` are its 95 % interval, both None when `n` blocks are too few for one."""

    estimate: float
    lo: float | None
    hi: float | None
    n: int

    @property
    def interval(self) -> tuple[float, float] | None:
        return None if self.lo is None or self.hi is None else (self.lo, self.hi)

    @property
    def shown(self) -> bool:
        """Whether the data show a difference: there is an interval and it does not hold 1."""
        return self.interval is not None and not self.interval[0] <= 1 <= self.interval[1]

    @property
    def words(self) -> str:
        """What may be claimed: `difference shown`, `no difference shown` or `n too small`."""
        if self.interval is None:
            return "n too small"
        return "difference shown" if self.shown else "no difference shown"

    def inverse(self) -> Ratio:
        """B/A. Medians and order statistics of logarithms make this exact, which averages of ratios are not."""
        lo, hi = self.interval or (None, None)
        return Ratio(1 / self.estimate, 1 / hi if hi else None, 1 / lo if lo else None, self.n)


def paired_ratio(a: Mapping[int, float], b: Mapping[int, float]) -> Ratio | None:
    """A/B from medians by block id; none when no block has both.

    The estimate is exp(median_i log(a_i / b_i)), the interval exp of the order-statistic one (docs/results.md). A block
    in which either value is not a positive number has no logarithm; it is left out of `n`.
    """
    logs = [
        math.log(a[block]) - math.log(b[block])
        for block in sorted(a.keys() & b.keys())
        if _has_log(a[block]) and _has_log(b[block])
    ]
    if not logs:
        return None
    interval = median_interval(logs)
    lo, hi = (None, None) if interval is None else (math.exp(interval.lo), math.exp(interval.hi))
    return Ratio(math.exp(median(logs)), lo, hi, len(logs))


def ratios_by_block(a: Mapping[int, float], b: Mapping[int, float]) -> list[float]:
    """A/B of each block that `paired_ratio` takes: what its estimate is the median of."""
    both = sorted(a.keys() & b.keys())
    return [a[block] / b[block] for block in both if _has_log(a[block]) and _has_log(b[block])]


def _has_log(value: float) -> bool:
    return math.isfinite(value) and value > 0
