# SPDX-License-Identifier: BSD-3-Clause
"""`raddle run`: measure."""

from __future__ import annotations

from collections.abc import Container
from pathlib import Path
from typing import TYPE_CHECKING

import typer
from rich.console import Console

from raddle.catalogue import catalogue
from raddle.errors import UserError
from raddle.model import Value
from raddle.plan.request import Request, check_names
from raddle.plan.values import numbers, settings, words
from raddle.verbs import job_options as jobs
from raddle.verbs import run_options as options

if TYPE_CHECKING:
    from raddle.results.merged import Merged


def run(
    context: typer.Context,
    benchmarks: options.Benchmarks = None,
    mpi: options.Mpis = None,
    variant: options.Variants = None,
    placement: options.Placements = None,
    profile: options.Profile = None,
    bytes_: options.Bytes = None,
    threads: options.Threads = None,
    window: options.Window = None,
    param: options.Param = None,
    quick: options.Quick = False,
    publish: options.Publish = False,
    blocks: options.Blocks = None,
    seed: options.Seed = None,
    pin: options.Pin = "compact",
    time_limit: options.TimeLimit = None,
    out: options.Out = None,
    resume: options.Resume = None,
    dry_run: options.DryRun = False,
    slurm: jobs.Slurm = False,
    pbs: jobs.Pbs = False,
    nodes: jobs.Nodes = None,
    cpus: jobs.Cpus = None,
    walltime: jobs.Walltime = None,
    queue: jobs.Queue = None,
    account: jobs.Account = None,
    job_option: jobs.JobOption = None,
) -> None:
    """Measure processes, threads, lanes and endpoints side by side on every MPI, and report.

    Every launch of every MPI, and of `physical`, the same work without an MPI, is repeated in shuffled blocks, so that
    whatever else the machine does hits all alike. What was measured is kept, however the run ends. Headline ratios are
    against the best processes of any MPI, so the MPIs that the distribution packages are measured as well, where they
    are installed: of them just processes, unless **--mpi** names them.

    Results are in **results/TIME**, also called **results/latest**: report.html, tables.csv, plots/ and results.jsonl.

    Examples:

    * `raddle run --quick`
    * `raddle run msgrate --mpi mpich,openmpi --threads 1,2`
    * `raddle run thakur-gropp --quick`
    * `raddle run latency --bytes 0,8,64K --mpi ~/mpi/bin/mpicc --out /tmp/mine`
    * `raddle run --resume results/latest`
    * `raddle run latency --placement node,nodes --slurm --queue short`: a script for sbatch

    Exit status: 0 all measured, 1 a launch failed, 2 bad request, 3 data arrived changed, 128+N ended by signal N.
    """
    # What measuring needs takes most of a second to load; --help and the other verbs need not wait for it.
    from raddle.campaign.session import Choices, resume_run, show_plan, start_run  # noqa: PLC0415
    from raddle.campaign.submit import submit_resumed, submit_run  # noqa: PLC0415
    from raddle.report.make import make_report  # noqa: PLC0415

    console = Console(stderr=True, highlight=False, soft_wrap=True)

    def report(directory: Path, merged: Merged | None) -> None:
        make_report(directory, Console(highlight=False), merged)

    job = jobs.wishes(
        slurm=slurm, pbs=pbs, nodes=nodes, cpus=cpus, walltime=walltime, queue=queue, account=account,
        options=job_option,
    )  # fmt: skip
    if resume is not None:
        own = {"resume", *(("dry_run", *jobs.NAMES) if job else ())}
        if any(_was_typed(context, name) for name in context.params if name not in own):
            raise UserError("--resume goes on as it was planned.", hint="Leave other options out, or start a new run.")
        if job:
            submit_resumed(resume, job, console, show=dry_run)
            return
        raise typer.Exit(resume_run(resume, console, report))
    if quick and publish:
        raise UserError("--quick and --publish contradict each other.", hint="Choose one.")
    check_names("way to --pin", [pin], ["compact", "spread", "none"])
    typed = {"bytes": bytes_, "threads": threads, "window": window}
    params: dict[str, list[Value]] = settings(param)
    for name, texts in typed.items():
        if values := numbers(name, texts):
            params[name] = list(values)
    request = Request(
        benchmarks=words(benchmarks),
        mode="quick" if quick else "publish" if publish else "default",
        mpis=words(mpi),
        variants=words(variant),
        placements=words(placement),
        profile=profile,
        params=params,
    ).checked(catalogue())
    choices = Choices(blocks=blocks, seed=seed, pin=pin, time_limit=time_limit)
    if job:
        command = _typed_words(context, leaving={"out", "dry_run", *jobs.NAMES})
        submit_run(request, choices, out, job, command, console, show=dry_run)
        return
    if dry_run:
        show_plan(request, choices, console)
        return
    raise typer.Exit(start_run(request, choices, out, console, report))


def _typed_words(context: typer.Context, leaving: Container[str]) -> list[str]:
    """The command line again, as it was understood, without these parameters."""
    words: list[str] = []
    for parameter in context.command.params:
        name = str(parameter.name)
        if name in leaving or not _was_typed(context, name):
            continue
        value = context.params[name]
        if parameter.param_type_name == "argument":
            words += map(str, value)
        elif value is True:
            words.append(parameter.opts[0])
        else:
            each = value if isinstance(value, list | tuple) else [value]
            words += [word for one in each for word in (parameter.opts[0], str(one))]
    return words


def _was_typed(context: typer.Context, name: str) -> bool:
    source = context.get_parameter_source(name)
    return source is not None and source.name == "COMMANDLINE"
