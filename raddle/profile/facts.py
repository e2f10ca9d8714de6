# SPDX-License-Identifier: BSD-3-Clause
"""What a profile shows, before it is judged: pure functions of its records that findings and remedies share."""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from raddle.profile import bounds
from raddle.profile.functions import Kind, kind
from raddle.profile.hidden import Estimate, estimates
from raddle.profile.known import Known
from raddle.profile.model import Process, Thread
from raddle.profile.times import Ledger, Times
from raddle.profile.view import View, lifetime


@dataclass(frozen=True)
class Crowd:
    """The threads of one host and the CPUs for them, and how busy those were."""

    host: str
    threads: int  # alive at once, without those that sleep nearly always
    cpus: int
    preempted: int
    busy: float  # CPUs, on average


@dataclass(frozen=True)
class Facts:
    """A profile with what is known around it."""

    view: View
    known: Known = field(default_factory=Known)

    @cached_property
    def estimates(self) -> list[Estimate]:
        return estimates(self.view)

    @cached_property
    def ledger(self) -> Ledger:
        return Ledger(self.view, self.estimates)

    @cached_property
    def times(self) -> Times:
        """Of all threads together."""
        return self.ledger.everything()

    @cached_property
    def hidden(self) -> float:
        """Hidden locks that the estimates show, seconds of all threads."""
        return sum(each.seconds for each in self.estimates)

    @cached_property
    def lost(self) -> float:
        """The part of its time that the thread which loses most loses to locks, measured or shown by an estimate."""
        return max(map(self.lost_of, self.view.threads), default=0.0)

    def lost_of(self, thread: Thread) -> float:
        """The part of its time that a thread loses to locks."""
        times = self.ledger.thread(thread)
        return times.share("lock") + times.share("hidden")

    @cached_property
    def contended(self) -> float:
        """What the time can shrink by at most when no thread waits for another inside the MPI, seconds."""
        return bounds.bound(self.view, bounds.contended(self.view, self.estimates).__getitem__)

    def mean(self, seconds: float) -> float:
        """Seconds of all threads as seconds of the program's time: what a thread has of it on average."""
        return seconds / self.times.all * self.view.seconds if self.times.all else 0.0

    @cached_property
    def several(self) -> list[Process]:
        """Processes of which more than one thread calls the MPI."""
        return [each for each in self.view.processes if len(self.view.threads_of[each.process]) > 1]

    @cached_property
    def at_once(self) -> int:
        """The most threads of a process that were seen inside the MPI at once; 0 where nothing was looked at."""
        return max(
            (number for each in self.view.concurrency for number, value in enumerate(each.seconds) if value > 0),
            default=0,
        )

    @cached_property
    def crowds(self) -> list[Crowd]:
        """By host."""
        hosts: dict[str, list[Process]] = defaultdict(list)
        for process in self.view.processes:
            hosts[process.host].append(process)
        return [self._crowd(host, own) for host, own in hosts.items()]

    def crowded(self) -> list[Crowd]:
        """Hosts where more threads wanted to run than there are CPUs: these are busy, and threads were interrupted."""
        return [
            each
            for each in self.crowds
            if each.threads > each.cpus
            and each.busy >= _BUSY * each.cpus
            and each.preempted >= _PREEMPTED * self.view.seconds
        ]

    def spinning(self) -> list[Crowd]:
        """Hosts where more threads than there are CPUs want to run, and take CPU time while they are inside the MPI."""
        inside = sum(each.cpu_mpi for each in self.view.threads)
        return [each for each in self.crowds if each.threads > each.cpus and inside >= _SPENT * self.times.all]

    def is_set(self, settings: Mapping[str, str]) -> bool:
        """Whether all of these are, by the environment or by options of the launcher."""
        words = self.view.program.command
        given = {**dict(itertools.pairwise(words)), **dict(word.split("=", 1) for word in words if "=" in word)}
        return all(value in (self.known.settings.get(name), given.get(name)) for name, value in settings.items())

    def squeezed(self) -> list[Process]:
        """Processes bound to fewer CPUs than they have threads that want to run, and than their share of the host's."""
        return [
            each
            for each in self.several
            if each.cpus < min(self.threads_at_once(each.process), self._share(each.host))
            and each.ended > each.began
            and each.cpu >= _BUSY * each.cpus * (each.ended - each.began)
        ]

    def _share(self, host: str) -> int:
        """How many CPUs a process can have if all of the host have as many."""
        return self._host_cpus(host) // max(1, sum(each.host == host for each in self.view.processes))

    def threads_at_once(self, process: int) -> int:
        """How many of a process's threads lived at the same time at most, as far as they called the MPI."""
        return _most(self.view.threads_of.get(process, []))

    def off(self, process: int) -> float:
        """How long at most a thread of a process was off the CPU: all of the time where some could not be seen."""
        threads = self.view.threads_of.get(process, [])
        one = next(each for each in self.view.processes if each.process == process)
        seen = sum(each.cpu for each in threads)
        if one.cpu > _UNSEEN * seen + 0.1:
            return self.view.seconds
        return min(sum(max(lifetime(each) - each.cpu, 0.0) for each in threads), self.view.seconds)

    def shared(self) -> list[tuple[int, int]]:
        """Process and number of communicators on which several of its threads sent or received."""
        users: dict[tuple[int, int], set[int]] = defaultdict(set)
        for call in self.view.calls:
            if kind(call.function) is Kind.POINT and call.communicator >= 0:
                users[call.process, call.communicator].add(call.thread)
        return [place for place, threads in users.items() if len(threads) > 1]

    def _crowd(self, host: str, processes: Sequence[Process]) -> Crowd:
        threads = [thread for each in processes for thread in self.view.threads_of[each.process]]
        return Crowd(
            host=host,
            threads=_most([each for each in threads if self._runs(each)]),
            cpus=self._host_cpus(host),
            preempted=sum(each.preempted for each in threads),
            busy=sum(each.cpu for each in processes) / self.view.seconds if self.view.seconds else 0.0,
        )

    def _runs(self, thread: Thread) -> bool:
        """Whether a thread wants a CPU: not one that does nothing but wait for others to end, outside the MPI."""
        times = self.ledger.thread(thread)
        return times.idle < _ASLEEP * (times.all - times.setup)

    def _host_cpus(self, host: str) -> int:
        """Never fewer than there are: where only shares of processes are known, they are taken to be apart."""
        own = [each.cpus for each in self.view.processes if each.host == host]
        first = self.view.processes[0].host
        return self.known.cpus if self.known.cpus and host == first else sum(own)


_BUSY = 0.7  # of the CPUs, so that more threads want to run
_PREEMPTED = 5  # times a second on a host
_UNSEEN = 1.05
_SPENT = 0.02  # of the threads' time
_ASLEEP = 0.9  # of its time, on no CPU


def _most(threads: Sequence[Thread]) -> int:
    """How many live at once at most."""
    changes = sorted([*((each.began, 1) for each in threads), *((each.ended, -1) for each in threads)])
    now = most = 0
    for _, change in changes:
        now += change
        most = max(most, now)
    return most
