# SPDX-License-Identifier: BSD-3-Clause
"""Ways to communicate that another part of Raddle is made for, found in what threads sent to whom."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from raddle.profile.functions import Kind, counts, kind, plain, probes, varies
from raddle.profile.model import Call, Peer
from raddle.profile.view import View

_FEWEST = 10  # messages of each thread
_ALIKE = 1.25  # numbers of messages
_AS_LONG = 2.0  # their mean length
_LARGER = 3  # ranks of a communicator from which on an exchange may be sparse


@dataclass(frozen=True)
class Parts:
    """Threads of a process that each send as many messages to one partner: they may be parts of one buffer."""

    process: int
    communicator: int
    peer: int
    threads: int


def parts(view: View) -> list[Parts]:
    """For each process, communicator and partner that it fits."""
    groups: dict[tuple[int, int, int], list[Peer]] = defaultdict(list)
    for each in view.peers:
        if each.sent >= _FEWEST and each.peer >= 0:
            groups[each.process, each.communicator, each.peer].append(each)
    return [
        Parts(*place, threads=len({each.thread for each in own}))
        for place, own in sorted(groups.items())
        if len({each.thread for each in own}) > 1 and _equal(own)
    ]


def _equal(peers: Sequence[Peer]) -> bool:
    numbers = [each.sent for each in peers]
    lengths = [each.sent_bytes / each.sent for each in peers]
    return max(numbers) <= _ALIKE * min(numbers) and min(lengths) > 0 and max(lengths) <= _AS_LONG * min(lengths)


@dataclass(frozen=True)
class Exchange:
    """Calls of an exchange that may be sparse: their records, the names of their functions, and what they look like."""

    calls: Sequence[Call]
    functions: Sequence[str]
    how: str


def exchange(view: View) -> Exchange | None:
    """Exchanges in which each pair has its own length, or in which messages come that nobody announced, after a
    collective that counts them."""
    by_place: dict[tuple[int, int], list[Call]] = defaultdict(list)
    for call in view.calls:
        if call.communicator >= 0 and _size(view, call) >= _LARGER:
            by_place[call.process, call.communicator].append(call)
    varying: list[Call] = []
    probing: list[Call] = []
    for calls in by_place.values():
        vary = [call for call in calls if varies(call.function)]
        counting = [call for call in calls if counts(call.function) and call.calls >= _FEWEST]
        if vary:
            # The lengths travel before, in an exchange of as many calls.
            number = sum(call.calls for call in vary)
            varying += vary
            varying += [call for call in counting if _alltoall(call) and call.calls <= _ALIKE * number]
        elif counting and any(probes(call.function) and call.calls >= _FEWEST for call in calls):
            probing += counting + [call for call in calls if kind(call.function) is Kind.POINT]
    if varying:
        return Exchange(varying, _names(varying), "an exchange in which each pair has its own length")
    if probing:
        return Exchange(probing, _names(probing), "messages are counted by a collective, then looked for by probing")
    return None


def _alltoall(call: Call) -> bool:
    return plain(call.function).lower() in ("mpi_alltoall", "mpi_ialltoall")


def _size(view: View, call: Call) -> int:
    known = view.names.get((call.process, call.communicator))
    if known:
        return known.size
    world = next((each.size for each in view.processes if each.process == call.process), 0)
    return world if call.communicator == 0 else 0


def _names(calls: Sequence[Call]) -> list[str]:
    weights: dict[str, float] = defaultdict(float)
    for call in calls:
        weights[plain(call.function)] += call.seconds
    return sorted(weights, key=lambda name: -weights[name])
