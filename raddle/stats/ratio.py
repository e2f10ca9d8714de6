# SPDX-License-Identifier: BSD-3-Clause
"""How many times A is B, block by block."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from raddle.stats.order import median, median_interval
from raddle.stats.paired import Paired


@dataclass(frozen=True)
class Ratio(Paired):
    """Without unit."""

    NONE: ClassVar[float] = 1.0

    def inverse(self) -> Ratio:
        """B/A. Medians and order statistics of logarithms make this exact, which averages of ratios are not."""
        lo, hi = self.interval or (None, None)
        return Ratio(1 / self.estimate, 1 / hi if hi else None, 1 / lo if lo else None, self.n)


def paired_ratio(a: Mapping[int, float], b: Mapping[int, float]) -> Ratio | None:
    """A/B from medians by block id; none when no block has both.

    The estimate is exp(median_i log(a_i / b_i)), the interval exp of the order-statistic one (docs/use/results.md). A
    block in which either value is not a positive number has no logarithm; it is left out of `n`.
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
