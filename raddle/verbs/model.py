# SPDX-License-Identifier: BSD-3-Clause
"""`raddle model`: what would happen on a machine that is not there."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from raddle.errors import UserError

model_app = typer.Typer(no_args_is_help=True, help="Predict what would happen on a larger machine.")


@model_app.callback()
def _group() -> None:
    """One command for each thing that can be predicted."""


@model_app.command()
def dsde(
    ranks: Annotated[str, typer.Option(metavar="SIZES", help="2^10..2^20, or 64,448,1024.")] = "2^10..2^20",
    neighbours: Annotated[
        float | None, typer.Option(min=1, metavar="K", help="Each rank sends to K others. Default: 16.")
    ] = None,
    fraction: Annotated[
        float | None, typer.Option(metavar="F", help="Each rank sends to this fraction of all: more than 0, at most 1.")
    ] = None,
    payload: Annotated[str, typer.Option("--bytes", metavar="SIZE", help="Of one message.")] = "1K",
    even: Annotated[
        bool, typer.Option("--even", help="Each receives as many as it sends; else they are drawn.")
    ] = False,
    ranks_per_node: Annotated[int, typer.Option(min=1, metavar="N", help="They share the node's link.")] = 1,
    cores: Annotated[int, typer.Option(min=0, metavar="N", help="Of a node; 0: one for each rank.")] = 0,
    parameters: Annotated[
        str | None,
        typer.Option(metavar="P|FILE", help="L=1.2us,o=0.35us,g=0.1us,G=0.05ns/B; node.L=... inside a node."),
    ] = None,
    fitted: Annotated[
        Path | None, typer.Option("--from", metavar="DIR", help="Fit them to a results directory of raddle run.")
    ] = None,
    mpi: Annotated[
        str | None, typer.Option(metavar="NAME", help="Which MPI of it; or which one to measure now.")
    ] = None,
    save: Annotated[Path | None, typer.Option(metavar="FILE", help="Keep the parameters, for --parameters.")] = None,
    simulate: Annotated[
        bool,
        typer.Option("--simulate", help="Also simulate the library's own algorithms, with SimGrid. Up to 1024 ranks."),
    ] = False,
    iterations: Annotated[int, typer.Option(min=1, metavar="N", help="Exchanges that are simulated.")] = 3,
    measured: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Results of the suite dsde to put beside it.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of tables.")] = False,
) -> None:
    """Predict a dynamic sparse data exchange: time, messages and memory of each algorithm, and which is the fastest.

    The model is LogGP: latency L, overhead o, gap g between messages, G between bytes. Parameters are given, fitted to
    results, or measured now between two processes of this machine. What MPIs do inside their collectives is part of it.

    Examples:

    * `raddle model dsde --parameters L=1.2us,o=0.35us,G=0.05ns/B`
    * `raddle model dsde --mpi openmpi --fraction 0.1 --ranks 64,448`
    * `raddle model dsde --from results/latest --save mine.toml`
    * `raddle model dsde --parameters mine.toml --ranks 64,448 --ranks-per-node 56 --simulate`
    """
    # Numbers and tables take a while to load; --help need not wait for it.
    from raddle.plan.values import numbers  # noqa: PLC0415
    from raddle.scale.session import Question, answer  # noqa: PLC0415
    from raddle.scale.workload import Workload  # noqa: PLC0415

    if fraction is not None and not 0 < fraction <= 1:
        raise UserError(f"--fraction cannot be {fraction:g}.", hint="It is more than 0, and at most 1.")
    if neighbours is not None and fraction is not None:
        raise UserError("--neighbours and --fraction contradict each other.", hint="Choose one.")
    if parameters and fitted:
        raise UserError("--parameters and --from contradict each other.", hint="Choose one.")
    sizes = numbers("bytes", [payload])
    if len(sizes) != 1:
        raise UserError(f"--bytes cannot be {payload!r}.", hint="Give one size: 1K")
    few = 16 if neighbours is None else neighbours
    spread = {"neighbours": few} if fraction is None else {"fraction": fraction}
    work = Workload(ranks=2, payload=sizes[0], even=even, **spread)
    question = Question(
        ranks=ranks,
        work=work,
        per_node=ranks_per_node,
        cores=cores,
        parameters=parameters,
        fitted=fitted,
        mpi=mpi,
        save=save,
        simulate=simulate,
        iterations=iterations,
        measured=measured,
    )
    answer(question, as_json, Console(highlight=False))
