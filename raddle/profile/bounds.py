# SPDX-License-Identifier: BSD-3-Clause
"""What the time of a program can shrink by at most when some of what was measured goes away.

The time of a program is that of a chain of pieces of its threads, one after another: from the end back along a thread,
and where that waited for something of another thread, on along the other one. What does not lie on the chain does not
matter for the time; what lies on it matters once. So if something goes away, such as all waits for locks, and all else
takes as long as it did, the time shrinks by no more than that something lies on the chain (and then another chain may
be the longest). Two bounds of that hold whatever the chain is:

* of the whole program: how long at least one thread of any process was at it, in sum over processes, or by `job`;
* of any one process: a chain of its own pieces, which leaves none of them but what is at it and waits for other
  processes. So how long at least one of its threads was at it, or waiting for another process, or all that it was
  inside the MPI if that is less, and how long it was not there.

The smallest is taken. How long "at least one thread" was at something is not known exactly. It is at most the sum over
threads, and within a bin of the timelines at most the bin; and for waits for each other at most as long as two threads
were seen inside the MPI at once, which is sampled.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from functools import wraps

from raddle.profile.bins import Bins, covered, summed
from raddle.profile.functions import Kind, kind, may_wait
from raddle.profile.hidden import Estimate
from raddle.profile.model import Call, Thread
from raddle.profile.view import View, lifetime

_NORMAL = 1.96


def _kept(function: Callable[[View, int], float]) -> Callable[[View, int], float]:
    """The same, computed once for each process."""

    @wraps(function)
    def found(view: View, process: int) -> float:
        place = (function.__name__, process)
        if place not in view.kept:
            view.kept[place] = function(view, process)
        return view.kept[place]

    return found


def lock_bins(view: View, threads: Iterable[Thread]) -> Bins:
    """Waits for locks of several threads together."""
    starts = {each.process: each.began for each in view.processes}
    return summed(Bins(starts.get(each.process, 0.0), each.bin, each.bins_lock) for each in threads)


def mpi_bins(view: View, threads: Iterable[Thread]) -> Bins:
    """Time inside the MPI of several threads together."""
    starts = {each.process: each.began for each in view.processes}
    return summed(Bins(starts.get(each.process, 0.0), each.bin, each.bins_mpi) for each in threads)


@_kept
def locked(view: View, process: int) -> float:
    """How long at most at least one thread of a process was waiting for a lock, as measured: seconds."""
    threads = view.threads_of.get(process, [])
    exact = sum(each.lock for each in threads)
    bins = lock_bins(view, threads)
    # What is in no bin, because there were too few of them, may have been at any time.
    untold = max(exact - sum(bins.seconds), 0.0)
    pairs = at_once(view, process, 2) + _unheld(view, process)
    return min(covered(bins) + untold, pairs, exact, view.seconds)


def _unheld(view: View, process: int) -> float:
    """Waits for locks whose holder is not known: it may be a thread of the library's own, which calls nothing."""
    known = sum(each.seconds for each in view.locks if each.process == process and each.holder >= 0)
    return max(sum(each.lock for each in view.threads_of.get(process, [])) - known, 0.0)


def at_once(view: View, process: int, least: int) -> float:
    """How long at most that many threads of a process were inside the MPI at once: seconds.

    It was sampled: this is the upper end of Wilson's 95 % interval, and what was not looked at counts. Where nothing
    was, it is as long as the process had so many threads.
    """
    lives = sorted((lifetime(each) for each in view.threads_of.get(process, [])), reverse=True)
    most = min(lives[least - 1], view.seconds) if len(lives) >= least else 0.0
    seen = view.concurrency_of.get(process)
    whole = sum(seen.seconds) if seen else 0.0
    if not seen or seen.looks <= 0 or whole <= 0:
        return most
    part, n = min(sum(seen.seconds[least:]) / whole, 1.0), seen.looks
    middle = part + _NORMAL**2 / (2 * n)
    wide = _NORMAL * math.sqrt(part * (1 - part) / n + _NORMAL**2 / (4 * n * n))
    life = max((each.ended - each.began for each in view.processes if each.process == process), default=0.0)
    untold = max(life - whole - _setup(view, process), 0.0) if least > 1 else max(life - whole, 0.0)
    return min((middle + wide) / (1 + _NORMAL**2 / n) * whole + untold, most)


def _setup(view: View, process: int) -> float:
    """In MPI_Init and MPI_Finalize, where one thread calls."""
    return sum(
        call.seconds
        for thread in view.threads_of.get(process, [])
        for call in view.calls_of.get((process, thread.thread), ())
        if kind(call.function) is Kind.SETUP
    )


def contended(view: View, estimates: Iterable[Estimate]) -> dict[int, float]:
    """By process: how long at most at least one thread waited for another inside the MPI, seen or hidden: seconds."""
    hidden: dict[int, float] = {}
    for each in estimates:
        hidden[each.process] = hidden.get(each.process, 0.0) + each.most
    return {
        process: min(
            locked(view, process) + hidden.get(process, 0.0),
            at_once(view, process, 2) + _unheld(view, process),
            view.seconds,
        )
        for process in view.threads_of
    }


@_kept
def waiting(view: View, process: int) -> float:
    """How long at most at least one thread of a process waited for another process: seconds.

    Where at least half of the calls of a function could be matched, what that has shown; elsewhere all calls that may
    wait, and those for which there was no room.
    """
    inside = 0.0
    for thread in view.threads_of.get(process, []):
        calls = view.calls_of.get((thread.process, thread.thread), [])
        for call in calls:
            if may_wait(call.function):
                inside += min(_partner(view, call), call.seconds)
        inside += max(thread.mpi - sum(call.seconds for call in calls), 0.0)
    return min(inside, inside_mpi(view, process))


def _partner(view: View, call: Call) -> float:
    own = view.waits_of.get((call.process, call.thread, call.communicator, call.function), [])
    matched = sum(each.matched for each in own)
    if matched > call.calls:  # each record has all that could be matched, and not its own
        matched = max(each.matched for each in own)
    return sum(each.seconds for each in own) if 2 * matched >= call.calls > 0 else call.seconds


@_kept
def inside_mpi(view: View, process: int) -> float:
    """How long at most at least one thread of a process was inside the MPI: seconds."""
    threads = view.threads_of.get(process, [])
    exact, bins = sum(each.mpi for each in threads), mpi_bins(view, threads)
    untold = max(exact - sum(bins.seconds), 0.0)
    return min(covered(bins) + untold, exact, at_once(view, process, 1), view.seconds)


def bound(view: View, of_process: Callable[[int], float], of_job: float | None = None) -> float:
    """What the time can shrink by at most when something inside the MPI goes away, seconds.

    `of_process`: how long at most at least one thread of a process was at it; `of_job`: of any process, by default the
    sum.
    """
    own = {each.process: of_process(each.process) for each in view.processes}
    job = sum(own.values()) if of_job is None else of_job
    one = min(
        min(own[each.process] + waiting(view, each.process), inside_mpi(view, each.process))
        + max(view.seconds - (each.ended - each.began), 0.0)
        for each in view.processes
    )
    return max(min(job, one, view.seconds), 0.0)
