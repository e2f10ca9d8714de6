# SPDX-License-Identifier: BSD-3-Clause
"""`raddle check`: which rules of MPI the threads of a program break."""

from __future__ import annotations

import os
from typing import Annotated

import typer
from rich.console import Console

from raddle.under_raddle import Engine, Tool
from raddle.verbs.exec import Asked, prepared
from raddle.verbs.exec_options import Command, Endpoints, EngineName, MpiName, Out, Oversubscribe

TARGET = "raddle-check"
FILE = "check.json"
BROKEN = 1


def check(
    command: Command,
    out: Out = None,
    mpi: MpiName = None,
    engine: EngineName = Engine.direct,
    endpoints: Endpoints = None,
    oversubscribe: Oversubscribe = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print what is found as JSON, after the program's output.")
    ] = (False),
) -> None:
    """Run an MPI program and say which rules of MPI its threads break, with the lines of the source.

    The program runs as it is, in any language. Its input and output are its own; what Raddle says goes to the standard
    error, or with --json behind the program's output. Only what happens in this run is seen, and what may be right is
    not reported (docs/use/check.md). For lines compile with -g, and have binutils or elfutils installed.

    Examples:

    * `raddle check -- mpiexec -n 2 ./program`
    * `raddle check --json --out checked -- mpiexec -n 4 ./program input`

    Exit status: 1 where a rule is broken and the command ended with 0; else that of the command; 2 where it was not
    started, or called no MPI; 128 + N where signal N has ended it: what was seen is reported.
    """
    # What is not needed for `raddle --help` is loaded late.
    from raddle.campaign.directory import create, forget  # noqa: PLC0415
    from raddle.check.findings import document, found  # noqa: PLC0415
    from raddle.check.records import read  # noqa: PLC0415
    from raddle.check.terminal import show  # noqa: PLC0415
    from raddle.execute import conduct  # noqa: PLC0415
    from raddle.files import write_whole  # noqa: PLC0415
    from raddle.paths import tilde  # noqa: PLC0415
    from raddle.profile import record  # noqa: PLC0415

    asked = Asked(mpi, engine=engine, endpoints=endpoints, oversubscribe=oversubscribe)
    made, words, way = prepared(command, asked, besides=[TARGET])
    directory, is_new = create(out)
    processes = None
    try:
        raw = record.place(directory)
        # libraddle would ask for a higher level than the program does.
        level = os.environ.get("RADDLE_THREAD_LEVEL", "program")
        settings = {"_RADDLE_CHECK": str(raw), "RADDLE_THREAD_LEVEL": level}
        ran = conduct.run(*made.command(words, way, Tool(made.built / "lib" / f"lib{TARGET}.so", settings)))
        processes = read(raw)
        if processes:
            told = [tilde(word) for word in command]
            library = made.mpi.library.strip().split("\n")[0]
            result = found(processes, told, library, ran.status, interrupted=ran.received is not None)
            text = document(result)
            write_whole(directory / FILE, text)
    finally:
        record.clear(directory)
        if is_new:
            forget(directory)  # unless something was written
    if not processes:
        error = record.unseen(command, ran, "check")
        error.exit_code = ran.status or error.exit_code
        raise error
    if as_json:
        typer.echo(text.decode(), nl=False)
    else:
        show(result, Console(stderr=True, highlight=False))
    raise typer.Exit(ran.status or (BROKEN if result.broken else 0))
