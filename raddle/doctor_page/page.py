# SPDX-License-Identifier: BSD-3-Clause
"""What the doctor found, as one file that needs no network and trusts nothing that it shows: to be sent to others.

Directories of the user's home are shown as "~", and of the environment only what concerns MPIs.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from jinja2 import PackageLoader

import raddle
from raddle.doctor.catalogue import Finding, Severity
from raddle.doctor.diagnosis import Diagnosis, shown
from raddle.doctor.document import Examined
from raddle.doctor.gain import Gain
from raddle.doctor.judge_binding import table_of_ranks
from raddle.environment import host, settings
from raddle.errors import UserError
from raddle.files import write_whole
from raddle.inspection.facts import Job, Machine
from raddle.paths import tilde
from raddle.report.page import machine as about
from raddle.report.page import when
from raddle.report.shell import Entry, asset, dress, templates
from raddle.report.text import without_controls
from raddle.wording import count

HEADINGS = {
    Severity.WRONG: "What is wrong",
    Severity.ADVICE: "What could be better",
    Severity.OK: "What is fine",
}


@dataclass(frozen=True)
class Told:
    """A finding of one MPI, with what its mend was measured to bring."""

    name: str
    severity: Severity
    accepted: bool
    seen: str
    matters: str
    do: str
    measured: list[str]


@dataclass(frozen=True)
class View:
    """One MPI."""

    anchor: str
    title: str
    identity: list[tuple[str, str]]
    findings: dict[Severity, list[Told]]
    trials: list[tuple[str, str, str]]  # name, outcome, what was seen
    settings: list[tuple[str, str]]  # of the user's environment
    changed: list[tuple[str, str, str]]  # control variable, value, default

    def number(self, severity: Severity) -> int:
        """How many findings of that kind it has."""
        return len(self.findings[severity])

    def severity_of(self, name: str) -> Severity | None:
        """Of a finding; None where it did not occur."""
        return next((kind for kind, found in self.findings.items() if any(one.name == name for one in found)), None)


def write(path: Path, machine: Machine, job: Job, examined: Sequence[Examined], accepted: Sequence[str]) -> None:
    """Raises UserError where there can be no such file."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, render(machine, job, examined, accepted).encode())
    except OSError as error:
        raise UserError(f"Cannot write {path}: {error.strerror}.") from error


def render(machine: Machine, job: Job, examined: Sequence[Examined], accepted: Sequence[str]) -> str:
    """The page."""
    views = [_view(one, number, job, accepted) for number, one in enumerate(examined)]
    text = (
        templates(PackageLoader("raddle.doctor_page"))
        .get_template("doctor.html.j2")
        .render(
            views=views,
            severities=list(HEADINGS),
            headings=HEADINGS,
            across=_across(views),
            entries=_entries(views),
            job=job,
            created=when(datetime.now(timezone.utc).isoformat(timespec="seconds")),
            version=raddle.__version__,
            command=" ".join(["raddle", *map(tilde, sys.argv[1:])]),
            machine=[*about(host()), *_more(machine)],
            environment=sorted(settings(os.environ).items()),
            **dress(asset("doctor.css", "raddle.doctor_page")),
        )
    )
    return without_controls(tilde(text))


def _view(one: Examined, number: int, job: Job, accepted: Sequence[str]) -> View:
    facts = one.facts
    identity = {
        "library": next(iter(facts.library.splitlines()), ""),
        "standard": f"MPI {facts.standard}" if facts.standard else "",
        "started as": f"{shown(facts.command)} PROGRAM, {count(job.threads, 'thread')} each" if facts.command else "",
        "thread levels": ", ".join(
            asked if asked == got else f"{asked} asked for, {got} provided" for asked, got in facts.levels.items()
        ),
        "contexts": "not told by this library" if facts.contexts is None else str(facts.contexts),
        "transport": facts.transport or "not told by this library",
        "CPUs": " ".join(table_of_ranks(facts.all).split()),
    }
    findings = {
        severity: [_told(each, one.gains, accepted) for each in one.diagnoses if each.severity is severity]
        for severity in HEADINGS
    }
    return View(
        anchor=f"mpi-{number}",
        title=f"{facts.title} {facts.version}",
        identity=[(name, value) for name, value in identity.items() if value],
        findings=findings,
        trials=[(each.name, each.outcome, each.words if each.failed else each.detail) for each in facts.trials],
        settings=sorted(facts.environment.items()),
        changed=[(name, str(value), str(default)) for name, (value, default) in facts.changed.items()],
    )


def _told(one: Diagnosis, gains: Sequence[Gain], accepted: Sequence[str]) -> Told:
    measured = [gain.words for gain in gains if gain.finding is one.finding]
    do = "" if one.do == "Nothing." else one.do
    return Told(str(one.finding), one.severity, str(one.finding) in accepted, one.seen, one.matters, do, measured)


def _across(views: Sequence[View]) -> list[tuple[str, list[Severity | None]]]:
    """Findings that are wrong or could be better on some MPI, in the order of the catalogue, and what each has."""
    rows = ((str(one), [view.severity_of(str(one)) for view in views]) for one in Finding)
    return [(name, found) for name, found in rows if {Severity.WRONG, Severity.ADVICE} & set(found)]


def _entries(views: Sequence[View]) -> list[Entry]:
    return [
        Entry("overview", "Overview", "Overview", ""),
        *(Entry(view.anchor, view.title, view.title, "MPIs") for view in views),
        Entry("environment", "Environment", "Environment", "How it was seen"),
    ]


def _more(machine: Machine) -> list[tuple[str, Any]]:
    """Of the machine what decides on copies between processes."""
    shm = "none" if machine.shm_mib < 0 else f"{machine.shm_mib} MiB, {machine.shm_free_mib} free"
    return [
        ("/dev/shm", shm),
        ("ptrace_scope", machine.ptrace_scope or "no such switch"),
        ("user", "root" if machine.root else "not root"),
    ]
