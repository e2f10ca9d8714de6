# SPDX-License-Identifier: BSD-3-Clause
"""The options of `raddle run` that make a job of it."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from raddle.clusters.job import Wishes, seconds_of
from raddle.errors import UserError

_PANEL = "As a job of a cluster"
# Their parameters: what is left out of the command in the job's script.
NAMES = frozenset({"slurm", "pbs", "nodes", "cpus", "walltime", "queue", "account", "job_option"})


def _option(*names: str, **settings: Any) -> Any:
    return typer.Option(*names, rich_help_panel=_PANEL, **settings)


Slurm = Annotated[bool, _option("--slurm", help="Measure nothing here: write a script for sbatch.")]
Pbs = Annotated[bool, _option("--pbs", help="Measure nothing here: write a script for qsub.")]
Nodes = Annotated[
    int | None,
    _option("--nodes", min=1, metavar="N", help="Nodes of the job. Default: 1, with --placement nodes 2."),
]
Cpus = Annotated[
    int | None,
    _option("--cpus", min=1, metavar="N", help="CPUs of a node, for the plan's time and PBS. Default: those of here."),
]
Walltime = Annotated[
    str | None, _option("--walltime", metavar="H:MM:SS", help="Longest time of the job. Default: from the plan.")
]
Queue = Annotated[str | None, _option("--queue", "--partition", metavar="NAME", help="Slurm's partition, PBS's queue.")]
Account = Annotated[str | None, _option("--account", metavar="NAME", help="Who pays.")]
JobOption = Annotated[
    list[str] | None,
    _option("--job-option", metavar="TEXT", help="Another option of sbatch or qsub: --job-option=--constraint=rome."),
]


def wishes(
    *,
    slurm: bool,
    pbs: bool,
    nodes: int | None,
    cpus: int | None,
    walltime: str | None,
    queue: str | None,
    account: str | None,
    options: list[str] | None,
) -> Wishes | None:
    """What was asked of a job; None where none was asked for. Raises UserError."""
    if slurm and pbs:
        raise UserError("--slurm and --pbs contradict each other.", hint="Choose one.")
    if not slurm and not pbs:
        if any(one is not None for one in (nodes, cpus, walltime, queue, account, options)):
            raise UserError("--nodes, --cpus, --walltime and the like are about a job.", hint="Add --slurm or --pbs.")
        return None
    return Wishes(
        scheduler="slurm" if slurm else "pbs",
        nodes=nodes,
        cpus=cpus,
        seconds=None if walltime is None else seconds_of(walltime),
        queue=queue,
        account=account,
        options=options or [],
    )
