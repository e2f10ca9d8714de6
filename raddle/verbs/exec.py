# SPDX-License-Identifier: BSD-3-Clause
"""`raddle exec`: runs an MPI program that was not linked with libraddle as if it were."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Annotated, NoReturn

import typer

from raddle.errors import UserError
from raddle.process_state import Wishes, explained, read
from raddle.threads_as_ranks import programs, with_paths
from raddle.under_raddle import Engine, Under, Way, proxies, under
from raddle.verbs.exec_options import Command, Endpoints, EngineName, MpiName, Oversubscribe, Private, Shared, Threads


def execute(
    command: Command,
    mpi: MpiName = None,
    threads: Threads = None,
    private: Private = None,
    shared: Shared = None,
    explain: Annotated[
        bool, typer.Option("--explain", help="Say what of the program is each rank's own, and run nothing.")
    ] = False,
    strict: Annotated[bool, typer.Option("--strict", help="Refuse a program that uses what ranks share.")] = False,
    engine: EngineName = Engine.direct,
    endpoints: Endpoints = None,
    oversubscribe: Oversubscribe = False,
) -> NoReturn:
    """Run an MPI program with libraddle between it and its MPI, without linking it anew.

    The library is built for the MPI that the launcher belongs to, or for the one that --mpi names (whose own mpiexec a
    bare `mpiexec` then is), and preloaded into the processes of the program. With srun the program decides, which has
    to be linked with that MPI: another one is an error. RADDLE_COUNT_CALLS=1 shows that calls pass through the library.

    With --threads-as-ranks a program that was written for processes runs with its ranks as threads: each has a copy of
    the program and of its libraries, and whatever else a process has of its own (docs/use/programs-as-they-are.md).
    Best is a program built with -fPIC -shared. What ranks share all the same is named in a warning.

    With --engine proxy each process of the program comes with E processes more, its proxies, which call the MPI for its
    endpoints; -n stays the number of the program's. Each proxy gets a core that the program leaves free.

    Examples:

    * `raddle exec -- mpiexec -n 4 ./program`
    * `raddle exec --mpi mpich -- mpiexec -n 4 ./program`: that MPI's own mpiexec
    * `raddle exec --mpi /opt/mpich -- srun --ntasks=4 ./program`
    * `raddle exec --threads-as-ranks 4 -- mpiexec -n 2 ./program.so`: 8 ranks in 2 processes
    * `raddle exec --threads-as-ranks 4 --explain -- mpiexec -n 2 ./program.so`: what each of them has of its own
    * `raddle exec --engine proxy --endpoints 4 -- mpiexec -n 2 ./program`: 2 processes and 8 proxies

    Exit status: that of the command; 2 where it was not started.
    """
    wishes = Wishes(private or [], shared or [])
    _only_with_threads(threads, wishes, explain=explain, strict=strict)
    asked = Asked(mpi, threads, wishes, engine, endpoints, oversubscribe)
    made, words, way = prepared(command, asked, explain=explain, strict=strict)
    become(*made.command(words, way))


@dataclass(frozen=True)
class Asked:
    """How a program is to run, as the options of a verb say it."""

    mpi: str | None = None
    threads: int | None = None
    wishes: Wishes = field(default_factory=lambda: Wishes([], []))
    engine: Engine = Engine.direct
    endpoints: int | None = None
    oversubscribe: bool = False


def prepared(
    command: Sequence[str], asked: Asked, *, besides: Sequence[str] = (), explain: bool = False, strict: bool = False
) -> tuple[Under, list[str], Way]:
    """What is built for a command (with the targets `besides`), its words behind the launcher, and how it runs.

    Raises UserError.
    """
    each = proxies(asked.engine, asked.endpoints, asked.threads, oversubscribe=asked.oversubscribe)
    # What the program writes may go through a pipe: what is said here does not belong there.
    made = under(command, asked.mpi, threads=bool(asked.threads), proxies=bool(each), report=_tell, besides=besides)
    words = with_paths(command[1:]) if asked.threads else list(command[1:])
    if asked.threads:
        _look(words, made, asked.wishes, explain=explain, strict=strict)
    return made, words, Way(asked.threads or 0, each, asked.oversubscribe, asked.wishes.words())


def _only_with_threads(threads: int | None, wishes: Wishes, *, explain: bool, strict: bool) -> None:
    given = {"--private": wishes.private, "--shared": wishes.shared, "--explain": explain, "--strict": strict}
    for option, value in given.items():
        if value and not threads:
            raise UserError(f"{option} is for --threads-as-ranks.", hint="Leave it out, or say --threads-as-ranks T.")


def _look(words: Sequence[str], made: Under, wishes: Wishes, *, explain: bool, strict: bool) -> None:
    """Says what the ranks of each program share, before anything is started."""
    for program in programs(words):
        found = read(made.starter, program, wishes, {**made.environment(), **made.mpi.env()})
        if explain:
            typer.echo("\n".join(explained(program, found)))
        elif found.problem:
            raise UserError(f"{program} cannot run with threads as ranks: {found.problem}")
        used = found.used()
        if strict and used:
            raise UserError(
                f"{program} uses what the ranks of a process share: {used[0].warning()}.",
                hint="Leave --strict out if its ranks may share that; --explain lists all of it.",
            )
        if not explain:
            for each in used:
                _tell(f"raddle: shared by the ranks of a process: {each.warning()}.")
    if explain:
        raise typer.Exit


def become(words: Sequence[str], env: dict[str, str]) -> NoReturn:
    """Goes on as this command: signals and exit status are then its own."""
    for number in (signal.SIGPIPE, signal.SIGXFSZ):  # ignored by Python, and so by all that it becomes
        signal.signal(number, signal.SIG_DFL)
    sys.stdout.flush()
    try:
        os.execve(words[0], list(words), env)
    except OSError as error:
        raise UserError(f"{words[0]} cannot be started: {error.strerror}") from error


def _tell(text: str) -> None:
    typer.echo(text, err=True)
