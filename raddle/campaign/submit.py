# SPDX-License-Identifier: BSD-3-Clause
"""Writes the script that submits a run as a job; submitting it is left to the user."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Sequence
from pathlib import Path

import typer
from rich.console import Console

from raddle.campaign import directory as run_directory
from raddle.campaign.prepare import build_programs, find_again, find_mpis
from raddle.campaign.session import Choices, make_plan, sayer, tell
from raddle.clusters import pbs, slurm
from raddle.clusters.allocation import Allocation
from raddle.clusters.job import Job, Wishes, generous, walltime
from raddle.clusters.nodes import NODES
from raddle.environment import allowed_cpus
from raddle.files import write_whole
from raddle.plan.document import Document
from raddle.plan.estimate import Estimate
from raddle.plan.request import Request
from raddle.units import duration

_SYSTEMS = {"slurm": slurm, "pbs": pbs}


def submit_run(
    request: Request,
    choices: Choices,
    out: Path | None,
    wishes: Wishes,
    words: Sequence[str],
    console: Console,
    *,
    show: bool,
) -> None:
    """Write the script of a new run that is called with `words`, or only show it. Raises UserError for a bad request.

    What the run needs is built here: where the job will be there may be no compiler.
    """
    say = sayer(console)
    mpis, _ = find_mpis(request, say)
    cpus = wishes.cpus or len(allowed_cpus())
    document = make_plan(request, choices, mpis, cpus=cpus, allocation=_future(wishes, NODES in request.placements))
    tell(document, mpis, console)
    if not show:
        build_programs(mpis, document, bool(request.mpis), say)
    target = out or run_directory.fresh()
    _, is_new = run_directory.create(target)  # refuses one that is in use
    if is_new:
        run_directory.forget(target)
    _write(document, target, _with_name(target), wishes, ["run", *words, "--out", str(target)], console, show=show)


def submit_resumed(target: Path, wishes: Wishes, console: Console, *, show: bool) -> None:
    """The same for what is left of a run in `target`."""
    document = Document.load(target)
    find_again(document)
    named = _with_name(target)
    beside = named.with_name(f"{named.name}-resumed")
    _write(document, target, beside, wishes, ["run", "--resume", str(target)], console, show=show)


def _raddle() -> list[str]:
    """What starts this raddle, from any directory: with `-m` a directory `raddle` where the job is would be it."""
    beside = Path(sys.executable).with_name("raddle")
    return [str(beside)] if beside.is_file() else [sys.executable, "-m", "raddle"]


def _with_name(target: Path) -> Path:
    """The same directory by a path that ends in its name, for what stands beside it."""
    return target if target.name not in ("", "..") else target.resolve()


def _future(wishes: Wishes, two: bool) -> Allocation:
    """The job as it will be, as far as a plan depends on it."""
    nodes = wishes.nodes or (2 if two else 1)
    return Allocation(wishes.scheduler, "", [f"node-{number}" for number in range(nodes)])


def _write(
    document: Document,
    target: Path,
    beside: Path,
    wishes: Wishes,
    words: Sequence[str],
    console: Console,
    *,
    show: bool,
) -> None:
    system = _SYSTEMS[wishes.scheduler]
    # A plan without an end goes on for as many blocks as it may.
    planned = Estimate().total(document.launches) * (document.max_blocks + document.spare_blocks) / document.blocks
    future = _future(wishes, NODES in document.request.placements)
    job = Job(
        wishes=wishes,
        nodes=len(future.nodes),
        cpus=wishes.cpus or document.cpus,
        seconds=wishes.seconds or generous(planned),
        directory=Path.cwd(),
        command=[*_raddle(), *words],
        log=beside.with_name(f"{beside.name}.log").absolute(),
    )
    text = system.text(job)
    if show:
        typer.echo(text, nl=False)
        return
    place = beside.with_name(f"{beside.name}.{system.SUBMIT}")
    write_whole(place, text.encode())
    asked = f"{job.nodes} node{'s' if job.nodes > 1 else ''}, {walltime(job.seconds)}"
    console.print(f"Written: {place} ({asked}; the plan takes about {duration(planned)})", markup=False)
    console.print(f"Submit it: {system.SUBMIT} {shlex.quote(str(place))}", markup=False)
    console.print(f"Results will be in {target}, what it prints in {job.log}", markup=False)
    typer.echo(place)  # alone on its stream, for scripts
