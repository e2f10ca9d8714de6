# SPDX-License-Identifier: BSD-3-Clause
"""The verdict of a profile: at most five sentences of the catalogue, filled with what was seen."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from raddle.profile.catalogue import Finding, Group
from raddle.profile.facts import Facts
from raddle.profile.patterns import exchange, parts
from raddle.profile.times import Times
from raddle.profile.words import percent, share
from raddle.profile.words import several as named
from raddle.units import three_digits
from raddle.wording import count, listed

MOST = 5
LITTLE = 0.02  # of a thread's time, below which losses to locks are not worth a remedy
BOUNDED = 0.05  # of the program's, which they must not exceed at most for "nothing to gain"
_WAITING = 0.05  # of the threads' time
_SHARE = 0.02
_TOLD = 0.01
_TELLS = 10.0  # times what was seen, above which a bound says nothing
_MORE = 1.5  # times the mean
_LATE = 0.5  # of all waiting, for one process
_MOVED = 10.0  # times a second
_FEWEST = 100  # times
_LEVELS = ("single", "funneled", "serialized", "multiple")
_HOW = {"killed": "killed", "aborted": "ended by an error", "interrupted": "interrupted"}


@dataclass(frozen=True)
class Found:
    """A finding as it occurred; `weight` orders those of a group, heaviest first."""

    finding: Finding
    values: Mapping[str, str]
    weight: float = 0.0

    @property
    def text(self) -> str:
        """The sentence, beginning with a capital."""
        made = self.finding.sentence.format(**self.values)
        return made[:1].upper() + made[1:]


def verdict(facts: Facts) -> list[Found]:
    """The sentences in their order: doubts, where the time went, locks, then causes by their weight."""
    found = [each for judge in _JUDGES for each in judge(facts)]
    order = list(Group)
    found.sort(key=lambda each: (order.index(each.finding.group), -each.weight))
    return found[:MOST]


def level_lower(facts: Facts) -> Iterator[Found]:
    """Less was provided than asked for, and several threads call."""
    for each in facts.several:
        if _level(each.provided) < _level(each.requested):
            yield Found(Finding.LEVEL_LOWER, {"requested": each.requested, "provided": each.provided})
            return


def cut_off(facts: Facts) -> Iterator[Found]:
    """It did not end by itself."""
    if how := _HOW.get(facts.view.program.ended):
        yield Found(Finding.CUT_OFF, {"how": how})


def room(facts: Facts) -> Iterator[Found]:
    """Calls that no record has."""
    if lost := sum(each.lost for each in facts.view.processes):
        yield Found(Finding.ROOM, {"lost": f"{lost:,}"})


def where(facts: Facts) -> Iterator[Found]:
    """Shares of the threads' time."""
    times = facts.times
    yield Found(
        Finding.WHERE,
        {
            "threads": count(len(facts.view.threads), "thread"),
            "computing": percent(times.share("computing")),
            "idle": _besides(times, "idle", "off the CPU elsewhere"),
            "setup": _besides(times, "setup", "in MPI_Init and MPI_Finalize"),
            "communicating": percent(times.share("communicating")),
            "partner": percent(times.share("partner")),
            "locks": percent(times.share("lock") + times.share("hidden")),
        },
    )


def _besides(times: Times, name: str, words: str) -> str:
    """A share that is told where it matters."""
    part = times.share(name)
    return f", {percent(part)} {words}" if part >= _TOLD else ""


def locks(facts: Facts) -> Iterator[Found]:
    """One sentence in any case."""
    if not facts.several:
        yield Found(Finding.ALONE, {})
        return
    whole, times = facts.view.seconds, facts.times
    values = {
        "mean": percent(times.share("lock") + times.share("hidden")),
        "most": share(facts.contended, whole),
        "how": _how(facts),
        "worst": _worst(facts),
    }
    if facts.contended < BOUNDED * whole:
        yield Found(Finding.NOTHING, values)
    elif facts.lost < LITTLE:
        yield Found(Finding.UNTOLD, values)
    elif facts.contended > _TELLS * facts.lost * whole:
        yield Found(Finding.LOOSE, values)
    else:
        yield Found(Finding.LOCKS, values)


def _worst(facts: Facts) -> str:
    """The thread that loses most, where it loses much more than others."""
    times = facts.times
    if facts.lost < _MORE * (times.share("lock") + times.share("hidden")):
        return ""
    one = max(facts.view.threads, key=facts.lost_of)
    return f", thread {one.process}.{one.thread} {percent(facts.lost)}"


