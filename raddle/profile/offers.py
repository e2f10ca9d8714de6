# SPDX-License-Identifier: BSD-3-Clause
"""Which remedies a profile speaks for, and what each would bring at most.

Each bound is one of `raddle.profile.bounds`, of what the remedy can take away: not a promise, but what it cannot
exceed as long as all else takes the time that it took.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from raddle.profile import bounds
from raddle.profile.catalogue import Remedy
from raddle.profile.facts import Facts
from raddle.profile.functions import Kind, kind
from raddle.profile.judge import LITTLE
from raddle.profile.model import Call
from raddle.profile.patterns import exchange, parts
from raddle.profile.times import total
from raddle.profile.view import lifetime
from raddle.wording import count, listed

_MUCH = 0.1  # of the threads' time, from which on messages that cost less could matter


@dataclass(frozen=True)
class Offer:
    """A remedy; in seconds of the program's time what was seen, on average over threads, and what it brings at most."""

    remedy: Remedy
    seen: float
    most: float
    values: Mapping[str, str] = field(default_factory=dict)

    @property
    def do(self) -> str:
        return self.remedy.do.format(**self.values)


def offers(facts: Facts) -> list[Offer]:
    """In the order of the catalogue: what costs least to try first. What could bring nothing is left out."""
    found = [offer for make in _MAKERS for offer in make(facts) if offer.most > 0]
    order = list(Remedy)
    return sorted(found, key=lambda offer: order.index(offer.remedy))


def against_locks(facts: Facts) -> Iterator[Offer]:
    """Lanes, contexts, endpoints, fewer callers: where threads were seen to wait for each other."""
    if not facts.several or facts.lost < LITTLE:
        return
    seen = facts.mean(facts.times.lock + facts.times.hidden)
    threads = max(len(facts.view.threads_of[each.process]) for each in facts.several)
    settings = _assigned(facts.known.family.variant_env("lane", threads, threads) if facts.known.family else {})
    if facts.shared():
        yield Offer(Remedy.LANES, seen, facts.contended, {"settings": f", and set {settings}" if settings else ""})
        yield Offer(Remedy.ENDPOINTS, seen, _all_inside(facts))
        yield Offer(Remedy.FEWER_CALLING, seen, facts.contended)
    elif settings:
        yield Offer(Remedy.CONTEXTS, seen, facts.contended, {"settings": settings})


def on_the_node(facts: Facts) -> Iterator[Offer]:
    """Endpoints: messages of a node need no call into the MPI, whether threads wait for each other there or not."""
    shared = set(facts.shared())
    if not shared or facts.lost >= LITTLE or len({each.host for each in facts.view.processes}) > 1:
        return
    own = [
        call
        for call in facts.view.calls
        if _completes(call) or (kind(call.function) is Kind.POINT and (call.process, call.communicator) in shared)
    ]
    seen = _lost_in(facts, own)
    if seen >= facts.mean(_MUCH * facts.times.all):
        yield Offer(Remedy.ENDPOINTS, seen, _all_inside(facts))


def partitioned(facts: Facts) -> Iterator[Offer]:
    """One message in parts, in place of one for each thread."""
    found = parts(facts.view)
    keys = {facts.view.key(each.process, each.communicator) for each in found}

    def chosen(call: Call) -> bool:
        return kind(call.function) is Kind.POINT and facts.view.key(call.process, call.communicator) in keys

    # Completions may be of any communicator.
    own = [call for call in facts.view.calls if chosen(call) or (keys and _completes(call))]
    if found and sum(call.seconds for call in own) >= LITTLE * facts.times.all:
        yield Offer(Remedy.PARTITIONED, _lost_in(facts, own), _of_calls(facts, own))


def sparse(facts: Facts) -> Iterator[Offer]:
    """A sparse exchange in place of one with everybody."""
    found = exchange(facts.view)
    if found and sum(call.seconds for call in found.calls) >= LITTLE * facts.times.all:
        own = list(found.calls)
        if any(kind(call.function) is Kind.POINT for call in own):
            taken = {id(call) for call in own}
            own += [call for call in facts.view.calls if _completes(call) and id(call) not in taken]
        seen = facts.mean(sum(call.seconds for call in own))
        yield Offer(Remedy.SPARSE, seen, _of_calls(facts, own), {"functions": listed(found.functions[:3])})


