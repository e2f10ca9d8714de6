# SPDX-License-Identifier: BSD-3-Clause
"""Locks that no lock function takes, estimated: how much longer a call lasts for each other thread that is inside.

A library that builds its locks of atomic operations shows no wait that could be measured. Calls of one function and
class of sizes in one process are compared: their time is regressed on the number of other threads that were inside the
MPI as they began, by least squares over calls, which the sums in `Slowdown` suffice for. The slope times the others
that were inside is what calls took longer than alone; what of it was measured as waits for locks is taken off.

The interval is that of the slope with White's variance (it does not ask for equal spread: calls beside others vary
more), for n calls by Student's t with n - 2 degrees of freedom, and grows where the line does not fit. Calls that may
wait for a partner have no estimate: those that begin beside others begin late, so they wait less, which hides a lock,
or looks like one. What they may hide bounds the remedies all the same (`Estimate.most`): they are taken to be contended
for no larger part of their time than the other calls of their process, by the upper end of these calls' interval; where
there are none, for all of it that nothing else explains.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from scipy.special import stdtrit

from raddle.profile.functions import Kind, kind, may_wait
from raddle.profile.model import Call, Slowdown
from raddle.profile.view import View

FEWEST = 30
"""Calls that each of two numbers of others must have; with fewer there is no estimate."""


@dataclass(frozen=True)
class Line:
    """What calls took longer than alone, all together, in seconds: `total`, and its standard error."""

    total: float
    error: float
    calls: int


@dataclass(frozen=True)
class Estimate:
    """Of one function in one process, in seconds of all its calls. `seconds` is 0 where the interval contains 0."""

    process: int
    function: str
    seconds: float
    low: float
    high: float
    most: float  # that cannot be excluded: where nothing can be estimated, all that is not explained otherwise
    calls: int  # that were looked at
    waits: bool = False  # it may wait for a partner, so there is no estimate


def line(cells: Sequence[Slowdown], scale: float) -> Line | None:
    """The regression of one function, process and class of sizes; none where too few calls tell anything.

    `scale`: all calls, divided by those that were looked at.
    """
    if sum(cell.calls >= FEWEST for cell in cells) < 2:
        return None
    count = sum(cell.calls for cell in cells)
    middle = sum(cell.calls * cell.inside for cell in cells) / count
    mean = sum(cell.seconds for cell in cells) / count
    spread = sum(cell.calls * (cell.inside - middle) ** 2 for cell in cells)
    slope = sum((cell.inside - middle) * (cell.seconds - cell.calls * mean) for cell in cells) / spread
    squares = 0.0
    for cell in cells:
        told = mean + slope * (cell.inside - middle)
        apart = cell.squares - 2 * told * cell.seconds + cell.calls * told * told
        squares += (cell.inside - middle) ** 2 * max(apart, 0.0)
    error = math.sqrt(squares * count / (count - 2)) / spread
    others = sum(cell.calls * cell.inside for cell in cells) * scale
    return Line(slope * others, error * others, count)


def estimates(view: View) -> list[Estimate]:
    """One for each process and function that was called while its process had several threads."""
    cells: dict[tuple[int, str], dict[int, list[Slowdown]]] = defaultdict(lambda: defaultdict(list))
    for cell in view.slowdowns:
        if cell.calls > 0:
            cells[cell.process, cell.function][cell.size].append(cell)
    several = {process for process, threads in view.threads_of.items() if len(threads) > 1}
    calls: dict[tuple[int, str], list[Call]] = defaultdict(list)
    for call in view.calls:
        if call.process in several and kind(call.function) is not Kind.SETUP:
            calls[call.process, call.function].append(call)
    made = {place: _estimate(view, *place, own, cells.get(place, {})) for place, own in sorted(calls.items())}
    parts = {process: _contended(process, made.values(), calls) for process in several}
    return [
        replace(each, most=min(each.most, _as_contended(calls[place], parts[place[0]]))) if each.waits else each
        for place, each in made.items()
    ]


def _contended(process: int, known: Iterable[Estimate], calls: Mapping[tuple[int, str], Sequence[Call]]) -> float:
    """The part of the time of calls that do not wait for which they are contended at most, seen or hidden; else 1."""
    lost = whole = 0.0
    for each in known:
        if each.process == process and each.calls:
            own = calls[process, each.function]
            lost += sum(min(call.lock, call.seconds) for call in own) + each.most
            whole += sum(call.seconds for call in own)
    return min(lost / whole, 1.0) if whole > 0 else 1.0


def _as_contended(calls: Iterable[Call], part: float) -> float:
    return sum(max(part * call.seconds - min(call.lock, call.seconds), 0.0) for call in calls)


def _estimate(
    view: View, process: int, function: str, calls: Sequence[Call], cells: dict[int, list[Slowdown]]
) -> Estimate:
    locks = sum(min(call.lock, call.seconds) for call in calls)
    rest = sum(left(view, call) for call in calls)
    if may_wait(function):
        return Estimate(process, function, 0.0, 0.0, 0.0, rest, 0, waits=True)
    lines = [found for size, own in cells.items() if (found := line(own, _scale(calls, size, own)))]
    if not lines:
        return Estimate(process, function, 0.0, 0.0, 0.0, rest, 0)
    looked = sum(each.calls for each in lines)
    total = sum(each.total for each in lines)
    wide = math.sqrt(sum(each.error**2 for each in lines)) * float(stdtrit(looked - 2 * len(lines), 0.975))
    # Sizes that too few calls were of add what they may hide.
    known = {size for size, own in cells.items() if line(own, 1.0)}
    untold = 1.0 - _part(calls, known)
    low, high = (min(max(total + side * wide - locks, 0.0), rest) for side in (-1, 1))
    shown = min(max(total - locks, 0.0), rest) if low > 0 else 0.0
    return Estimate(process, function, shown, low, high, min(rest, high + untold * rest), looked)


def left(view: View, call: Call) -> float:
    """Of the time of these calls what is neither a measured wait for a lock nor one for a partner, seconds."""
    lock = min(call.lock, call.seconds)
    partner = view.partner_of.get((call.process, call.thread, call.communicator, call.function), 0.0)
    return max(call.seconds - lock - partner, 0.0)


def _scale(calls: Iterable[Call], size: int, cells: Iterable[Slowdown]) -> float:
    """How many calls of these sizes there were for each that was looked at."""
    all_of_size = sum(call.sizes[size] for call in calls if size < len(call.sizes))
    looked = sum(cell.calls for cell in cells)
    return max(all_of_size / looked, 1.0) if looked else 1.0


def _part(calls: Sequence[Call], sizes: set[int]) -> float:
    """Which part of the calls is of these classes of sizes; without any known, all."""
    whole = sum(sum(call.sizes) for call in calls)
    if not whole:
        return 1.0
    return sum(call.sizes[size] for call in calls for size in sizes if size < len(call.sizes)) / whole
