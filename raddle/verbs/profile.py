# SPDX-License-Identifier: BSD-3-Clause
"""`raddle profile`: how much of a program's time its threads lose inside the MPI."""

from __future__ import annotations

import re
import sys
from datetime import datetime, timezone
from typing import Annotated

import typer
from rich.console import Console

from raddle.errors import UserError
from raddle.process_state import Wishes
from raddle.under_raddle import Engine, Tool
from raddle.verbs.exec import Asked, prepared
from raddle.verbs.exec_options import (
    Command,
    Endpoints,
    EngineName,
    MpiName,
    Out,
    Oversubscribe,
    Private,
    Shared,
    Threads,
)

_TRACE = "64M"
_SIZE = re.compile(r"(\d+)([kmg]?)(?:i?b)?", re.IGNORECASE)
_POWERS = {"": 0, "k": 10, "m": 20, "g": 30}


def profile(
    command: Command,
    out: Out = None,
    mpi: MpiName = None,
    trace: Annotated[
        str | None,
        typer.Option(
            "--trace",
            metavar="[=SIZE]",
            help="Write trace.json, for Perfetto: each call, up to SIZE of memory for each process (default: 64M).",
        ),
    ] = None,
    threads: Threads = None,
    private: Private = None,
    shared: Shared = None,
    engine: EngineName = Engine.direct,
    endpoints: Endpoints = None,
    oversubscribe: Oversubscribe = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the summary as JSON, after the program's output.")] = (
        False
    ),
) -> None:
    """Run an MPI program and say how much of its time its threads lose inside the MPI, and what would help at most.

    The program runs as it is, in any language. Its input, output and exit status are its own; what Raddle says goes to
    the standard error, or with --json behind the program's output. For each process, thread and communicator: time
    computing, communicating, waiting for partners and for locks of the MPI; who waited for whom; calls, sizes, CPUs.
    Then each remedy with what it would bring at most (docs/use/profile.md).

    Examples:

    * `raddle profile -- mpiexec -n 2 ./program`
    * `raddle profile --out before --trace=256M -- mpiexec -n 4 ./program input`
    * `raddle profile --threads-as-ranks 4 -- mpiexec -n 2 ./program.so`
    * `raddle compare before after`: two profiles

    Exit status: that of the command; 2 where it was not started, or called no MPI; 128 + N where signal N has ended it:
    what was seen is reported.
    """
    # What draws takes a second to load, which `raddle --help` must not wait for.
    from raddle.campaign.directory import create, forget, link_latest  # noqa: PLC0415
    from raddle.environment import environment  # noqa: PLC0415
    from raddle.execute import conduct  # noqa: PLC0415
    from raddle.profile import preload, record  # noqa: PLC0415
    from raddle.profile.read import read  # noqa: PLC0415
    from raddle.profile.report import make  # noqa: PLC0415
    from raddle.profile.summary import document  # noqa: PLC0415
    from raddle.profile.terminal import show  # noqa: PLC0415

    size, command = _trace(trace, command)
    wishes = Wishes(private or [], shared or [])
    if (private or shared) and not threads:
        raise UserError("--private and --shared are for --threads-as-ranks.", hint="Say --threads-as-ranks T.")
    asked = Asked(mpi, threads, wishes, engine, endpoints, oversubscribe)
    made, words, way = prepared(command, asked, besides=[preload.TARGET])
    directory, is_new = create(out)
    records = None
    try:
        raw = record.place(directory)
        started = made.command(words, way, Tool(preload.library(made.built), preload.environment(raw, trace=size)))
        began = datetime.now(timezone.utc)
        ran = conduct.run(*started)
        records = record.gathered(directory, command, made.mpi.library, began, ran, read)
        lost = record.traced(directory) if records and size else 0
    finally:
        record.clear(directory)  # all is in the records, and in the trace
        if is_new:
            forget(directory)  # unless something was recorded
    if not records:
        error = record.unseen(command, ran)
        error.exit_code = ran.status or error.exit_code
        raise error
    environment(sys.argv, 0, {made.mpi.name: made.mpi}).save(directory)
    found = make(directory, records)
    link_latest(directory)
    if as_json:
        typer.echo(document(found))
    else:
        show(found, Console(stderr=True, highlight=False), directory)
    if size:
        typer.echo(record.about_trace(directory, lost), err=True)
    raise typer.Exit(ran.status)


def _trace(given: str | None, command: list[str]) -> tuple[int, list[str]]:
    """The size of a trace in bytes (0: none), and the command. Raises UserError.

    The value of an option that was given none is the next word: the command's, or what divides that from options.
    """
    if given is None:
        return 0, command
    found = _SIZE.fullmatch(given)
    if found is None:
        if given.startswith("-") and given != "--":
            raise UserError(f"--trace is followed by {given}.", hint=f"Say --trace={_TRACE}, or another size.")
        command, found = ([] if given == "--" else [given]) + command, _SIZE.fullmatch(_TRACE)
    assert found
    return int(found[1]) << _POWERS[found[2].lower()], command
