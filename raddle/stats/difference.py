# SPDX-License-Identifier: BSD-3-Clause
"""How much more A is than B, block by block, so that what disturbs a whole block disturbs both and cancels."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from raddle.stats.order import median, median_interval


@dataclass(frozen=True)
class Difference:
    """In the unit of both; `lo` and `hi` are its 95 % interval, both None when `n` blocks are too few for one."""

    estimate: float
    lo: float | None
    hi: float | None
    n: int

    @property
    def interval(self) -> tuple[float, float] | None:
        return None if self.lo is None or self.hi is None else (self.lo, self.hi)

    @property
    def shown(self) -> bool:
        """Whether the data show a difference: there is an interval and it does not hold 0."""
        return self.interval is not None and not self.interval[0] <= 0 <= self.interval[1]

    @property
    def words(self) -> str:
        """What may be claimed: `difference shown`, `no difference shown` or `n too small`."""
        if self.interval is None:
            return "n too small"
        return "difference shown" if self.shown else "no difference shown"


def paired_difference(a: Mapping[int, float], b: Mapping[int, float]) -> Difference | None:
    """A-B from medians by block id; none when no block has both.

    The estimate is the median of a_i - b_i, the interval the order-statistic one (docs/results.md). A block in which
    either value is not finite is left out of `n`.
    """
    more = [
        a[block] - b[block]
        for block in sorted(a.keys() & b.keys())
        if math.isfinite(a[block]) and math.isfinite(b[block])
    ]
    if not more:
        return None
    interval = median_interval(more)
    lo, hi = (None, None) if interval is None else interval
    return Difference(median(more), lo, hi, len(more))
