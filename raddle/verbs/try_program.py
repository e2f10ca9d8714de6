# SPDX-License-Identifier: BSD-3-Clause
"""`raddle try`: what a program would gain with threads as ranks."""

from __future__ import annotations

import secrets
import sys
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from raddle import native
from raddle.belonging import SRUN, refuse_missing
from raddle.campaign.directory import create, forget, link_latest
from raddle.errors import UserError
from raddle.process_state import Wishes
from raddle.trial.output import Rules, pattern
from raddle.trial.shapes import asked, shapes
from raddle.under_raddle import under


def try_program(
    command: Annotated[list[str], typer.Argument(metavar="-- COMMAND...", help="mpiexec -n N ./program, or srun.")],
    mpi: Annotated[
        str | None,
        typer.Option("--mpi", metavar="NAME", help="mpich, openmpi, intel, or the path of an mpicc or its prefix."),
    ] = None,
    as_ranks: Annotated[
        str | None,
        typer.Option("--as-ranks", metavar="PATH", help="The program built with -fPIC -shared (default: beside it)."),
    ] = None,
    shape: Annotated[
        list[str] | None,
        typer.Option("--shape", metavar="PxT", help="P processes of T threads; repeat it (default: all that fit N)."),
    ] = None,
    engine: Annotated[
        list[str] | None, typer.Option("--engine", metavar="NAME", help="direct or proxy; repeat it for both.")
    ] = None,
    metric: Annotated[
        list[str] | None,
        typer.Option(
            "--metric",
            metavar="REGEX",
            help="A figure that it writes: the first group, named by (?P<NAME>...).",
        ),
    ] = None,
    lower_is_better: Annotated[
        bool, typer.Option("--lower-is-better", help="Of these figures (default: higher is).")
    ] = False,
    file: Annotated[
        list[Path] | None,
        typer.Option("--file", metavar="PATH", help="One that the program writes: compared as its output is."),
    ] = None,
    ignore: Annotated[
        list[str] | None,
        typer.Option("--ignore", metavar="REGEX", help="Text that may differ, such as times. Repeatable."),
    ] = None,
    tolerance: Annotated[
        float, typer.Option("--tolerance", metavar="R", min=0.0, help="By what part numbers may differ.")
    ] = 0.0,
    blocks: Annotated[
        int, typer.Option("--blocks", metavar="B", min=0, help="Runs of each shape; 6 are the fewest with an interval.")
    ] = 6,
    private: Annotated[list[str] | None, typer.Option("--private", metavar="LIB", help="As of raddle exec.")] = None,
    shared: Annotated[list[str] | None, typer.Option("--shared", metavar="LIB", help="As of raddle exec.")] = None,
    time_limit: Annotated[
        float, typer.Option("--time-limit", metavar="S", min=0.1, help="Of one run, in seconds.")
    ] = 600.0,
    status: Annotated[int, typer.Option("--status", metavar="N", help="That the program is to end with.")] = 0,
    seed: Annotated[int | None, typer.Option("--seed", metavar="N", help="Of the order of runs.")] = None,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="DIR", help="For the results (default: results/TIME).")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the result as JSON.")] = False,
    as_markdown: Annotated[bool, typer.Option("--markdown", help="Print the result as Markdown.")] = False,
) -> None:
    """Run a program as processes and with threads as ranks, in turn, and say what it gains.

    The program runs as it is in N processes, and with its N ranks as threads of one process and of several. Exit status
    and output have to agree. Then all shapes run in random order, block by block; wall time, CPU time, memory and the
    program's own figures are compared with those of processes in the same block.

    Examples:

    * `raddle try -- mpiexec -n 4 ./program`
    * `raddle try --metric 'FOM *= *([0-9.]+)' --ignore '[0-9.]+ s' -- mpiexec -n 4 ./program input`
    * `raddle try --as-ranks ./program.so --shape 1x4 --blocks 12 -- mpiexec -n 4 ./program`

    Exit status: 0 tried and the same, 1 something that was written or an exit status differs, 2 bad request, 128 + N
    where signal N has ended it: what was measured is kept.
    """
    # Statistics take a second to load, which `raddle --help` must not wait for.
    from raddle.environment import environment  # noqa: PLC0415
    from raddle.execute.journal import Journal  # noqa: PLC0415
    from raddle.execute.signals import Signals  # noqa: PLC0415
    from raddle.execute.state_probe import StateProbe  # noqa: PLC0415
    from raddle.inspection.ask import InterruptError  # noqa: PLC0415
    from raddle.results.merged import write_merged  # noqa: PLC0415
    from raddle.trial import conduct  # noqa: PLC0415
    from raddle.trial.summary import document, markdown, save, show, summary  # noqa: PLC0415

    engines = engine or ["direct"]
    for name in engines:
        if name not in ("direct", "proxy"):
            raise UserError(f"There is no engine '{name}'.", hint="Say direct or proxy.")
    rules = Rules([pattern(text, "--ignore") for text in ignore or []], tolerance)
    better = "lower" if lower_is_better else "higher"
    metrics = [conduct.Metric.of(pattern(text, "--metric"), better) for text in metric or []]
    if Path(command[0]).name != SRUN:
        refuse_missing(command[1:])
    said = asked(Path(command[0]).name, command[1:])
    wanted = shapes(said.ranks, shape or [], engines)
    made = under(command, mpi, threads=True, proxies="proxy" in engines, report=_tell)
    wishes = Wishes(private or [], shared or [])
    form = conduct.form_for_ranks(made, said.program, as_ranks, wishes)
    trial = conduct.Trial(made, said, form, wishes, rules, metrics, time_limit, status, file or [])
    probe = StateProbe(native.ensure(None, report=_tell) / "raddle-probe")
    chosen = secrets.randbits(48) if seed is None else seed
    directory, is_new = create(out)
    tried: list[conduct.Tried] = []
    unsteady: list[str] = []
    interrupted = 0
    try:
        with Signals() as signals, probe, conduct.set_aside(trial.files):
            tried = conduct.check(trial, wanted, signals, _tell)
            environment(sys.argv, chosen, {made.mpi.name: made.mpi}).save(directory)
            with Journal(directory) as journal:
                conduct.measure(trial, tried, blocks, chosen, journal, signals, probe, _tell)
            if any(each.differences for each in tried):
                unsteady = conduct.again(trial, tried[0], signals)
    except InterruptError as error:
        interrupted = 128 + error.received
    finally:
        if is_new:
            forget(directory)  # unless something was measured
    if not tried:
        raise typer.Exit(interrupted)
    merged = write_merged(directory)
    found = summary(trial, tried, merged.rows if merged else [], unsteady)
    save(found, directory)
    link_latest(directory)
    if as_json:
        typer.echo(document(found))
    elif as_markdown:
        typer.echo(markdown(found), nl=False)
    else:
        show(found, Console(highlight=False))
    _tell(f"Results: {directory}")
    raise typer.Exit(interrupted or (0 if found.good else 1))


def _tell(text: str) -> None:
    typer.echo(text, err=True)
