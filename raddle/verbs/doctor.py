# SPDX-License-Identifier: BSD-3-Clause
"""`raddle doctor`: what an MPI really gives to threads here, and which setting fixes what is wrong."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from raddle.errors import UserError
from raddle.plan.request import check_names
from raddle.plan.values import words


def doctor(
    mpi: Annotated[
        list[str] | None,
        typer.Option(
            "--mpi",
            metavar="NAMES",
            help="mpich, openmpi, intel, or the path of your own mpicc or its prefix. Default: all that are installed.",
        ),
    ] = None,
    processes: Annotated[
        int | None, typer.Option(min=1, max=4096, metavar="N", help="Judge for N processes on a node. Default: 2.")
    ] = None,
    threads: Annotated[
        int | None,
        typer.Option(
            min=1,
            max=4096,
            metavar="N",
            help="Judge for N threads in each. Default: OMP_NUM_THREADS, else what the CPUs allow; at least 2.",
        ),
    ] = None,
    measure: Annotated[
        bool, typer.Option("--measure", help="Measure what each setting brings. About a minute for an MPI.")
    ] = False,
    accept: Annotated[
        list[str] | None, typer.Option(metavar="FINDINGS", help="Findings to ignore for the exit status.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print facts and findings as JSON.")] = False,
    html: Annotated[
        Path | None, typer.Option("--html", metavar="PAGE", help="Write a page for others as well: one file, HTML.")
    ] = None,
    list_all: Annotated[bool, typer.Option("--list", help="Only list everything that can be found.")] = False,
) -> None:
    """Ask an MPI what it gives to threads, see what it really does, and name the setting that fixes what is wrong.

    Processes are started the way you start them, `mpiexec -n 2`, in your environment: thread levels, communication
    contexts, CPUs of each thread, settings, spawning, partitioned communication and its known defects.

    Examples:

    * `raddle doctor`
    * `raddle doctor --mpi ~/mpi/bin/mpicc --processes 4 --threads 8`
    * `raddle doctor --mpi mpich --measure`
    * `raddle doctor --html mpis.html`: what each MPI here gets wrong, and how that was seen, to be sent to others
    * `raddle doctor --json --accept partitioned-no-partner,spawn-fails`

    Exit status: 0 nothing is wrong, 1 something is, 2 bad request, 128+N ended by signal N.
    """
    # What asking needs takes a while to load; --help need not wait for it.
    from raddle.doctor.catalogue import Finding  # noqa: PLC0415
    from raddle.doctor.consultation import consult  # noqa: PLC0415
    from raddle.doctor.pages import markdown, styled  # noqa: PLC0415

    if list_all:
        console = Console()
        if console.is_terminal:
            console.print(styled())
        else:
            typer.echo(markdown(), nl=False)
        return
    accepted = words(accept)
    check_names("finding", accepted, map(str, Finding))
    keep = _page(html) if html else None
    raise typer.Exit(consult(words(mpi), processes, threads, accepted, measure=measure, as_json=as_json, keep=keep))


def _page(path: Path) -> Any:
    """What writes the page, once it is known that it can be written: asking takes a while."""
    from raddle.doctor_page.page import write  # noqa: PLC0415

    if path.is_dir():
        raise UserError(f"{path} is a directory.", hint=f"Name a file, as in --html {path / 'mpis.html'}.")

    def keep(*found: Any) -> None:
        write(path, *found)
        typer.echo(f"Page: {path}", err=True)

    return keep