def against_crowding(facts: Facts) -> Iterator[Offer]:
    """Fewer threads, and yielding, where too many want to run."""
    if crowds := facts.crowded():
        values = {"cpus": count(crowds[0].cpus, "CPU"), "host": crowds[0].host}
        yield Offer(Remedy.FEWER, *_off(facts), values)
    settings = facts.known.family.profile_env("shared") if facts.known.family else {}
    if settings and facts.spinning() and not facts.is_set(settings):
        burnt = sum(each.cpu_mpi for each in facts.view.threads)
        yield Offer(Remedy.YIELD, facts.mean(burnt), _all_but_computing(facts), {"settings": _assigned(settings)})


def binding(facts: Facts) -> Iterator[Offer]:
    """More CPUs for processes whose threads share too few."""
    if facts.squeezed():
        option = facts.known.family.doctor.unbind_option if facts.known.family else ""
        yield Offer(Remedy.BINDING, *_off(facts), {"option": option or "an option of the launcher"})


def level(facts: Facts) -> Iterator[Offer]:
    """A lower level, where one thread calls."""
    asked = all(each.requested == "multiple" == each.provided for each in facts.view.processes)
    if asked and not facts.several and facts.times.share("communicating") >= LITTLE:
        yield Offer(Remedy.LEVEL, 0.0, _inside(facts))


def _inside(facts: Facts) -> float:
    """Without anything inside the MPI but waiting for partners, and its beginning and end."""

    def one(process: int) -> float:
        times = facts.ledger.process(process)
        own = times.communicating + times.lock + times.hidden
        return min(own, bounds.inside_mpi(facts.view, process))

    job = min(sum(map(one, (each.process for each in facts.view.processes))), facts.view.seconds)
    return bounds.bound(facts.view, one, job)


def _all_inside(facts: Facts) -> float:
    """Without anything inside the MPI: messages that go another way are also under way for another time."""
    return bounds.bound(facts.view, lambda process: bounds.inside_mpi(facts.view, process))


def _all_but_computing(facts: Facts) -> float:
    """What the thread that computes longest leaves. How long threads wait that never yield depends on who interrupts
    them, and the looks of a profile do: what they show of it is no bound."""
    longest = max((facts.ledger.thread(each).computing for each in facts.view.threads), default=0.0)
    return max(facts.view.seconds - longest, 0.0)


def _off(facts: Facts) -> tuple[float, float]:
    """Off the CPU: on average over threads, and at most without that."""
    seen = facts.mean(sum(max(lifetime(each) - each.cpu, 0.0) for each in facts.view.threads))
    # Not only inside the MPI, so that no process bounds it.
    return seen, min(sum(facts.off(each.process) for each in facts.view.processes), facts.view.seconds)


def _of_calls(facts: Facts, calls: Iterable[Call]) -> float:
    """Without these calls."""
    inside: dict[int, float] = {}
    for call in calls:
        inside[call.process] = inside.get(call.process, 0.0) + call.seconds
    return bounds.bound(
        facts.view,
        lambda process: min(inside.get(process, 0.0), bounds.inside_mpi(facts.view, process)),
    )


def _lost_in(facts: Facts, calls: Iterable[Call]) -> float:
    """In these calls beside waiting for partners, on average over threads."""
    times = total(map(facts.ledger.call, calls))
    return facts.mean(times.communicating + times.lock + times.hidden)


def _completes(call: Call) -> bool:
    """Whether it completes operations of communicators that the call does not name."""
    return call.communicator < 0 and kind(call.function) is Kind.POINT


def _assigned(settings: Mapping[str, str]) -> str:
    return " ".join(f"{name}={value}" for name, value in sorted(settings.items()))


_MAKERS: tuple[Callable[[Facts], Iterator[Offer]], ...] = (
    *(binding, against_crowding, level, against_locks, on_the_node, partitioned, sparse),
)
