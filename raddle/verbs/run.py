# SPDX-License-Identifier: BSD-3-Clause
"""`raddle run`: measure."""

from __future__ import annotations

import typer
from rich.console import Console

from raddle.catalogue import catalogue
from raddle.errors import UserError
from raddle.model import Value
from raddle.plan.request import Request, check_names
from raddle.plan.values import numbers, settings, words
from raddle.verbs import run_options as options


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
) -> None:
    """Measure processes, threads, lanes and endpoints side by side on every MPI, and report.

    Every launch of every MPI is repeated in shuffled blocks, the machine's own limit among them, so that whatever else
    the machine does hits all alike. What was measured is kept, however the run ends.

    Results are in **results/TIME**, also called **results/latest**: report.html, tables.csv, plots/ and results.jsonl.

    Examples:

    * `raddle run --quick`
    * `raddle run msgrate --mpi mpich,openmpi --threads 1,2`
    * `raddle run thakur-gropp --quick`
    * `raddle run latency --bytes 0,8,64K --mpi ~/mpi/bin/mpicc --out /tmp/mine`
    * `raddle run --resume results/latest`

    Exit status: 0 all measured, 1 a launch failed, 2 bad request, 3 data arrived changed, 128+N ended by signal N.
    """
    # What measuring needs takes most of a second to load; --help and the other verbs need not wait for it.
    from raddle.campaign.session import Choices, resume_run, show_plan, start_run  # noqa: PLC0415

    console = Console(stderr=True, highlight=False, soft_wrap=True)
    if resume is not None:
        chosen = [name for name in context.params if _was_typed(context, name) and name != "resume"]
        if chosen:
            raise UserError("--resume goes on as it was planned.", hint="Leave other options out, or start a new run.")
        raise typer.Exit(resume_run(resume, console))
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
    if dry_run:
        show_plan(request, choices, console)
        return
    raise typer.Exit(start_run(request, choices, out, console))


def _was_typed(context: typer.Context, name: str) -> bool:
    source = context.get_parameter_source(name)
    return source is not None and source.name == "COMMANDLINE"
