# SPDX-License-Identifier: BSD-3-Clause
"""Programs of threads, played step by step: the same one with the lock of its MPI and without, and a profile of it.

Each process has one lock, which every call needs for its length. Threads compute, call, wait for messages of the same
thread of another process, and for each other at barriers that the MPI does not see.
"""

from __future__ import annotations

import heapq
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

from raddle.profile.facts import Facts
from raddle.profile.model import Call, Concurrency, LockWait, PartnerWait, Process, Program, Record, Thread
from raddle.profile.view import View

BINS = 64
LATENCY = 0.01


@dataclass(frozen=True)
class Step:
    """`compute` seconds, then perhaps a send that takes `call`, a receive from process `source`, a barrier."""

    compute: float
    call: float = 0.0
    source: int | None = None
    barrier: bool = False


@dataclass
class Played:
    """When it ended, and intervals by (process, thread): inside the MPI, waiting for the lock, for a partner."""

    ended: float = 0.0
    inside: dict[tuple[int, int], list[tuple[float, float]]] = field(default_factory=lambda: defaultdict(list))
    locked: dict[tuple[int, int], list[tuple[float, float]]] = field(default_factory=lambda: defaultdict(list))
    late: dict[tuple[int, int], list[tuple[float, float]]] = field(default_factory=lambda: defaultdict(list))
    lives: dict[int, float] = field(default_factory=lambda: defaultdict(float))  # end of each process


def play(programs: Sequence[Sequence[Sequence[Step]]], *, locks: bool) -> Played:
    """`programs[process][thread]` is a list of steps; sends go to whoever receives the step of the same number."""
    played = Played()
    free: dict[int, float] = defaultdict(float)
    sent: dict[tuple[int, int, int], float] = {}
    arrived: dict[tuple[int, int], list[tuple[int, float]]] = defaultdict(list)
    blocked: dict[tuple[int, int, int], list[tuple[int, int, int, float]]] = defaultdict(list)
    ready = [(0.0, process, thread, 0, "compute") for process, own in enumerate(programs) for thread in range(len(own))]
    heapq.heapify(ready)
    while ready:
        now, process, thread, number, phase = heapq.heappop(ready)
        played.ended = max(played.ended, now)
        played.lives[process] = max(played.lives[process], now)
        if number == len(programs[process][thread]):
            continue
        step, who = programs[process][thread][number], (process, thread)
        if phase == "compute":
            heapq.heappush(ready, (now + step.compute, process, thread, number, "call"))
        elif phase == "call":
            begin = max(now, free[process]) if locks and step.call else now
            if step.call:
                free[process] = begin + step.call
                played.locked[who].append((now, begin))
                played.inside[who].append((now, begin + step.call))
            done = begin + step.call
            sent[process, thread, number] = done
            for other, one, place, since in blocked.pop((process, thread, number), []):
                until = max(since, done + LATENCY)
                played.inside[other, one].append((since, until))
                played.late[other, one].append((since, max(since, done)))
                heapq.heappush(ready, (until, other, one, place, "barrier"))
            heapq.heappush(ready, (done, process, thread, number, "receive"))
        elif phase == "receive":
            if step.source is None:
                heapq.heappush(ready, (now, process, thread, number, "barrier"))
            elif (key := (step.source, thread, number)) in sent:
                until = max(now, sent[key] + LATENCY)
                played.inside[who].append((now, until))
                played.late[who].append((now, min(max(now, sent[key]), until)))
                heapq.heappush(ready, (until, process, thread, number, "barrier"))
            else:
                blocked[key].append((process, thread, number, now))
        elif not step.barrier:
            heapq.heappush(ready, (now, process, thread, number + 1, "compute"))
        else:
            arrived[process, number].append((thread, now))
            if len(arrived[process, number]) == len(programs[process]):
                for one, _ in arrived[process, number]:
                    heapq.heappush(ready, (now, process, one, number + 1, "compute"))
    return played


def profiled(programs: Sequence[Sequence[Sequence[Step]]], played: Played, *, matched: bool) -> Facts:
    """What a profile of it holds."""
    records: list[Record] = [
        Program(command=["x"], mpi="", raddle="", began="", status=0, ended="finalized", seconds=played.ended)
    ]
    for process, own in enumerate(programs):
        records.append(
            Process(
                process=process, size=len(programs), host="node", pid=1, requested="multiple", provided="multiple",
                began=0.0, ended=played.lives[process], how="finalized", cpus=64, cpu=0.0, call_cost=0.0,
            )
        )  # fmt: skip
        records.append(_concurrency(process, [played.inside[process, thread] for thread in range(len(own))], played))
        for thread in range(len(own)):
            records += _thread(process, thread, own[thread], played, matched=matched)
    return Facts(View.of(records))


def _thread(process: int, thread: int, steps: Sequence[Step], played: Played, *, matched: bool) -> list[Record]:
    who = process, thread
    inside, locked, late = (sum(b - a for a, b in found[who]) for found in (played.inside, played.locked, played.late))
    called = sum(step.call for step in steps) + locked
    receives = sum(step.source is not None for step in steps)
    common: dict[str, int] = {"process": process, "thread": thread}
    bins = [binned(found[who], played.ended) for found in (played.inside, played.locked)]
    records: list[Record] = [
        Thread(
            **common, tid=1, name="", began=0.0, ended=played.ended, calls=len(steps), mpi=inside, lock=locked, cpu=0.0,
            cpu_mpi=0.0, preempted=0, moved=0, bin=played.ended / BINS, bins_mpi=bins[0], bins_lock=bins[1],
        ),
        Call(
            **common, communicator=0, function="MPI_Isend", calls=len(steps), seconds=called, longest=called,
            lock=locked, lock_waits=1, bytes=0, sizes=[len(steps)],
        ),
        Call(
            **common, communicator=0, function="MPI_Recv", calls=receives, seconds=inside - called, longest=0.0,
            lock=0.0, lock_waits=0, bytes=0, sizes=[receives],
        ),
        LockWait(**common, holder=0, kind="mutex", waits=1, seconds=locked),
    ]  # fmt: skip
    if matched and receives:
        records.append(
            PartnerWait(
                **common, communicator=0, function="MPI_Recv", kind="late-sender", partner_process=-1, partner_thread=0,
                matched=receives, calls=receives, seconds=late,
            )
        )  # fmt: skip
    return records


def _concurrency(process: int, threads: Sequence[Sequence[tuple[float, float]]], played: Played) -> Concurrency:
    changes = sorted([*((a, 1) for own in threads for a, _ in own), *((b, -1) for own in threads for _, b in own)])
    seconds, now, last = [0.0] * (len(threads) + 1), 0, 0.0
    for at, change in changes:
        seconds[now] += at - last
        now, last = now + change, at
    seconds[0] += played.ended - last
    return Concurrency(process=process, looks=10**9, seconds=seconds, bin=played.ended, bins=[0.0])


def binned(intervals: Sequence[tuple[float, float]], ended: float) -> list[float]:
    """Seconds of them in each bin."""
    width, sums = ended / BINS, [0.0] * BINS
    for begin, end in intervals:
        place = min(int(begin / width), BINS - 1)
        while place < BINS and place * width < end:
            sums[place] += max(min(end, (place + 1) * width) - max(begin, place * width), 0.0)
            place += 1
    return sums
