# SPDX-License-Identifier: BSD-3-Clause
"""What a profile comes to, as data: `summary.json`, `--json`, and what tables and pages show."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict
from pathlib import Path

import msgspec

from raddle.files import write_whole
from raddle.profile.facts import Facts
from raddle.profile.functions import carries, plain
from raddle.profile.judge import verdict
from raddle.profile.model import Call
from raddle.profile.offers import offers
from raddle.profile.times import Times, total

FILE = "summary.json"
SCHEMA = 1


class Shares(msgspec.Struct, frozen=True, kw_only=True):
    """Seconds of threads; the parts add up to `all`. `hidden` is an estimate, `partner` scaled up from a part."""

    all: float
    computing: float
    idle: float
    setup: float
    communicating: float
    partner: float
    lock: float
    hidden: float


class Said(msgspec.Struct, frozen=True, kw_only=True):
    """A sentence of the verdict."""

    name: str
    text: str


class Offered(msgspec.Struct, frozen=True, kw_only=True):
    """A remedy: seconds of the program's time, seen on average over threads, and at most."""

    name: str
    label: str
    do: str
    page: str
    seen: float
    most: float
    bounded: str  # by what


class Overhead(msgspec.Struct, frozen=True, kw_only=True):
    """What profiling itself took, by the cost of a call that each process measured at its start."""

    calls: int
    call_cost: float  # mean, seconds
    seconds: float  # of all threads
    share: float  # of their time


class Of(msgspec.Struct, frozen=True, kw_only=True):
    """The time of a process, thread, communicator or function."""

    name: str
    process: int  # -1: of several
    thread: int
    calls: int
    lock_waits: int
    bytes: int
    cpu: float
    cpu_mpi: float
    preempted: int
    moved: int
    times: Shares


class HiddenLocks(msgspec.Struct, frozen=True, kw_only=True):
    """The estimate for one function of a process, in seconds of its threads."""

    process: int
    function: str
    seconds: float
    interval: tuple[float, float]
    calls: int


class Summary(msgspec.Struct, frozen=True, kw_only=True):
    """All of it (docs/use/profile.md)."""

    schema: int = SCHEMA
    command: list[str]
    mpi: str
    began: str
    status: int
    ended: str
    seconds: float  # from the first MPI_Init to the end
    overhead: Overhead
    verdict: list[Said]
    remedies: list[Offered]
    times: Shares
    burnt: float  # CPU time inside the MPI while waiting, at most (sampled)
    lost: float  # part of its time that one thread loses to locks, of the one that loses most
    contended: float  # what no contention inside the MPI would take off at most
    at_once: int  # threads of a process that were seen inside the MPI at once
    processes: list[Of]
    threads: list[Of]
    communicators: list[Of]
    functions: list[Of]
    hidden: list[HiddenLocks]
    sizes: list[int]  # calls that carry data by bytes, as in Call.sizes


def summarise(facts: Facts) -> Summary:
    """Of a profile."""
    view, ledger = facts.view, facts.ledger
    program = view.program
    return Summary(
        command=program.command,
        mpi=facts.known.title or program.mpi.split("\n")[0],
        began=program.began,
        status=program.status,
        ended=program.ended,
        seconds=view.seconds,
        overhead=_overhead(facts),
        verdict=[Said(name=str(each.finding), text=each.text) for each in verdict(facts)],
        remedies=[
            Offered(
                name=str(each.remedy),
                label=each.remedy.label,
                do=each.do,
                page=each.remedy.page,
                seen=each.seen,
                most=each.most,
                bounded=each.remedy.bounded,
            )
            for each in offers(facts)
        ],
        times=_shares(facts.times),
        burnt=_burnt(facts),
        lost=facts.lost,
        contended=facts.contended,
        at_once=facts.at_once,
        processes=[
            _of(facts, f"process {each.process}", each.process, -1, ledger.process(each.process))
            for each in view.processes
        ],
        threads=[
            _of(facts, _name(each.name, each.rank), each.process, each.thread, ledger.thread(each))
            for each in view.threads
        ],
        communicators=_grouped(facts, lambda call: view.key(call.process, call.communicator), _communicator(facts)),
        functions=_grouped(facts, lambda call: plain(call.function), {}),
        hidden=[
            HiddenLocks(
                process=each.process,
                function=each.function,
                seconds=each.seconds,
                interval=(each.low, each.high),
                calls=each.calls,
            )
            for each in facts.estimates
            if each.calls
        ],
        sizes=added(call.sizes for call in view.calls if carries(call.function)),
    )


