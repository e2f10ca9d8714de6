# SPDX-License-Identifier: BSD-3-Clause
"""Timelines: seconds in bins of equal width, put together from threads whose bins differ in width and beginning."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import zip_longest

_MOST = 100_000  # bins; wider ones are made of more


@dataclass(frozen=True)
class Bins:
    """Seconds in each bin; the first begins at `began`, a point in time of the profile's clock."""

    began: float
    width: float
    seconds: Sequence[float]

    @property
    def ended(self) -> float:
        return self.began + self.width * len(self.seconds)


def summed(several: Iterable[Bins]) -> Bins:
    """Bins as wide as the widest, from the earliest beginning on; what lies across two is divided by its length."""
    known = [each for each in several if each.width > 0 and each.seconds]
    if not known:
        return Bins(0.0, 1.0, [])
    first = known[0]
    if all((each.began, each.width) == (first.began, first.width) for each in known):
        columns = zip_longest(*(each.seconds for each in known), fillvalue=0.0)
        return Bins(first.began, first.width, [sum(column) for column in columns])
    began, ended = min(each.began for each in known), max(each.ended for each in known)
    widest = max(each.width for each in known)
    width = max(widest, (ended - began) / _MOST)
    sums = [0.0] * max(1, math.ceil((ended - began) / width - 1e-9))
    for each in known:
        for number, value in enumerate(each.seconds):
            if value > 0:
                _spread(sums, (each.began - began + number * each.width) / width, each.width / width, value)
    return Bins(began, width, sums)


def _spread(sums: list[float], begin: float, length: float, value: float) -> None:
    """Adds a value that lies from `begin` on, both in bins."""
    place, end = int(begin + 1e-9), begin + length
    while place < len(sums) and place < end - 1e-9:
        part = min(end, place + 1.0) - max(begin, float(place))
        # At the end of the last bin there may be a rest that is no more than rounding.
        sums[place] += value * min(part / length, 1.0)
        place += 1


def covered(bins: Bins) -> float:
    """How long something was going on at most, if each bin says how long it was for all together, seconds."""
    return sum(min(max(value, 0.0), bins.width) for value in bins.seconds)


def resampled(bins: Bins, began: float, ended: float, count: int) -> list[float]:
    """Over `count` bins from `began` to `ended`: the part of each that was covered, from 0 up (several threads: above
    1)."""
    if ended <= began or not bins.seconds or bins.width <= 0:
        return [0.0] * count
    width = (ended - began) / count
    sums = [0.0] * count
    for number, value in enumerate(bins.seconds):
        begin = (bins.began + number * bins.width - began) / width
        if value > 0 and begin + bins.width / width > 0 and begin < count:
            _spread_both(sums, begin, bins.width / width, value)
    return [value / width for value in sums]


def _spread_both(sums: list[float], begin: float, length: float, value: float) -> None:
    if begin < 0:  # what lies before the first bin is left out
        value, length, begin = value * (length + begin) / length, length + begin, 0.0
    _spread(sums, begin, length, value)
