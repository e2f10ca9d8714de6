# SPDX-License-Identifier: BSD-3-Clause
"""The records of a profile by kind, and the few figures that everything else begins with."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

from raddle.errors import UserError
from raddle.profile.model import (
    Call,
    Communicator,
    Concurrency,
    LockWait,
    PartnerWait,
    Peer,
    Process,
    Program,
    Record,
    Slowdown,
    Thread,
)

Kind = TypeVar("Kind", bound=Record)


@dataclass(frozen=True, eq=False)
class View:
    """A profile; each list is of one kind of record."""

    program: Program
    processes: Sequence[Process]
    threads: Sequence[Thread]
    communicators: Sequence[Communicator]
    calls: Sequence[Call]
    peers: Sequence[Peer]
    concurrency: Sequence[Concurrency]
    slowdowns: Sequence[Slowdown]
    locks: Sequence[LockWait]
    waits: Sequence[PartnerWait]

    @classmethod
    def of(cls, records: Iterable[Record]) -> View:
        """Sorts records by kind. Raises UserError where there is no Program, or no process."""
        known = list(records)
        programs = _only(known, Program)
        view_of = cls(
            programs[0] if programs else _none(),
            sorted(_only(known, Process), key=lambda each: each.process),
            sorted(_only(known, Thread), key=lambda each: (each.process, each.thread)),
            _only(known, Communicator),
            _only(known, Call),
            _only(known, Peer),
            _only(known, Concurrency),
            _only(known, Slowdown),
            _only(known, LockWait),
            _only(known, PartnerWait),
        )
        if not view_of.processes:
            raise UserError(
                "The profile has no process: none of the command's has called MPI_Init.",
                hint="Profile a program that uses MPI; docs/use/profile.md says what cannot be seen.",
            )
        return view_of

    @cached_property
    def kept(self) -> dict[tuple[str, int], float]:
        """What was computed of it before, by those who ask again and again (`raddle.profile.bounds`)."""
        return {}

    @cached_property
    def began(self) -> float:
        """When the first process began, seconds of the profile's clock."""
        return min(each.began for each in self.processes)

    @cached_property
    def seconds(self) -> float:
        """From the first process's beginning to the last one's end: what shares and bounds are of."""
        return max(max(each.ended for each in self.processes) - self.began, 0.0)

    @cached_property
    def threads_of(self) -> dict[int, list[Thread]]:
        """By process."""
        found: dict[int, list[Thread]] = {each.process: [] for each in self.processes}
        for thread in self.threads:
            found.setdefault(thread.process, []).append(thread)
        return found

    @cached_property
    def calls_of(self) -> dict[tuple[int, int], list[Call]]:
        """By process and thread."""
        found: dict[tuple[int, int], list[Call]] = defaultdict(list)
        for call in self.calls:
            found[call.process, call.thread].append(call)
        return dict(found)

    @cached_property
    def waits_of(self) -> dict[tuple[int, int, int, str], list[PartnerWait]]:
        """Waits for partners by process, thread, communicator and function of the calls that they are in.

        A call that completes operations of any communicator stands for itself, and its waits for their communicators.
        """
        longest: dict[tuple[int, int, str], Call] = {}
        for call in self.calls:
            known = longest.get(place := (call.process, call.thread, call.function))
            if known is None or call.seconds > known.seconds:
                longest[place] = call
        exact = {(call.process, call.thread, call.communicator, call.function) for call in self.calls}
        found: dict[tuple[int, int, int, str], list[PartnerWait]] = defaultdict(list)
        for wait in self.waits:
            communicator = wait.communicator
            if (wait.process, wait.thread, communicator, wait.function) not in exact:
                other = longest.get((wait.process, wait.thread, wait.function))
                communicator = other.communicator if other else communicator
            found[wait.process, wait.thread, communicator, wait.function].append(wait)
        return dict(found)

    @cached_property
    def partner_of(self) -> dict[tuple[int, int, int, str], float]:
        """Seconds of waiting for partners, by process, thread, communicator and function."""
        return {place: sum(each.seconds for each in own) for place, own in self.waits_of.items()}

    @cached_property
    def concurrency_of(self) -> dict[int, Concurrency]:
        """By process."""
        return {each.process: each for each in self.concurrency}

    @cached_property
    def names(self) -> dict[tuple[int, int], Communicator]:
        """Communicators by process and number."""
        return {(each.process, each.communicator): each for each in self.communicators}

    def key(self, process: int, communicator: int) -> str:
        """What a communicator is known by in all of its processes."""
        known = self.names.get((process, communicator))
        return known.key if known else f"{process}:{communicator}" if communicator >= 0 else "none"

    def name(self, process: int, communicator: int) -> str:
        """What a communicator is called."""
        known = self.names.get((process, communicator))
        if known and known.name:
            return known.name
        fixed = {-1: "no communicator", 0: "MPI_COMM_WORLD", 1: "MPI_COMM_SELF"}
        return fixed.get(communicator, f"communicator {communicator}")

    @property
    def lifetime(self) -> float:
        """Of all threads together, seconds."""
        return sum(lifetime(each) for each in self.threads)


def lifetime(thread: Thread) -> float:
    """From its first call to its end, seconds."""
    return max(thread.ended - thread.began, thread.mpi, 0.0)


def _only(records: Sequence[Record], kind: type[Kind]) -> list[Kind]:
    return [each for each in records if isinstance(each, kind)]


def _none() -> Program:
    raise UserError("The profile says nothing of its command.", hint="Its first line should be the record 'program'.")
