# SPDX-License-Identifier: BSD-3-Clause
"""What is exchanged: by how many ranks, with how many neighbours each, and how much."""

from __future__ import annotations

import msgspec
from scipy.stats import poisson


class Workload(msgspec.Struct, frozen=True, kw_only=True):
    """One exchange. `neighbours` or `fraction` says to how many ranks each one sends."""

    ranks: int
    payload: int
    neighbours: float = 0
    fraction: float = 0
    even: bool = False  # everyone receives from as many as it sends to; else neighbours are drawn at random

    @property
    def out(self) -> float:
        """Messages that a rank sends."""
        wanted = self.fraction * self.ranks if self.fraction else self.neighbours
        return float(min(max(wanted, 1), max(self.ranks - 1, 1)))

    @property
    def most(self) -> float:
        """Messages that the rank receives which receives most: an exchange is as long as its own."""
        if self.even or self.ranks < 3:
            return self.out
        drawn = float(poisson.ppf(1 - 1 / self.ranks, self.out))
        return min(max(drawn, self.out), self.ranks - 1)


def distinct(places: float, drawn: float) -> float:
    """How many of `places` are hit by so many draws, on the average."""
    return places * (1 - (1 - 1 / places) ** drawn) if places > 1 else min(1.0, drawn)
