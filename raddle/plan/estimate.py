# SPDX-License-Identifier: BSD-3-Clause
"""How long launches take: a guess from the plan, corrected by those that have ended."""

from __future__ import annotations

import statistics
from collections.abc import Iterable

from raddle.plan.schedule import Launch

# Starting and ending an MPI: 0.2 s (MPICH) to 1.5 s (Open MPI); learned from the first launches anyway.
_START_SECONDS = 0.8
# Calibration, validation and the last sample come on top of a point's own time.
_POINT_OVERHEAD = 1.5
# A machine may be slow, a size huge, four threads may share a CPU; a hang is for ever.
_LIMIT_FACTOR = 10
_LIMIT_FLOOR = 60.0


def planned_seconds(launch: Launch) -> float:
    """What the plan allows the launch, in seconds."""
    point = launch.sampling.max_seconds + launch.sampling.warmup_seconds
    return _START_SECONDS + _POINT_OVERHEAD * launch.points * point


def default_time_limit(launch: Launch) -> float:
    """When to believe that the launch hangs, in seconds."""
    return _LIMIT_FLOOR + _LIMIT_FACTOR * planned_seconds(launch)


class Estimate:
    """Expected seconds of launches, by what their kind took before, or all kinds on average."""

    def __init__(self) -> None:
        self._seconds: dict[str, list[float]] = {}
        self._factors: list[float] = []

    def learn(self, launch: Launch, seconds: float) -> None:
        """The launch took that long."""
        self._seconds.setdefault(launch.kind, []).append(seconds)
        self._factors.append(seconds / planned_seconds(launch))

    def expected(self, launch: Launch) -> float:
        """Seconds that the launch will take."""
        if known := self._seconds.get(launch.kind):
            return statistics.median(known)
        return planned_seconds(launch) * (statistics.median(self._factors) if self._factors else 1.0)

    def total(self, launches: Iterable[Launch]) -> float:
        """Seconds that all of them will take."""
        return sum(map(self.expected, launches))
