# SPDX-License-Identifier: BSD-3-Clause
"""The whole of `raddle doctor`: each MPI in turn is examined, judged, perhaps measured, and reported."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial

import typer
from rich.console import Console

from raddle.campaign.prepare import find_mpis
from raddle.campaign.tune import known, tune
from raddle.doctor.catalogue import Severity
from raddle.doctor.diagnosis import wrong
from raddle.doctor.document import Examined, document
from raddle.doctor.examine import Examination
from raddle.doctor.judge import judge
from raddle.doctor.judge_rivals import gains as found_before
from raddle.doctor.machine import job, machine
from raddle.doctor.measure import measure_gains
from raddle.doctor.rivals import measure_rivals
from raddle.doctor.table import report
from raddle.errors import UserError
from raddle.execute.signals import Signals
from raddle.inspection.ask import InterruptError
from raddle.inspection.facts import Behind, Job, Machine
from raddle.inspection.start import Starter
from raddle.mpi.find import Mpi
from raddle.native import build, ensure
from raddle.plan.request import Request


def consult(
    mpis: Sequence[str],
    processes: int | None,
    threads: int | None,
    accepted: Sequence[str],
    *,
    measure: bool,
    as_json: bool,
    keep: Callable[[Machine, Job, Sequence[Examined], Sequence[str]], None] | None = None,
) -> int:
    """Examine the MPIs named, or all; returns the exit status. What was found `keep` is told at the end.

    Raises UserError when there is none to look at.
    """
    here = machine()
    wanted = job(processes, threads, len(here.cpus))
    console = Console(highlight=False)
    # Progress goes to the other stream, so that what is said can be piped.
    beside = Console(stderr=True, highlight=False)
    chosen, _ = find_mpis(Request(mpis=list(mpis)), partial(beside.print, markup=False))
    examined: list[Examined] = []
    try:
        behind = _rivals(chosen, beside) if measure and len(here.cpus) > 1 else {}
    except InterruptError as error:
        return 128 + error.received
    for name, mpi in chosen.items():
        try:
            one = _examine(mpi, wanted, here, beside, behind.get(name, []), measure=measure)
        except InterruptError as error:
            return 128 + error.received
        except UserError as error:
            # One that just happens to be installed must not stop the others.
            if mpis or len(chosen) == 1:
                raise
            beside.print(f"{mpi.title} is left out: {error}", markup=False)
            continue
        examined.append(one)
        if not as_json:
            console.print(report(one.facts, wanted, one.diagnoses, one.gains, accepted))
            console.print()
    if not examined:
        raise UserError("No MPI could be examined.", hint="Why is said above; one alone: raddle doctor --mpi NAME")
    if keep:
        keep(here, wanted, examined, accepted)
    if as_json:
        typer.echo(document(here, wanted, examined, accepted))
    else:
        console.print(_conclusion(examined, accepted))
    return 1 if any(wrong(one.diagnoses, accepted) for one in examined) else 0


def _rivals(chosen: Mapping[str, Mpi], beside: Console) -> dict[str, list[Behind]]:
    """How far each is behind the best of all that there are, examined or not. Raises InterruptError."""
    everyone, _ = find_mpis(Request(), lambda _: None, distributions=True)
    with beside.status("all MPIs") as status, Signals() as signals:
        return measure_rivals({**everyone, **chosen}, signals, status.update)


def _examine(
    mpi: Mpi, wanted: Job, here: Machine, beside: Console, behind: Sequence[Behind], *, measure: bool
) -> Examined:
    """Raises InterruptError. Signals are only noted while processes run that must be ended: a build, or waiting for
    somebody else's, ends by them at once."""
    with beside.status(f"{mpi.title}") as status:

        def say(what: str) -> None:
            status.update(f"{mpi.title}: {what}")

        program = build(mpi, targets=["raddle-inspect"], report=say) / "bin" / "raddle-inspect"
        with Signals() as signals:
            facts = Examination(mpi, program, wanted, signals, say).ask_all()
        # What `tuned` was found to need is known from then on.
        tuned = tune({mpi.name: mpi}, say) if measure and facts.levels else known({mpi.name: mpi})
        facts.behind, facts.tuned = list(behind), dict(tuned[mpi.name].shapes) if mpi.name in tuned else {}
        diagnoses = judge(facts, wanted, here, mpi.family)
        gains = []
        if measure:
            starter = Starter(mpi, ensure(mpi, report=say) / "raddle-bench", facts.needs)
            with Signals() as signals:
                gains = measure_gains(starter, diagnoses, len(here.cpus), signals, say)
        gains += found_before(facts, diagnoses)
    return Examined(facts, diagnoses, gains)


def _conclusion(examined: Sequence[Examined], accepted: Sequence[str]) -> str:
    said = []
    for one in examined:
        bad = len(wrong(one.diagnoses, accepted))
        better = sum(each.severity is Severity.ADVICE for each in one.diagnoses)
        said.append(f"{one.facts.title}: {bad} wrong, {better} to improve")
    return ". ".join(said) + "."
