# SPDX-License-Identifier: BSD-3-Clause
"""Who waited for whom, where both sides have written down when they called: late senders, late receivers, imbalance.

A message is the same on both sides by its communicator, its two ranks, its tag and its number among those; a collective
call by its communicator and its number. Clocks are compared within a node only. Of long runs each process has kept
every n-th, so sums are scaled to all calls of their kind.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from raddle.profile.gatherings import Member, waits_of
from raddle.profile.messages import Passing, passings
from raddle.profile.model import PartnerWait
from raddle.profile.recorded import Recorded, of_row

_LATE_SENDER, _LATE_RECEIVER, _IMBALANCE = "late-sender", "late-receiver", "imbalance"


@dataclass(frozen=True)
class _Call:
    """A call that may have waited; of several messages that it waited for the one that came last counts."""

    process: int  # place among those given
    thread: int
    communicator: int
    function: str
    began: float
    ended: float


@dataclass
class _Wait:
    seconds: float = 0.0
    kind: str = ""
    process: int = -1  # who came late
    thread: int = -1


def partner_waits(processes: Sequence[Recorded]) -> list[PartnerWait]:
    """The waits, summed by thread, function and who came late."""
    nodes: dict[str, list[Recorded]] = defaultdict(list)
    for one in processes:
        nodes[one.node].append(one)
    return [wait for node in nodes.values() for wait in _of_node(node)]


def _of_node(processes: Sequence[Recorded]) -> Iterator[PartnerWait]:
    calls: dict[_Call, _Wait] = {}
    _match_messages(processes, calls)
    _match_gatherings(processes, calls)
    by_kind: dict[tuple[int, int, int, str], list[_Wait]] = defaultdict(list)
    for call, wait in calls.items():
        by_kind[call.process, call.thread, call.communicator, call.function].append(wait)
    for (at, thread, communicator, function), waits in sorted(by_kind.items()):
        one = processes[at]
        every = max(_calls(one, thread, communicator, function), len(waits))
        sums: dict[tuple[str, int, int], float] = defaultdict(float)
        for wait in waits:
            if wait.seconds > 0:
                sums[wait.kind, wait.process, wait.thread] += wait.seconds
        for (kind, process, partner), seconds in sorted(sums.items()):
            yield PartnerWait(
                process=one.rank,
                thread=thread,
                communicator=communicator,
                function=function,
                kind=kind,
                partner_process=processes[process].rank if process >= 0 else -1,
                partner_thread=partner,
                matched=len(waits),
                calls=every,
                seconds=seconds * every / len(waits),
            )


def _calls(one: Recorded, thread: int, communicator: int, function: str) -> int:
    for row in one.rows(thread):
        number, of = of_row(row)
        if of == communicator and one.names[number] == function:
            return int(row["calls"])
    return 0


def _match_messages(processes: Sequence[Recorded], calls: dict[_Call, _Wait]) -> None:
    # Of one message a side may have several lines: the call that began it, and one that waited for it.
    sent: dict[tuple[int, ...], list[Passing]] = defaultdict(list)
    received: dict[tuple[int, ...], list[Passing]] = defaultdict(list)
    for at, one in enumerate(processes):
        for passing in passings(at, one):
            (received if passing.receives else sent)[passing.message].append(passing)
    for message in sorted(sent.keys() & received.keys()):
        for receiver in received[message]:
            _note(calls, receiver, sent[message][0], _LATE_SENDER)
        # To look for a message lets no sender go on.
        takes = next((one for one in received[message] if one.function != "MPI_Probe"), None)
        if takes is None:
            continue
        for sender in sent[message]:
            if sender.waits_for_receive:
                _note(calls, sender, takes, _LATE_RECEIVER)
            elif sender.waited:
                calls.setdefault(_call_of(sender), _Wait())


def _note(calls: dict[_Call, _Wait], here: Passing, there: Passing, kind: str) -> None:
    """How long the call of `here` waited until `there` had begun. A send that had ended by then did not wait."""
    if not here.waited:
        return
    call = _call_of(here)
    wait = calls.setdefault(call, _Wait())
    late = min(there.posted, here.ended) - here.began
    if kind == _LATE_RECEIVER and here.ended <= there.posted:
        late = 0.0
    # A partner of both ways who came late is late as a sender.
    if late > wait.seconds or (late == wait.seconds > 0 and kind == _LATE_SENDER):
        calls[call] = _Wait(late, kind, there.process, there.thread)


def _call_of(here: Passing) -> _Call:
    return _Call(here.process, here.thread, here.communicator, here.function, here.began, here.ended)


def _match_gatherings(processes: Sequence[Recorded], calls: dict[_Call, _Wait]) -> None:
    members: dict[tuple[int, int], dict[int, Member]] = defaultdict(dict)
    sizes: dict[int, int] = {}
    for at, one in enumerate(processes):
        for number, area in enumerate(one.communicators):
            if not area["matches"]:
                continue
            key = int(area["key"])
            sizes[key] = int(area["size"])
            for entry in area["log"]["entry"][: min(int(area["log"]["used"]), len(area["log"]["entry"]))]:
                member = Member(
                    process=at,
                    communicator=number,
                    thread=int(entry["thread"]),
                    function=one.names[int(entry["function"])],
                    root=int(entry["root"]),
                    began=one.at(entry["began"]),
                    ended=one.at(entry["ended"]),
                )
                members[key, int(entry["number"])][int(area["rank"])] = member
    for (key, _), ranks in members.items():
        if len(ranks) == sizes[key]:  # all are here
            _note_gathering(calls, ranks)


def _note_gathering(calls: dict[_Call, _Wait], ranks: Mapping[int, Member]) -> None:
    if len({member.function for member in ranks.values()}) > 1:
        return  # the program's mistake, or ours
    for rank, (seconds, late) in waits_of(ranks).items():
        one = ranks[rank]
        call = _Call(one.process, one.thread, one.communicator, one.function, one.began, one.ended)
        calls[call] = _Wait(seconds, _IMBALANCE, ranks[late].process, ranks[late].thread)
