# SPDX-License-Identifier: BSD-3-Clause
"""In which state the machine was during each launch, judged by the probes before and after it (docs/use/measuring.md).

Launches on other CPUs have other distances, so each set of CPUs is judged by itself. Where only one state is seen,
every launch is in it; so is every launch of a run that was not probed.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from raddle.model import Probe
from raddle.stats.order import median
from raddle.stats.states import agree, find_states, state_of

ONLY = "only"
NONE = ""
"""Of a launch during which the state changed, or that was not probed while others were found in several."""

_NAMES = ("near", "far", "farther")
_WORDS = {"near": "neighbouring CPUs", "far": "distant CPUs", "farther": "more distant CPUs", ONLY: "one state"}


@dataclass(frozen=True)
class Seen:
    """A state of the run: its median time from core to core, and the launches that were in it."""

    name: str
    core_to_core_ns: float
    launches: int

    @property
    def words(self) -> str:
        return words(self.name)


@dataclass(frozen=True)
class MachineStates:
    """What the probes of a run amount to; `of` has the state of each launch."""

    of: list[str] = field(default_factory=list)
    seen: list[Seen] = field(default_factory=list)  # rising; empty where nothing was probed

    @property
    def several(self) -> bool:
        return len(self.seen) > 1

    @property
    def main(self) -> str:
        """The state in which most launches were: figures are of it."""
        return max(self.seen, key=lambda seen: seen.launches).name if self.seen else ONLY

    def share(self, name: str) -> float:
        """Of all launches."""
        return self.of.count(name) / len(self.of) if self.of else 0.0


def words(name: str) -> str:
    """A state as people call it."""
    return _WORDS.get(name, name)


def judge(probes: Sequence[Probe | None]) -> MachineStates:
    """The state of each launch, by its probe."""
    groups: dict[tuple[tuple[int, int], ...], list[int]] = {}
    for number, probe in enumerate(probes):
        if probe is not None and probe.whole:
            groups.setdefault(tuple(probe.before.cpus), []).append(number)
    of = {number: name for members in groups.values() for number, name in _judge(probes, members).items()}
    several = any(name != ONLY for name in of.values())
    found = [of.get(number, NONE if several else ONLY) for number in range(len(probes))]
    times: dict[str, list[float]] = {}
    for number, name in of.items():
        probe = probes[number]
        if probe is not None and name != NONE:
            times.setdefault(name, []).extend(probe.core_to_core_ns)
    counted = Counter(of.values())
    seen = [Seen(name, median(own), counted[name]) for name, own in times.items()]
    return MachineStates(found, sorted(seen, key=lambda each: each.core_to_core_ns))


def _judge(probes: Sequence[Probe | None], members: Sequence[int]) -> dict[int, str]:
    """The same for launches on the same CPUs."""
    times = {number: probe.core_to_core_ns for number in members if (probe := probes[number]) is not None}
    # A state outlasts a launch. What only one of its two probes saw disturbed that probe, or came and went.
    steady = [math.sqrt(before * after) for before, after in times.values() if agree(before, after)]
    states = find_states(steady)
    if len(states) < 2:
        return dict.fromkeys(members, ONLY)
    found: dict[int, str] = {}
    for number, own in times.items():
        before, after = (state_of(value, states) for value in own)
        found[number] = NONE if before is None or before != after else _NAMES[before]
    return found
