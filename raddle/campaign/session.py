# SPDX-License-Identifier: BSD-3-Clause
"""A run from the request to the report; what `raddle run` does once its options are understood."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from random import SystemRandom

from rich.console import Console
from rich.markup import escape

from raddle.campaign.conduct import Campaign, Summary
from raddle.campaign.directory import create, forget, link_latest
from raddle.campaign.prepare import build_programs, find_again, find_mpis, plan
from raddle.campaign.progress import RunProgress
from raddle.campaign.resumed import record
from raddle.campaign.trials import try_partitioned
from raddle.campaign.tune import known, tune
from raddle.catalogue import catalogue
from raddle.clusters.allocation import Allocation, current, here
from raddle.environment import NoticeRecord, allowed_cpus, environment
from raddle.errors import UserError
from raddle.execute.journal import finished
from raddle.execute.starter import Starter
from raddle.inspection.ask import InterruptError
from raddle.model import TUNED
from raddle.mpi.find import Mpi
from raddle.notices import Notice
from raddle.plan.document import Document
from raddle.plan.estimate import Estimate
from raddle.plan.request import Request
from raddle.results.merged import Merged, write_merged
from raddle.say import Say
from raddle.tuning.tuned import Tuned
from raddle.units import duration

Report = Callable[[Path, Merged | None], object]
"""Is called with the directory of a run that has ended, whole or not, and what it measured. May raise UserError."""


@dataclass(frozen=True, kw_only=True)
class Choices:
    """How to measure what is asked for; None leaves the choice to the mode, or to chance."""

    blocks: int | None = None
    seed: int | None = None
    pin: str = "compact"
    time_limit: float | None = None


def start_run(
    request: Request, choices: Choices, out: Path | None, console: Console, report: Report | None = None
) -> int:
    """Measure into a new directory and report. Returns the exit status; raises UserError before the first launch.

    Progress goes to `console`.
    """
    say = sayer(console)
    allocation = here()
    # A job's nodes and launcher may have nothing for the distribution's MPIs, which nobody asked for.
    mpis, notices = find_mpis(request, say, distributions=allocation is None)
    cpus = len(allowed_cpus())
    try:
        tuned = tune(mpis, say) if TUNED in request.variants else {}
    except InterruptError as error:
        return 128 + error.received
    document = make_plan(request, choices, mpis, cpus=cpus, allocation=allocation, tuned=tuned)
    directory, is_new = create(out)
    try:
        mpis = {each.name: mpis[each.name] for each in document.mpis}
        programs, more = build_programs(mpis, document, bool(request.mpis), say)
        if more:
            notices += more
            mpis = {name: mpi for name, mpi in mpis.items() if name in programs}
            document = make_plan(request, choices, mpis, cpus=cpus, allocation=allocation, tuned=tuned)
        notices += [NoticeRecord(name=Notice.VARIANT_SKIPPED.value, detail=str(one)) for one in document.skipped]
        environment(sys.argv, document.seed, mpis, notices, allocation, tuned).save(directory)
        document.save(directory)
    except BaseException:
        if is_new:
            forget(directory)
        raise
    link_latest(directory)
    tell(document, mpis, console)
    return _measure(document, directory, Starter(directory, mpis, programs, allocation=allocation), console, report)


def resume_run(directory: Path, console: Console, report: Report | None = None) -> int:
    """Go on where the run in `directory` stopped, and report. Returns the exit status."""
    document = Document.load(directory)
    allocation = here()
    mpis = find_again(document)
    programs, _ = build_programs(mpis, document, True, sayer(console))
    if len(allowed_cpus()) != document.cpus:
        raise UserError(
            f"This run was planned for {document.cpus} CPUs, and {len(allowed_cpus())} are allowed now.",
            hint="Resume where it began (same machine, same taskset or batch job), or start a new run.",
        )
    if document.open_ended or {launch.launch for launch in document.launches} - finished(directory):
        record(directory, environment(sys.argv, document.seed, mpis, [], allocation), sayer(console))
    return _measure(document, directory, Starter(directory, mpis, programs, allocation=allocation), console, report)


def show_plan(request: Request, choices: Choices, console: Console) -> None:
    """Say what a run would do."""
    allocation = current()
    mpis, _ = find_mpis(request, sayer(console), distributions=allocation is None)
    tuned = known(mpis)  # what nobody has searched for yet is planned as it comes
    document = make_plan(request, choices, mpis, cpus=len(allowed_cpus()), allocation=allocation, tuned=tuned)
    tell(document, {each.name: mpis[each.name] for each in document.mpis}, console)
    out = Console(highlight=False, soft_wrap=True)
    for launch in document.launches:
        if launch.block == 0:
            out.print(f"{launch.kind}: {launch.points} points", markup=False)


def make_plan(
    request: Request,
    choices: Choices,
    mpis: Mapping[str, Mpi],
    *,
    cpus: int,
    allocation: Allocation | None,
    tuned: Mapping[str, Tuned] | None = None,
) -> Document:
    """The plan of a run on nodes with so many CPUs each, in a job or in none."""
    return plan(
        request,
        catalogue(),
        mpis,
        cpus=cpus,
        seed=SystemRandom().randrange(2**32) if choices.seed is None else choices.seed,
        blocks=choices.blocks,
        pin=choices.pin,
        time_limit=choices.time_limit,
        allocation=allocation,
        tuned=tuned,
    )


def tell(document: Document, mpis: Mapping[str, Mpi], console: Console) -> None:
    """What is about to happen, and what is not."""
    versions = ", ".join(mpi.title for mpi in mpis.values()) or "no MPI"
    block = [launch for launch in document.launches if launch.block == 0]
    points = sum(launch.points for launch in block)
    seconds = Estimate().total(document.launches)
    console.print(
        f"{versions}: {points} points in {len(block)} launches, {document.blocks} times; "
        f"about {duration(seconds)}, seed {document.seed}",
        markup=False,
    )
    for one in document.skipped:
        console.print(f"skipped: {one}", markup=False)


def _measure(document: Document, directory: Path, starter: Starter, console: Console, report: Report | None) -> int:
    summary = Campaign(document, directory, starter, RunProgress(console)).conduct()
    if not summary.interrupted:
        summary.interrupted = try_partitioned(document, starter.mpis, directory, sayer(console))
    if summary.interrupted:
        console.print(f"Stopped by {summary.interrupted.name}. Finished points are kept.")
        console.print(f"Go on with: raddle run --resume {escape(shlex.quote(str(directory)))}")
        if report:  # drawing takes longer than who has pressed Ctrl-C wants to wait
            console.print(f"See what there is: raddle report {escape(shlex.quote(str(directory)))}")
            report = None
    elif not summary.made:  # as of a run that is resumed for nothing
        console.print(f"Nothing was left to measure: the run in {directory} is finished.", markup=False)
    _sum_up(summary, console)
    try:
        merged = write_merged(directory)
        if report:
            report(directory, merged)
    except UserError as error:
        # A run that brought no row at all has nothing to report; why it did not has been said already.
        if not summary.exit_code:
            raise
        console.print(f"No report: {error}", markup=False)
    return summary.exit_code


def _sum_up(summary: Summary, console: Console) -> None:
    if not summary.failed:
        return
    points = sum(len(outcome.errors) for outcome in summary.failed)
    what = f"{len(summary.failed)} of {summary.made} launches failed" + (f", at {points} points" if points else "")
    console.print(f"[red]{what}.[/] What was measured is in the results.")


def sayer(console: Console) -> Say:
    """Prints what it is told, word for word."""
    return lambda text: console.print(text, markup=False)
