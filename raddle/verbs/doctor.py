# SPDX-License-Identifier: BSD-3-Clause
"""`raddle doctor`: what an MPI really gives to threads here, and what mends what is missing."""

from __future__ import annotations

from typing import Annotated

import typer

from raddle.plan.request import check_names
from raddle.plan.values import words


def doctor(
    mpi: Annotated[
        list[str] | None,
        typer.Option(
            "--mpi",
            metavar="NAMES",
            help="mpich, openmpi, intel, or the path of your own mpicc or its prefix. All installed ones by default.",
        ),
    ] = None,
    processes: Annotated[
        int | None, typer.Option(min=1, max=4096, metavar="N", help="Judge for so many processes on a node. 2.")
    ] = None,
    threads: Annotated[
        int | None,
        typer.Option(
            min=1,
            max=4096,
            metavar="N",
            help="Judge for so many threads in each. OMP_NUM_THREADS, or what the CPUs allow; 2 at least.",
        ),
    ] = None,
    measure: Annotated[
        bool, typer.Option("--measure", help="Measure what each setting brings. About a minute for an MPI.")
    ] = False,
    accept: Annotated[
        list[str] | None, typer.Option(metavar="FINDINGS", help="What is known and shall not make the status 1.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print facts and findings as JSON.")] = False,
    list_all: Annotated[bool, typer.Option("--list", help="Only list everything that can be found.")] = False,
) -> None:
    """Ask an MPI what it gives to threads, see what it really does, and say what mends what is missing.

    Processes are started the way you start them, `mpiexec -n 2`, in your environment: thread levels, communication
    contexts, CPUs of each thread, settings, spawning, partitioned communication and its known defects.

    Examples:

    * `raddle doctor`
    * `raddle doctor --mpi ~/mpi/bin/mpicc --processes 4 --threads 8`
    * `raddle doctor --mpi mpich --measure`
    * `raddle doctor --json --accept partitioned-no-partner,spawn-fails`

    Exit status: 0 nothing is wrong, 1 something is, 2 bad request, 128+N ended by signal N.
    """
    # What asking needs takes a while to load; --help need not wait for it.
    from raddle.doctor.catalogue import Finding  # noqa: PLC0415
    from raddle.doctor.consultation import consult  # noqa: PLC0415
    from raddle.doctor.pages import markdown  # noqa: PLC0415

    if list_all:
        typer.echo(markdown(), nl=False)
        return
    accepted = words(accept)
    check_names("finding", accepted, map(str, Finding))
    raise typer.Exit(consult(words(mpi), processes, threads, accepted, measure=measure, as_json=as_json))
