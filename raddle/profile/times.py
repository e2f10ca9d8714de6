# SPDX-License-Identifier: BSD-3-Clause
"""Where the time of threads went, no second of it twice.

Of a call, what was measured comes first: waits for locks, then waits for partners as far as there is room, then hidden
locks as far as there is room; what is left is communicating.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields

from raddle.profile.functions import Kind, kind
from raddle.profile.hidden import Estimate, left
from raddle.profile.model import Call, Thread
from raddle.profile.view import View, lifetime


@dataclass(frozen=True)
class Times:
    """Seconds. `lock` is measured, `partner` scaled up from the calls that were matched, `hidden` estimated."""

    computing: float = 0.0  # outside the MPI and on a CPU, whatever the thread did there
    idle: float = 0.0  # outside the MPI and on no CPU: asleep, waiting for another thread, or for a CPU
    setup: float = 0.0  # in MPI_Init, MPI_Finalize
    communicating: float = 0.0
    partner: float = 0.0
    lock: float = 0.0
    hidden: float = 0.0

    @property
    def mpi(self) -> float:
        """All inside the MPI."""
        return self.setup + self.communicating + self.partner + self.lock + self.hidden

    @property
    def all(self) -> float:
        return self.computing + self.idle + self.mpi

    def share(self, name: str) -> float:
        """One of the parts, as a part of all; 0 of nothing."""
        return float(getattr(self, name)) / self.all if self.all > 0 else 0.0

    def __add__(self, other: Times) -> Times:
        return Times(*(getattr(self, each.name) + getattr(other, each.name) for each in fields(Times)))


def total(times: Iterable[Times]) -> Times:
    """Of several."""
    return sum(times, Times())


class Ledger:
    """The times of all calls and threads of a profile."""

    def __init__(self, view: View, estimates: Sequence[Estimate]) -> None:
        self._view = view
        room: dict[tuple[int, str], float] = defaultdict(float)
        for call in view.calls:
            room[call.process, call.function] += left(view, call)
        # The part of what is left of a call that is a hidden lock.
        self._part = {
            (each.process, each.function): min(each.seconds / room[each.process, each.function], 1.0)
            for each in estimates
            if each.seconds > 0 and room[each.process, each.function] > 0
        }

    def call(self, call: Call) -> Times:
        """Of the calls of one record."""
        if kind(call.function) is Kind.SETUP:
            return Times(setup=call.seconds)
        rest = left(self._view, call)
        lock = min(call.lock, call.seconds)
        hidden = rest * self._part.get((call.process, call.function), 0.0)
        return Times(communicating=rest - hidden, partner=call.seconds - lock - rest, lock=lock, hidden=hidden)

    def thread(self, thread: Thread) -> Times:
        """Of one thread, between its first call and its end. Its own totals are exact; its calls divide them."""
        of_calls = total(map(self.call, self._view.calls_of.get((thread.process, thread.thread), ())))
        room = max(thread.mpi, 0.0)
        parts = {}
        for name, value in (
            ("lock", max(thread.lock, 0.0)),
            ("setup", of_calls.setup),
            ("partner", of_calls.partner),
            ("hidden", of_calls.hidden),
        ):
            parts[name] = min(value, room)
            room -= parts[name]
        outside = max(lifetime(thread) - thread.mpi, 0.0)
        computing = min(max(thread.cpu - thread.cpu_mpi, 0.0), outside)
        return Times(computing=computing, idle=outside - computing, communicating=room, **parts)

    def process(self, process: int) -> Times:
        """Of all threads of a process."""
        return total(map(self.thread, self._view.threads_of.get(process, ())))

    def everything(self) -> Times:
        """Of all threads."""
        return total(map(self.thread, self._view.threads))

    def communicators(self) -> dict[str, Times]:
        """By communicator, as all its processes know it; computing and idle are of none."""
        found: dict[str, Times] = defaultdict(Times)
        for call in self._view.calls:
            found[self._view.key(call.process, call.communicator)] += self.call(call)
        return dict(found)