def document(summary: Summary) -> str:
    """As JSON."""
    return msgspec.json.format(msgspec.json.encode(summary), indent=1).decode()


def save(summary: Summary, directory: Path) -> None:
    """Write it beside the records. Raises UserError."""
    write_whole(directory / FILE, document(summary).encode() + b"\n")


def added(several: Iterable[Sequence[int]]) -> list[int]:
    """Lists of numbers, place by place; the longest decides the length."""
    sums: list[int] = []
    for each in several:
        sums += [0] * (len(each) - len(sums))
        for place, value in enumerate(each):
            sums[place] += value
    return sums


def _overhead(facts: Facts) -> Overhead:
    costs = {each.process: each.call_cost for each in facts.view.processes}
    calls = sum(each.calls for each in facts.view.threads)
    took = sum(each.calls * costs.get(each.process, 0.0) for each in facts.view.threads)
    whole = facts.view.lifetime
    return Overhead(
        calls=calls, call_cost=took / calls if calls else 0.0, seconds=took, share=took / whole if whole else 0.0
    )


def _burnt(facts: Facts) -> float:
    made = ((each.cpu_mpi, facts.ledger.thread(each)) for each in facts.view.threads)
    return sum(min(cpu, times.partner + times.lock + times.hidden) for cpu, times in made)


def _shares(times: Times) -> Shares:
    return Shares(all=times.all, **asdict(times))


def _name(name: str, rank: int) -> str:
    return f"{name} (rank {rank})" if rank >= 0 else name


def _of(facts: Facts, name: str, process: int, thread: int, times: Times) -> Of:
    """Of a process, or of one of its threads."""
    own = [each for each in facts.view.threads_of[process] if thread in (-1, each.thread)]
    calls = [call for each in own for call in facts.view.calls_of.get((process, each.thread), ())]
    return Of(
        name=name,
        process=process,
        thread=thread,
        calls=sum(each.calls for each in own),
        lock_waits=sum(call.lock_waits for call in calls),
        bytes=sum(call.bytes for call in calls),
        cpu=sum(each.cpu for each in own),
        cpu_mpi=sum(each.cpu_mpi for each in own),
        preempted=sum(each.preempted for each in own),
        moved=sum(each.moved for each in own),
        times=_shares(times),
    )


def _grouped(facts: Facts, group: Callable[[Call], str], names: dict[str, str]) -> list[Of]:
    """Calls by communicator or function, the longest first."""
    groups: dict[str, list[Call]] = defaultdict(list)
    for call in facts.view.calls:
        groups[group(call)].append(call)
    made = [
        Of(
            name=names.get(name, name),
            process=-1,
            thread=-1,
            calls=sum(call.calls for call in calls),
            lock_waits=sum(call.lock_waits for call in calls),
            bytes=sum(call.bytes for call in calls),
            cpu=0.0,
            cpu_mpi=0.0,
            preempted=0,
            moved=0,
            times=_shares(total(map(facts.ledger.call, calls))),
        )
        for name, calls in groups.items()
    ]
    return sorted(made, key=lambda each: -each.times.all)


def _communicator(facts: Facts) -> dict[str, str]:
    """Names by key."""
    names: dict[str, str] = {}
    for call in facts.view.calls:
        key = facts.view.key(call.process, call.communicator)
        names.setdefault(key, facts.view.name(call.process, call.communicator))
    return names
