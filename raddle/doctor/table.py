# SPDX-License-Identifier: BSD-3-Clause
"""What the doctor says of one MPI in the terminal: what it is, what is wrong, what could be better, what is fine."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from raddle.doctor.catalogue import Severity
from raddle.doctor.diagnosis import Diagnosis, shown
from raddle.doctor.gain import Gain
from raddle.doctor.judge_binding import table_of_ranks
from raddle.inspection.facts import Facts, Job
from raddle.wording import count

_HEADINGS = {
    Severity.WRONG: ("What is wrong", "bold red"),
    Severity.ADVICE: ("What could be better", "yellow"),
    Severity.OK: ("What is fine", "green"),
}


def report(
    facts: Facts, job: Job, diagnoses: Sequence[Diagnosis], gains: Sequence[Gain], accepted: Sequence[str]
) -> RenderableType:
    """All that is said of one MPI."""
    return Group(*_parts(facts, job, diagnoses, gains, accepted))


def _parts(
    facts: Facts, job: Job, diagnoses: Sequence[Diagnosis], gains: Sequence[Gain], accepted: Sequence[str]
) -> Iterator[RenderableType]:
    yield Text(f"{facts.title} {facts.version}", style="bold underline")
    yield _identity(facts, job)
    for severity, (heading, style) in _HEADINGS.items():
        chosen = [one for one in diagnoses if one.severity is severity]
        if not chosen:
            continue
        yield Text(f"\n{heading}", style="bold")
        if severity is Severity.OK:
            yield _fine(chosen)
            continue
        for one in chosen:
            yield from _told(one, style, gains, one.finding in accepted)


def _identity(facts: Facts, job: Job) -> RenderableType:
    lines = {
        "library": next(iter(facts.library.splitlines()), ""),
        "standard": f"MPI {facts.standard}" if facts.standard else "",
        "started as": f"{shown(facts.command)} PROGRAM, {count(job.threads, 'thread')} each",
        "levels": ", ".join(f"{asked}" if asked == got else f"{asked}: {got}" for asked, got in facts.levels.items()),
        "contexts": "not told by this library" if facts.contexts is None else str(facts.contexts),
        "transport": facts.transport or "not told by this library",
        "CPUs": table_of_ranks(facts.all),
    }
    grid = Table.grid(padding=(0, 2, 0, 0))
    grid.add_column(style="dim", no_wrap=True)
    grid.add_column(overflow="fold")
    for label, value in lines.items():
        if value:
            grid.add_row(label, Text(" ".join(value.split())))
    return Padding(grid, (0, 0, 0, 2))


def _told(one: Diagnosis, style: str, gains: Sequence[Gain], accepted: bool) -> Iterator[RenderableType]:
    name = Text.assemble("  ", (str(one.finding), style))
    yield name.append("  accepted" if accepted else "", style="dim")
    yield Padding(Text(one.seen), (0, 0, 0, 4))
    yield Padding(Text(one.matters, style="dim"), (0, 0, 0, 4))
    yield Padding(Text.assemble(("Do: ", "bold"), one.do), (0, 0, 0, 4))
    for gain in gains:
        if gain.finding is one.finding:
            yield Padding(Text.assemble(("Measured: ", "bold"), gain.words), (0, 0, 0, 4))


def _fine(diagnoses: Sequence[Diagnosis]) -> RenderableType:
    grid = Table.grid(padding=(0, 2, 0, 0))
    grid.add_column(style="green", no_wrap=True)
    grid.add_column(overflow="fold")
    for one in diagnoses:
        grid.add_row(str(one.finding), Text(one.seen))
    return Padding(grid, (0, 0, 0, 2))
