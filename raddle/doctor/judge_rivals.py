# SPDX-License-Identifier: BSD-3-Clause
"""Whether an MPI is far from the best that there is here: another one, or itself with other settings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from raddle.doctor.catalogue import Finding
from raddle.doctor.diagnosis import Diagnosis, as_words
from raddle.doctor.gain import Gain
from raddle.inspection.facts import Behind, Facts
from raddle.stats.ratio import Ratio
from raddle.tuning.shapes import BANDWIDTH, LATENCY, RATE
from raddle.tuning.tuned import Choice
from raddle.wording import listed, told

# Nobody changes his MPI or its settings for less.
_FAR = 2.0
_WORTH = 1.5
_SLOWER = {
    LATENCY: "{times} the latency of {best} at 8 B ({own} against {its})",
    RATE: "a message rate {times} below that of {best} at 8 B ({own} against {its})",
    BANDWIDTH: "a bandwidth {times} below that of {best} at 1 MiB ({own} against {its})",
}
_WORKS = {LATENCY: "latency of 8 B", RATE: "message rate of 8 B", BANDWIDTH: "bandwidth of 1 MiB"}


def rivals(facts: Facts) -> Iterator[Diagnosis]:
    """One finding for all works together."""
    far = [each for each in facts.behind if each.times >= _FAR]
    worth = {shape: one for shape, one in facts.tuned.items() if one.gain >= _WORTH}
    if not far and not worth:
        return
    best = max(worth.values(), key=lambda one: one.gain, default=None)
    how = [_slower(each) for each in far]
    how += [f"with {as_words(one.settings)} it is {_gained(one)} ({_WORKS[shape]})" for shape, one in worth.items()]
    values = {"how": listed(how), "fix": _fix(facts, best, far)}
    yield Diagnosis(Finding.FAR_FROM_BEST, values, best.settings if best else {})


def gains(facts: Facts, diagnoses: Sequence[Diagnosis]) -> Iterator[Gain]:
    """What the settings that the finding advises brought when they were found."""
    for diagnosis in diagnoses:
        for shape, one in facts.tuned.items() if diagnosis.finding is Finding.FAR_FROM_BEST else ():
            if one.settings == diagnosis.settings:
                work = f"{_WORKS[shape]} of two processes, as speed"
                ratio = Ratio(one.gain, *one.interval, one.blocks)
                yield Gain(diagnosis.finding, work, one.unit, one.without, one.with_it, ratio)


def _slower(each: Behind) -> str:
    times = told(Ratio(each.times, *each.interval, 0))
    return _SLOWER[each.shape].format(times=times, best=each.best, own=each.own, its=each.its)


def _gained(one: Choice) -> str:
    return told(Ratio(one.gain, *one.interval, one.blocks)) + " as fast"


def _fix(facts: Facts, best: Choice | None, far: Sequence[Behind]) -> str:
    if best:
        price = f" (what a program gives up for it: {best.loses})" if best.loses else ""
        return f"export {as_words(best.settings)}{price}"
    way = f" Its messages travel by: {facts.transport}." if facts.transport else ""
    return f"Use {far[0].best}, or settings of its own, which raddle mpi tune {facts.name} looks for.{way}"
