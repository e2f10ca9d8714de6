# SPDX-License-Identifier: BSD-3-Clause
"""How much more A is than B, block by block."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from raddle.stats.order import median, median_interval
from raddle.stats.paired import Paired


@dataclass(frozen=True)
class Difference(Paired):
    """In the unit of both."""

    NONE: ClassVar[float] = 0.0


def paired_difference(a: Mapping[int, float], b: Mapping[int, float]) -> Difference | None:
    """A-B from medians by block id; none when no block has both.

    The estimate is the median of a_i - b_i, the interval the order-statistic one (docs/use/results.md). A block in
    which     either value is not finite is left out of `n`.
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
