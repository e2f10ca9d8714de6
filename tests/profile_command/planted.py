# SPDX-License-Identifier: BSD-3-Clause
"""Profiles of programs that never ran: what is in them is known, since it was put there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from raddle.mpi.family import family
from raddle.profile.facts import Facts
from raddle.profile.known import Known
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
from raddle.profile.summary import Summary, summarise
from raddle.profile.view import View

BINS = 100


@dataclass
class Plant:
    """A job of `processes` with `threads` each that runs for `seconds`, so far without a call. Add what is wanted."""

    processes: int = 2
    threads: int = 2
    seconds: float = 10.0
    cpus: int = 8
    requested: str = "multiple"
    provided: str = "multiple"
    program: dict[str, Any] = field(default_factory=dict)
    process: dict[str, Any] = field(default_factory=dict)
    thread: dict[str, Any] = field(default_factory=dict)
    more: list[Record] = field(default_factory=list)

    def call(
        self, function: str, seconds: float, *, calls: int = 1000, lock: float = 0.0, communicator: int = 0,
        processes: Sequence[int] | None = None, threads: Sequence[int] | None = None, size: int = 4,
    ) -> Plant:  # fmt: skip
        """The same calls by each of these threads."""
        sizes = [0] * size + [calls]
        self.more += [
            Call(
                process=process, thread=thread, communicator=communicator, function=function, calls=calls,
                seconds=seconds, longest=seconds / calls * 3, lock=lock, lock_waits=calls // 10 if lock else 0,
                bytes=calls << size >> 1, sizes=sizes,
            )
            for process in (range(self.processes) if processes is None else processes)
            for thread in (range(self.threads) if threads is None else threads)
        ]  # fmt: skip
        return self

    def wait(
        self, seconds: float, late: int, *, kind: str = "late-sender", function: str = "MPI_Recv", process: int = 0,
        thread: int = 0, calls: int = 1000, matched: int = 500,
    ) -> Plant:  # fmt: skip
        self.more.append(
            PartnerWait(
                process=process, thread=thread, communicator=0, function=function, kind=kind, partner_process=late,
                partner_thread=0, matched=matched, calls=calls, seconds=seconds,
            )
        )  # fmt: skip
        return self

    def inside(self, *seconds: float, process: int = 0, looks: int = 10000) -> Plant:
        """How long 0, 1, 2 ... threads were inside."""
        mean = sum(number * value for number, value in enumerate(seconds)) / max(sum(seconds), 1e-9)
        width = self.seconds / BINS
        self.more.append(
            Concurrency(process=process, looks=looks, seconds=list(seconds), bin=width, bins=[mean] * BINS)
        )
        return self

    def slowdown(
        self, function: str, means: Sequence[float], *, calls: int = 1000, spread: float = 0.2, process: int = 0,
        size: int = 4,
    ) -> Plant:  # fmt: skip
        """Calls that last so long on average beside 0, 1, 2 ... others, with that relative standard deviation."""
        self.more += [
            Slowdown(
                process=process, function=function, size=size, inside=inside, calls=calls, seconds=calls * mean,
                squares=calls * mean * mean * (1 + spread * spread), least=mean / 2,
            )
            for inside, mean in enumerate(means)
        ]  # fmt: skip
        return self

    def sent(self, messages: int, length: int, peer: int, *, process: int = 0, thread: int = 0) -> Plant:
        self.more.append(
            Peer(
                process=process, thread=thread, communicator=0, peer=peer, sent=messages,
                sent_bytes=messages * length, received=0, received_bytes=0,
            )
        )  # fmt: skip
        return self

    def held(self, waiter: int, holder: int, seconds: float, *, process: int = 0) -> Plant:
        self.more.append(
            LockWait(process=process, thread=waiter, holder=holder, kind="mutex", waits=100, seconds=seconds)
        )
        return self

    def records(self) -> list[Record]:
        """With processes, threads and communicators that fit the calls."""
        calls = [each for each in self.more if isinstance(each, Call)]
        found: list[Record] = [
            Program(
                **{
                    "command": ["mpiexec", "-n", str(self.processes), "./program"], "mpi": "MPICH Version: 5.0.2",
                    "raddle": "0.1.0", "began": "2026-11-26T12:00:00+00:00", "status": 0, "ended": "finalized",
                    "seconds": self.seconds + 0.5, **self.program,
                }
            )
        ]  # fmt: skip
        for process in range(self.processes):
            found.append(self._process(process))
            found.append(Communicator(process=process, communicator=0, name="", size=self.processes, key="world"))
            found += [self._thread(process, thread, calls) for thread in range(self.threads)]
        return found + self.more

    def facts(self, mpi: str | None = "mpich", cpus: int | None = 8) -> Facts:
        return Facts(View.of(self.records()), Known(family(mpi) if mpi else None, cpus))

    def summary(self, mpi: str | None = "mpich", cpus: int | None = 8) -> Summary:
        return summarise(self.facts(mpi, cpus))

    def _process(self, process: int) -> Process:
        return Process(
            **{
                "process": process, "size": self.processes, "host": "node", "pid": 100 + process,
                "requested": self.requested, "provided": self.provided, "began": 0.0, "ended": self.seconds,
                "how": "finalized", "cpus": self.cpus, "cpu": self.seconds * self.threads, "call_cost": 5e-8,
                **self.process,
            }
        )  # fmt: skip

    def _thread(self, process: int, thread: int, calls: Sequence[Call]) -> Thread:
        own = [call for call in calls if (call.process, call.thread) == (process, thread)]
        mpi, lock = sum(call.seconds for call in own), sum(call.lock for call in own)
        return Thread(
            **{
                "process": process, "thread": thread, "tid": 1000 + 10 * process + thread, "name": f"worker {thread}",
                "began": 0.0, "ended": self.seconds, "calls": sum(call.calls for call in own), "mpi": mpi, "lock": lock,
                "cpu": self.seconds, "cpu_mpi": mpi, "preempted": 3, "moved": 1, "bin": self.seconds / BINS,
                "bins_mpi": [mpi / BINS] * BINS, "bins_lock": [lock / BINS] * BINS, **self.thread,
            }
        )  # fmt: skip