def _how(facts: Facts) -> str:
    if not facts.hidden:
        return "measured"
    low, high = (sum(getattr(each, end) for each in facts.estimates if each.seconds) for end in ("low", "high"))
    whole = facts.view.lifetime
    told = f"{share(facts.hidden, whole)} estimated, 95 % interval {share(low, whole)} to {share(high, whole)}"
    return f"{percent(facts.times.share('lock'))} measured, {told}" if facts.times.lock else told


def one_cpu(facts: Facts) -> Iterator[Found]:
    """Processes that are bound to fewer CPUs than they have threads."""
    squeezed = facts.squeezed()
    if squeezed:
        yield Found(
            Finding.ONE_CPU,
            {
                "threads": count(max(facts.threads_at_once(each.process) for each in squeezed), "thread"),
                "processes": named([each.process for each in squeezed], "process"),
                "cpus": count(min(each.cpus for each in squeezed), "CPU"),
            },
            weight=3.0,
        )


def crowded(facts: Facts) -> Iterator[Found]:
    """More threads want to run than there are CPUs."""
    for crowd in facts.crowded()[:1]:
        inside = sum(
            thread.cpu_mpi
            for each in facts.view.processes
            if each.host == crowd.host
            for thread in facts.view.threads_of[each.process]
        )
        yield Found(
            Finding.CROWDED,
            {
                "threads": str(crowd.threads),
                "host": crowd.host,
                "cpus": count(crowd.cpus, "CPU"),
                "preempted": f"{crowd.preempted:,}",
                "burnt": percent(min(inside / (crowd.cpus * facts.view.seconds), 1.0)),
            },
            weight=2.0,
        )


def partners(facts: Facts) -> Iterator[Found]:
    """Waiting for others, and whether it is always the same one."""
    part = facts.times.share("partner")
    whole = sum(each.seconds for each in facts.view.waits)
    if part < _WAITING or whole <= 0:
        return
    late: dict[int, float] = defaultdict(float)
    kinds: dict[str, float] = defaultdict(float)
    for each in facts.view.waits:
        late[each.partner_process] += each.seconds
        kinds[each.kind] += each.seconds
    latest = max(late, key=lambda process: late[process])
    if latest >= 0 and late[latest] >= _LATE * whole and len(facts.view.processes) > 1:
        values = {"share": percent(part), "part": share(late[latest], whole), "process": f"process {latest}"}
        yield Found(Finding.LATE, values, part)
    else:
        told = [f"{share(kinds[name], whole)} {name}" for name in sorted(kinds, key=lambda name: -kinds[name])]
        yield Found(Finding.UNEVEN, {"share": percent(part), "kinds": listed(told)}, part)


def in_parts(facts: Facts) -> Iterator[Found]:
    """Several threads send alike to one partner."""
    found = parts(facts.view)
    weight = facts.times.share("communicating")
    if found and weight >= _SHARE:
        yield Found(
            Finding.PARTS,
            {
                "threads": count(max(each.threads for each in found), "thread"),
                "processes": named(sorted({each.process for each in found}), "process"),
            },
            weight,
        )


def sparse(facts: Facts) -> Iterator[Found]:
    """An exchange that may be sparse."""
    found = exchange(facts.view)
    part = sum(call.seconds for call in found.calls) / facts.times.all if found and facts.times.all else 0.0
    if found and part >= _SHARE:
        values = {"share": percent(part), "functions": listed(found.functions[:3]), "how": found.how}
        yield Found(Finding.SPARSE, values, part)


def level_higher(facts: Facts) -> Iterator[Found]:
    """Multiple was asked for and not used."""
    asked = all(each.requested == "multiple" == each.provided for each in facts.view.processes)
    if asked and not facts.several and facts.times.share("communicating") >= _SHARE:
        yield Found(Finding.LEVEL_HIGHER, {}, 0.01)


def moved(facts: Facts) -> Iterator[Found]:
    """Threads that do not stay on their CPUs."""
    times, lived = sum(each.moved for each in facts.view.threads), facts.view.lifetime
    if times >= _FEWEST and times >= _MOVED * lived:
        yield Found(Finding.MOVED, {"times": f"{times:,}", "rate": three_digits(times / lived)}, 0.005)


def _level(name: str) -> int:
    return _LEVELS.index(name) if name in _LEVELS else -1


_JUDGES: tuple[Callable[[Facts], Iterator[Found]], ...] = (
    *(level_lower, cut_off, room, where, locks),
    *(one_cpu, crowded, partners, in_parts, sparse, level_higher, moved),
)
