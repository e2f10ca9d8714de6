# SPDX-License-Identifier: BSD-3-Clause
"""The states in which the machine was during a run, in words."""

from __future__ import annotations

from dataclasses import dataclass

from raddle.report.data import Data
from raddle.results.machine_states import words
from raddle.units import three_digits
from raddle.wording import count, listed


@dataclass(frozen=True)
class State:
    """One of them: the median time from core to core, and its part of all launches."""

    name: str
    core_to_core_ns: float
    share: float

    @property
    def words(self) -> str:
        return words(self.name)

    @property
    def distance(self) -> str:
        return f"{three_digits(self.core_to_core_ns)} ns"

    @property
    def part(self) -> str:
        return f"{self.share:.0%}"


def states(data: Data) -> list[State]:
    """All that any row knows of, the nearest first; of a run that was not probed none."""
    found = {
        each.state: State(each.state, each.core_to_core_ns, each.share) for row in data.rows for each in row.states
    }
    return sorted(found.values(), key=lambda state: state.core_to_core_ns)


def several(data: Data) -> list[State]:
    """The same where there is something to tell apart."""
    found = states(data)
    return found if len(found) > 1 else []


def main(data: Data) -> str:
    """The state that figures are of."""
    return max(several(data), key=lambda state: state.share).name if several(data) else ""


def sentence(data: Data) -> str:
    """What a reader must know of it before the first number; empty where there was one state."""
    if told := summary(data):
        return f"{told}. Ratios are of launches in one and the same state, other figures of {words(main(data))}."
    return ""


def summary(data: Data) -> str:
    """Which states there were, how far apart the CPUs were in each, and how often."""
    found = several(data)
    if not found:
        return ""
    told = [f"{each.words} ({each.distance} from core to core, {each.part} of launches)" for each in found[:1]]
    told += [f"{each.words} ({each.distance}, {each.part})" for each in found[1:]]
    changed = 1 - sum(each.share for each in found)
    text = f"The machine was in {count(len(found), 'state')}: {listed(told)}"
    return text + (f"; in {changed:.0%} it changed meanwhile" if changed > 0.004 else "")


def fact(data: Data) -> str:
    """The distance of the CPUs, for the list of facts; empty where it was not probed."""
    return ", ".join(
        f"{each.distance} ({each.words}, {each.part})" if len(states(data)) > 1 else each.distance
        for each in states(data)
    )
