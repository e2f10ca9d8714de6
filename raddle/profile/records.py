# SPDX-License-Identifier: BSD-3-Clause
"""The records of one process, of what it has written; those that need several processes are in `partners`."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from raddle.profile import layout
from raddle.profile.model import Call, Communicator, Concurrency, LockWait, Peer, Process, Record, Slowdown, Thread
from raddle.profile.recorded import Fields, Recorded, of_row, text


def records_of(one: Recorded) -> Iterator[Record]:
    """In the order of the model."""
    yield _process(one)
    for thread in range(len(one.threads)):
        yield _thread(one, thread)
    yield from _communicators(one)
    for thread in range(len(one.threads)):
        yield from calls_of(one, thread)
        yield from _peers(one, thread)
    yield _concurrency(one)
    yield from _slowdowns(one)
    for thread in range(len(one.threads)):
        yield from _locks(one, thread)


def _process(one: Recorded) -> Process:
    head = one.head
    return Process(
        process=one.rank,
        size=int(head["size"]),
        host=text(head["host"]),
        pid=int(head["pid"]),
        requested=layout.LEVELS[int(head["requested"]) % 4],
        provided=layout.LEVELS[int(head["provided"]) % 4],
        began=one.at(head["first_ticks"]),
        ended=one.at(head["last_ticks"]),
        how=layout.HOW.get(int(head["state"]), "running"),
        cpus=int(head["cpus"]),
        cpu=int(head["cpu"]) * 1e-9,
        engine=text(head["engine"]),
        call_cost=float(head["call_cost"]) * 1e-9,
        lost=one.lost,
    )


def _thread(one: Recorded, number: int) -> Thread:
    area = one.threads[number]
    calls = list(calls_of(one, number))
    unfinished = one.inside(number)
    bins = _Bins.of(one, area["timeline"])
    if unfinished:
        bins.add(0, unfinished[2], int(one.head["last_ticks"]))
    width, lines = bins.seconds(one)
    ended = int(one.head["last_ticks"]) if unfinished else max(int(area["ended"]), int(area["began"]))
    mpi = sum(call.seconds for call in calls)
    cpu = max(int(area["cpu_ended"]) - int(area["cpu_began"]), 0) * 1e-9 if area["cpu_ended"] else 0.0
    cpu = min(cpu, one.seconds(max(ended - int(area["began"]), 0)))  # it is asked for a little later
    return Thread(
        process=one.rank,
        thread=number,
        tid=int(area["tid"]),
        name=text(area["name"]),
        rank=int(area["rank"]) - 1,
        began=one.at(area["began"]),
        ended=one.at(ended),
        calls=sum(call.calls for call in calls),
        mpi=mpi,
        lock=sum(call.lock for call in calls),
        cpu=cpu,
        cpu_mpi=min(_cpu_inside(one, area), cpu, mpi),
        preempted=max(int(area["preempted"]) - int(area["preempted_began"]), 0) if area["preempted"] else 0,
        moved=int(area["moved"]),
        bin=width,
        bins_mpi=lines[0],
        bins_lock=lines[1],
    )


def _cpu_inside(one: Recorded, area: Fields) -> float:
    """What calls took of the CPU: of each class of durations the share that the sampled ones had."""
    every, taken, used = (area[name].astype(float) for name in ("all_ticks", "sampled_ticks", "sampled_cpu"))
    wall = taken * one.nanoseconds_a_tick
    share = np.divide(used, wall, out=np.full_like(used, -1.0), where=wall > 0)
    overall = used.sum() / wall.sum() if wall.sum() > 0 else 0.0
    share = np.clip(np.where(share < 0, overall, share), 0.0, 1.0)
    return one.seconds(float((every * share).sum()))


@dataclass
class _Bins:
    """A timeline as it was left."""

    origin: int
    shift: int
    lines: list[list[float]]

    @classmethod
    def of(cls, one: Recorded, timeline: Fields) -> _Bins:
        origin = int(timeline["origin"]) or int(one.head["first_ticks"])
        lines = [[float(value) for value in line] for line in timeline["bin"]]
        return cls(origin, min(int(timeline["shift"]) or 20, 60), lines)

    def add(self, line: int, begin: int, end: int) -> None:
        while (end - self.origin) >> self.shift >= layout.BINS:
            half = layout.BINS // 2
            self.lines = [[a + b for a, b in zip(x[::2], x[1::2], strict=True)] + [0.0] * half for x in self.lines]
            self.shift += 1
        begin = max(begin, self.origin)
        while begin < end:
            at = (begin - self.origin) >> self.shift
            stop = min(end, self.origin + ((at + 1) << self.shift))
            self.lines[line][at] += stop - begin
            begin = stop

    def seconds(self, one: Recorded) -> tuple[float, list[list[float]]]:
        """The width of a bin, and all up to the end of the process."""
        past = max(int(one.head["last_ticks"]) - self.origin, 0)
        used = min((past >> self.shift) + 1, layout.BINS)
        used = max([used, *(at + 1 for line in self.lines for at, value in enumerate(line) if value)])
        return one.seconds(1 << self.shift), [[one.seconds(value) for value in line[:used]] for line in self.lines]


def _communicators(one: Recorded) -> Iterator[Communicator]:
    for number, area in enumerate(one.communicators):
        yield Communicator(
            process=one.rank,
            communicator=number,
            name=text(area["name"]),
            size=int(area["size"]),
            key=f"{int(area['key']):016x}",
        )


def calls_of(one: Recorded, thread: int) -> Iterator[Call]:
    """With one that never ended, as long as it was seen."""
    unfinished = one.inside(thread)
    for row in one.rows(thread):
        function, communicator = of_row(row)
        calls, ticks, longest = int(row["calls"]), int(row["ticks"]), int(row["longest"])
        if unfinished and unfinished[:2] == (function, communicator):
            took = int(one.head["last_ticks"]) - unfinished[2]
            calls, ticks, longest = calls + 1, ticks + took, max(longest, took)
        if calls == 0:
            continue
        yield Call(
            process=one.rank,
            thread=thread,
            communicator=communicator,
            function=one.names[function],
            calls=calls,
            seconds=one.seconds(ticks),
            longest=one.seconds(longest),
            lock=one.seconds(int(row["lock_ticks"])),
            lock_waits=int(row["lock_waits"]),
            bytes=int(row["bytes"]),
            sizes=_ending([int(count) for count in row["sizes"]]),
        )


def _ending(sizes: list[int]) -> list[int]:
    """Without the zeros at the end."""
    while sizes and sizes[-1] == 0:
        sizes.pop()
    return sizes


def _peers(one: Recorded, thread: int) -> Iterator[Peer]:
    sums: dict[tuple[int, int], list[int]] = defaultdict(lambda: [0, 0, 0, 0])
    entries = one.threads[thread]["streams"]["entry"]
    for stream in entries[entries["messages"] > 0]:
        into = sums[int(stream["communicator"]), int(stream["peer"])]
        first = 2 if stream["receives"] else 0
        into[first] += int(stream["messages"])
        into[first + 1] += int(stream["bytes"])
    for (communicator, peer), (sent, sent_bytes, received, received_bytes) in sorted(sums.items()):
        yield Peer(
            process=one.rank,
            thread=thread,
            communicator=communicator,
            peer=peer,
            sent=sent,
            sent_bytes=sent_bytes,
            received=received,
            received_bytes=received_bytes,
        )


def _concurrency(one: Recorded) -> Concurrency:
    bins = _Bins.of(one, one.head["concurrency"])
    width, (looked, inside) = bins.seconds(one)
    return Concurrency(
        process=one.rank,
        looks=int(one.head["looks"]),
        seconds=[one.seconds(ticks) for ticks in _ending([int(ticks) for ticks in one.head["with"]])],
        bin=width,
        bins=[number / time if time > 0 else 0.0 for time, number in zip(looked, inside, strict=True)],
    )


def _slowdowns(one: Recorded) -> Iterator[Slowdown]:
    sums: dict[tuple[int, int, int], list[float]] = {}
    for area in one.threads:
        entries = area["beside"]["entry"]
        for beside in entries[entries["calls"] > 0]:
            key = int(beside["function"]), int(beside["size"]), int(beside["inside"])
            into = sums.setdefault(key, [0, 0.0, 0.0, float("inf")])
            into[0] += int(beside["calls"])
            into[1] += int(beside["ticks"])
            into[2] += float(beside["squares"])
            into[3] = min(into[3], int(beside["least"]))
    for (function, size, inside), (calls, ticks, squares, least) in sorted(sums.items()):
        yield Slowdown(
            process=one.rank,
            function=one.names[function],
            size=size,
            inside=inside,
            calls=int(calls),
            seconds=one.seconds(ticks),
            squares=squares * one.seconds(1) ** 2,
            least=one.seconds(least),
        )


def _locks(one: Recorded, thread: int) -> Iterator[LockWait]:
    for holder, kind in np.argwhere(one.threads[thread]["locks"]["waits"] > 0):
        waits = one.threads[thread]["locks"][holder, kind]
        yield LockWait(
            process=one.rank,
            thread=thread,
            holder=int(holder) - 1,
            kind=layout.LOCK_KINDS[kind],
            waits=int(waits["waits"]),
            seconds=one.seconds(int(waits["ticks"])),
        )
