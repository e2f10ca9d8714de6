# SPDX-License-Identifier: BSD-3-Clause
"""From how many ranks on which algorithm is the fastest."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Range:
    """The fastest algorithm from `first` ranks to `last`."""

    algorithm: str
    first: int
    last: int


def ranges(fastest: Callable[[int], str], sizes: Sequence[int]) -> list[Range]:
    """Between two sizes with the same answer nothing is looked for; else it is halved until it is exact."""
    found = [Range(fastest(sizes[0]), sizes[0], sizes[0])]
    for low, high in itertools.pairwise(sizes):
        for first, name in _changes(fastest, low, high):
            if name != found[-1].algorithm:
                found[-1] = Range(found[-1].algorithm, found[-1].first, first - 1)
                found.append(Range(name, first, first))
        found[-1] = Range(found[-1].algorithm, found[-1].first, high)
    return found


def _changes(fastest: Callable[[int], str], low: int, high: int) -> list[tuple[int, str]]:
    before, after = fastest(low), fastest(high)
    if before == after:
        return []
    if high - low == 1:
        return [(high, after)]
    middle = (low + high) // 2
    return [*_changes(fastest, low, middle), *_changes(fastest, middle, high)]
