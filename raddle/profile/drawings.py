# SPDX-License-Identifier: BSD-3-Clause
"""Drawings of the page as data: parts of bars, outlines of timelines. Numbers only; what has names is the template's.

Timelines are stretched to the width of the page, so that their words are text of the page and stay as large as it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from raddle.profile.bins import Bins, resampled
from raddle.profile.facts import Facts
from raddle.profile.model import Thread
from raddle.profile.summary import Shares
from raddle.profile.words import seconds, share

COUNT = 300
"""Steps of a timeline: as many as a screen shows."""

HEIGHT = 100.0
MOST_TRACKS = 48
PARTS = (
    ("computing", "computing"),
    ("idle", "off the CPU, outside the MPI"),
    ("setup", "MPI_Init, MPI_Finalize"),
    ("communicating", "communicating"),
    ("partner", "waiting for partners"),
    ("lock", "waiting for locks"),
    ("hidden", "hidden locks (estimated)"),
)


@dataclass(frozen=True)
class Piece:
    """A piece of a bar."""

    name: str
    label: str
    percent: float
    words: str


@dataclass(frozen=True)
class Track:
    """The timeline of a thread: `mpi` and `locks` are outlines, in steps of `COUNT` across and `HEIGHT` up."""

    label: str
    name: str
    mpi: str
    locks: str
    words: str  # for those who do not see it


@dataclass(frozen=True)
class Inside:
    """How many threads of a process were inside the MPI: over time, and how long how many."""

    process: int
    line: str
    most: int
    pieces: list[Piece]
    looks: int


def bar(times: Shares, whole: float | None = None) -> list[Piece]:
    """The parts of a time; those that are nothing are left out. `whole`: what the full width stands for."""
    full = times.all if whole is None else whole
    if full <= 0:
        return []
    return [
        Piece(name, label, 100 * value / full, f"{label} {share(value, times.all)} ({seconds(value)})")
        for name, label in PARTS
        if (value := getattr(times, name)) > 0
    ]


def tracks(facts: Facts) -> list[Track]:
    """Threads in their order; of very many those that wait most for locks and are longest in the MPI."""
    chosen = sorted(facts.view.threads, key=lambda each: (-each.lock, -each.mpi))[:MOST_TRACKS]
    chosen.sort(key=lambda each: (each.process, each.thread))
    return [_track(facts, each) for each in chosen]


def _track(facts: Facts, thread: Thread) -> Track:
    began = next((each.began for each in facts.view.processes if each.process == thread.process), facts.view.began)
    first, last = facts.view.began, facts.view.began + facts.view.seconds
    mpi = resampled(Bins(began, thread.bin, thread.bins_mpi), first, last, COUNT)
    locks = resampled(Bins(began, thread.bin, thread.bins_lock), first, last, COUNT)
    times = facts.ledger.thread(thread)
    return Track(
        label=f"{thread.process}.{thread.thread}",
        name=thread.name,
        mpi=outline(mpi),
        locks=outline([min(*both) for both in zip(locks, mpi, strict=True)]),
        words=f"in the MPI {share(times.mpi, times.all)}, waiting for locks {share(times.lock, times.all)} of the time",
    )


def outline(values: Sequence[float], top: float = 1.0) -> str:
    """An area from the bottom up to each value as steps; `top` is the full height. Equal steps are drawn as one."""
    if not any(value > 0 for value in values):
        return ""
    path, before = [f"M0 {HEIGHT:g}"], -1.0
    for place, value in enumerate(values):
        height = round(HEIGHT - HEIGHT * min(max(value / top, 0.0), 1.0), 1)
        if height != before:
            path.append(f"H{place}V{height:g}")
            before = height
    return "".join([*path, f"H{len(values)}V{HEIGHT:g}Z"])


def inside(facts: Facts) -> list[Inside]:
    """Of each process that several threads of call the MPI."""
    found = []
    several = {each.process for each in facts.several}
    for each in facts.view.concurrency[:MOST_TRACKS]:
        if each.process not in several:
            continue
        began = next((one.began for one in facts.view.processes if one.process == each.process), 0.0)
        whole = Bins(began, each.bin, [value * each.bin for value in each.bins])
        means = resampled(whole, facts.view.began, facts.view.began + facts.view.seconds, COUNT)
        most = max(1, len(each.seconds) - 1)
        total = sum(each.seconds)
        pieces = [
            Piece(
                f"inside-{min(number, 4)}", str(number), 100 * value / total, f"{number} inside {share(value, total)}"
            )
            for number, value in enumerate(each.seconds)
            if value > 0
        ]
        found.append(Inside(each.process, outline(means, most), most, pieces, each.looks))
    return found
