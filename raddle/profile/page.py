# SPDX-License-Identifier: BSD-3-Clause
"""`report.html` of a profile: one file that needs no network and trusts nothing that it shows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from jinja2 import PackageLoader

from raddle.environment import Environment
from raddle.profile import drawings, matrices
from raddle.profile.facts import Facts
from raddle.profile.functions import plain
from raddle.profile.model import Peer
from raddle.profile.summary import Summary
from raddle.profile.terminal import short_bytes
from raddle.profile.words import percent, seconds, share, tidy
from raddle.report.page import machine, when
from raddle.report.shell import Entry, asset, dress, templates
from raddle.report.text import without_controls
from raddle.units import format_bytes, three_digits

MOST_ROWS = 200


@dataclass(frozen=True)
class Size:
    """Calls of a class of sizes."""

    label: str
    calls: int
    percent: float  # of the largest class


ENTRIES = [
    Entry("overview", "Overview", "Overview", ""),
    Entry("timeline", "Timeline", "Timeline", "Over time"),
    Entry("waiting", "Who waited", "Who waited for whom", "Over time"),
    Entry("threads", "Threads", "Threads and processes", "In tables"),
    Entry("calls", "Calls", "Calls, sizes and partners", "In tables"),
    Entry("method", "How it was found", "How it was found", "This run"),
]


def render(facts: Facts, summary: Summary, environment: Environment | None = None) -> str:
    """The page."""
    made = templates(PackageLoader("raddle.profile"))
    made.globals.update(percent=tidily(percent), share=tidily(share), seconds=seconds, tidy=tidy)
    made.globals.update(bar=drawings.bar, size=short_bytes)
    text = made.get_template("profile.html.j2").render(_context(facts, summary, environment))
    return without_controls(text)


def tidily(words: Callable[..., str]) -> Callable[..., str]:
    """The same, but what it gives does not break before a per cent sign."""
    return lambda *given: tidy(words(*given))


def _context(facts: Facts, summary: Summary, environment: Environment | None) -> dict[str, Any]:
    view = facts.view
    longest = max((each.times.all for each in summary.functions), default=0.0)
    return {
        "summary": summary,
        "title": " ".join(summary.command),
        "entries": ENTRIES,
        "parts": drawings.PARTS,
        "tracks": drawings.tracks(facts),
        "axis": [seconds(view.seconds * part / 4) if part else "0" for part in range(5)],
        "steps": drawings.COUNT,
        "insides": drawings.inside(facts),
        "partners": matrices.processes(view),
        "locks": matrices.locks(view)[: matrices.MOST],
        "kinds": _kinds(facts),
        "longest": longest,
        "sizes": sizes(summary.sizes),
        "peers": _peers(facts),
        "most_rows": MOST_ROWS,
        "processes": view.processes,
        "hosts": sorted({each.host for each in view.processes}),
        "machine": machine(environment.host) if environment else [],
        "began": when(summary.began),
        "estimates": [each for each in facts.estimates if each.calls],
        "untold": sorted({plain(each.function) for each in facts.estimates if not each.calls}),
        "rate": three_digits,
        **dress(asset("profile.css", "raddle.profile")),
    }


def sizes(calls: list[int]) -> list[Size]:
    """Classes of sizes from the first to the last that has calls."""
    heaviest = max(calls, default=0)
    return [Size(_class(place), number, 100 * number / heaviest) for place, number in enumerate(calls) if heaviest]


def _class(place: int) -> str:
    """`0 B`, `1 B`, `2 to 3 B`, `1 to 2 KiB`."""
    if place < 2:
        return f"{place} B"
    low = 1 << (place - 1)
    return f"{low} to {2 * low - 1} B" if low < 512 else f"from {format_bytes(low)}"


def _kinds(facts: Facts) -> list[tuple[str, str, float, float]]:
    """Function, kind of wait, seconds, and which part of its calls could be matched; heaviest first."""
    sums: dict[tuple[str, str], list[float]] = {}
    for each in facts.view.waits:
        own = sums.setdefault((plain(each.function), each.kind), [0.0, 0, 0])
        own[0] += each.seconds
        own[1] += each.matched
        own[2] += each.calls
    made = [
        (name, kind, took, matched / calls if calls else 0.0) for (name, kind), (took, matched, calls) in sums.items()
    ]
    return sorted(made, key=lambda each: -each[2])


def _peers(facts: Facts) -> list[tuple[str, str, int, Peer]]:
    """Thread, communicator and partner, by bytes."""
    made = [
        (f"{each.process}.{each.thread}", facts.view.name(each.process, each.communicator), each.peer, each)
        for each in facts.view.peers
    ]
    return sorted(made, key=lambda each: -(each[3].sent_bytes + each[3].received_bytes))
