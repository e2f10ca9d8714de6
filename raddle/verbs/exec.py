# SPDX-License-Identifier: BSD-3-Clause
"""`raddle exec`: runs an MPI program that was not linked with libraddle as if it were."""

from __future__ import annotations

import os
import re
import shutil
import signal
import sys
from collections.abc import Sequence
from enum import Enum
from pathlib import Path
from typing import Annotated, NoReturn

import typer

from raddle import native
from raddle.errors import UserError
from raddle.inspection.start import Starter
from raddle.launchers import LAUNCHERS
from raddle.launchers.base import Mpiexec
from raddle.launchers.nested import sharing
from raddle.mpi.find import Mpi, find, from_path, installed_mpi
from raddle.mpi.places import installed, prefix_of
from raddle.process_state import Wishes, explained, read
from raddle.threads_as_ranks import as_ranks, programs
from raddle.unbound import unbound
from raddle.with_proxies import settings, with_proxies

# mpiexec.mpich, mpirun.openmpi, mpiexec.hydra, mpirun-mpich-mp, mpiexec_mpt ...; orterun and prterun are Open MPI's.
_OF_AN_MPI = re.compile(r"(mpiexec|mpirun)([._-].+)?|orterun|prterun")
_VARIABLE = "LD_PRELOAD"


class Engine(str, Enum):
    """Of endpoints."""

    direct = "direct"
    proxy = "proxy"


# With these it begins to read its own options and not the command's.
CONTEXT = {"allow_interspersed_args": False, "ignore_unknown_options": True}


def execute(
    command: Annotated[list[str], typer.Argument(metavar="-- COMMAND...", help="mpiexec, mpirun or srun, and so on.")],
    mpi: Annotated[
        str | None,
        typer.Option("--mpi", metavar="NAME", help="mpich, openmpi, intel, or the path of an mpicc or its prefix."),
    ] = None,
    threads: Annotated[
        int | None,
        typer.Option("--threads-as-ranks", metavar="T", min=1, help="T threads of each process are ranks."),
    ] = None,
    private: Annotated[
        list[str] | None,
        typer.Option("--private", metavar="LIB", help="Each rank has its own copy of this library."),
    ] = None,
    shared: Annotated[
        list[str] | None,
        typer.Option("--shared", metavar="LIB", help="The ranks of a process share this library."),
    ] = None,
    explain: Annotated[
        bool, typer.Option("--explain", help="Say what of the program is each rank's own, and run nothing.")
    ] = False,
    strict: Annotated[bool, typer.Option("--strict", help="Refuse a program that uses what ranks share.")] = False,
    engine: Annotated[
        Engine, typer.Option("--engine", help="What moves the messages of endpoints (docs/endpoints.md).")
    ] = Engine.direct,
    endpoints: Annotated[
        int | None,
        typer.Option("--endpoints", metavar="E", min=1, max=1024, help="proxy: up to E endpoints for each process."),
    ] = None,
    oversubscribe: Annotated[
        bool, typer.Option("--oversubscribe", help="proxy: proxies may share cores with the program.")
    ] = False,
) -> NoReturn:
    """Run an MPI program with libraddle between it and its MPI, without linking it anew.

    The library is built for the MPI that the launcher belongs to, or for the one that --mpi names, and preloaded into
    the processes of the program. RADDLE_COUNT_CALLS=1 shows that their calls pass through it.

    With --threads-as-ranks a program that was written for processes runs with its ranks as threads: each has a copy of
    the program and of its libraries, and whatever else a process has of its own (docs/programs-as-they-are.md). Best is
    a program built with -fPIC -shared. What ranks share all the same is named in a warning.

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
    chosen = _named(mpi) if mpi else None
    launcher = _launcher(command[0], chosen)
    chosen = chosen or _owner(launcher)
    # What the program writes may go through a pipe: what is said here does not belong there.
    each = proxies(engine, endpoints, threads, oversubscribe=oversubscribe)
    targets = ["raddle", *(["raddle-ranks"] if threads else []), *(["raddle-proxy"] if each else [])]
    built = native.build(chosen, targets=targets, report=_tell)
    library = built / "lib" / "libraddle.so"
    env = {**os.environ, **sharing(), **Starter(chosen, library).place()}
    given = command[1:]
    if threads:
        starter = built / "bin" / "raddle-ranks"
        _look(given, starter, wishes, {**env, **chosen.env()}, explain=explain, strict=strict)
        given = as_ranks(given, threads, starter, wishes.words())
    if each:
        given = with_proxies(launcher.name, given, each)
        env |= settings(each, oversubscribe=oversubscribe)
        if launcher.name != "srun":
            given, settings_of_binding = unbound(given, chosen)
            env |= settings_of_binding
    words = [str(launcher), *preloading(given, launcher.name, chosen, library)]
    become(words, env)


def _only_with_threads(threads: int | None, wishes: Wishes, *, explain: bool, strict: bool) -> None:
    given = {"--private": wishes.private, "--shared": wishes.shared, "--explain": explain, "--strict": strict}
    for option, value in given.items():
        if value and not threads:
            raise UserError(f"{option} is for --threads-as-ranks.", hint="Leave it out, or say --threads-as-ranks T.")


def _look(
    words: Sequence[str], starter: Path, wishes: Wishes, env: dict[str, str], *, explain: bool, strict: bool
) -> None:
    """Says what the ranks of each program share, before anything is started."""
    for program in programs(words):
        found = read(starter, program, wishes, env)
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


def proxies(engine: Engine, endpoints: int | None, threads: int | None, *, oversubscribe: bool) -> int:
    """How many each process gets: where nobody says it, one for each thread that is a rank. Raises UserError."""
    if engine is not Engine.proxy:
        for option, given in (("--endpoints", endpoints), ("--oversubscribe", oversubscribe)):
            if given:
                raise UserError(f"{option} is for --engine proxy.", hint="Leave it out, or say --engine proxy.")
        return 0
    if found := endpoints or threads:
        return found
    raise UserError("--engine proxy needs a number of proxies.", hint="Say --endpoints E.")


def preloading(words: Sequence[str], launcher: str, mpi: Mpi, library: Path) -> list[str]:
    """The launcher's words with those that preload the library into the processes it starts, and not into itself."""
    if any(word.partition("=")[0] == _VARIABLE for word in words):
        raise UserError(
            f"The command sets {_VARIABLE} itself.",
            hint="Set it in the environment of raddle: what it names then comes before libraddle.",
        )
    if set(str(library)) & set(" :,"):
        raise UserError(
            f"{_VARIABLE} cannot name {library}: it ends names at spaces and colons, and launchers at commas.",
            hint="Move the checkout of Raddle to a path without them.",
        )
    # Another tool's library stays in front: it sees the program's calls first.
    value = ":".join(filter(None, [os.environ.get(_VARIABLE), str(library)]))
    if launcher == "srun":
        return [_export(words, value), *words]
    setting = _setting(mpi, value)
    # PRRTE's setting is one of a part of the job.
    again = {":": [":", *setting]} if mpi.family.launcher == "prrte" else {}
    return [*setting, *(given for word in words for given in again.get(word, [word]))]


def become(words: Sequence[str], env: dict[str, str]) -> NoReturn:
    """Goes on as this command: signals and exit status are then its own."""
    for number in (signal.SIGPIPE, signal.SIGXFSZ):  # ignored by Python, and so by all that it becomes
        signal.signal(number, signal.SIG_DFL)
    sys.stdout.flush()
    try:
        os.execve(words[0], list(words), env)
    except OSError as error:
        raise UserError(f"{words[0]} cannot be started: {error.strerror}") from error


def _export(words: Sequence[str], value: str) -> str:
    if any(word.partition("=")[0] == "--export" for word in words):
        raise UserError(
            "srun is given an --export of its own.", hint="Leave it out, and set the variables in the environment."
        )
    return f"--export=ALL,{_VARIABLE}={value}"


def _setting(mpi: Mpi, value: str) -> list[str]:
    launcher = LAUNCHERS[mpi.family.launcher]()
    if words := launcher.setting(_VARIABLE, value) if isinstance(launcher, Mpiexec) else []:
        return words
    raise UserError(
        f"Raddle does not know how the mpiexec of {mpi.prefix} gives a variable to its processes alone.",
        hint="Link the program with -lraddle before -lmpi instead (docs/interception.md).",
    )


def _named(word: str) -> Mpi:
    (mpi,) = find([word])
    return mpi


def _launcher(word: str, mpi: Mpi | None) -> Path:
    """Where the launcher is. A bare name is that of the MPI that was asked for, else the one in PATH."""
    name = Path(word).name
    if name != "srun" and not _OF_AN_MPI.fullmatch(name):
        raise UserError(
            f"'{word}' is no launcher of MPI programs.", hint="Begin the command with mpiexec, mpirun or srun."
        )
    beside = mpi.mpiexec.with_name(word) if mpi and "/" not in word else None
    found = str(beside) if beside and beside.exists() else shutil.which(word)
    if not found:
        raise UserError(f"{word} not found.", hint="Give its path, or an MPI: raddle exec --mpi NAME -- mpiexec ...")
    return Path(found).absolute()


def _owner(launcher: Path) -> Mpi:
    """The MPI that a launcher belongs to."""
    for family in installed():
        if launcher.parent == prefix_of(family) / "bin":
            return installed_mpi(family)
    mpicc = _compiler_of(launcher)
    if launcher.name == "srun" or not mpicc.exists():
        raise UserError(f"Which MPI the program uses cannot be told by {launcher}.", hint="Name it: --mpi PATH")
    return from_path(mpicc)


def _compiler_of(launcher: Path) -> Path:
    """Where several MPIs are in one directory, their commands are told apart by what follows the name."""
    ending = re.sub("^(mpiexec|mpirun)", "", launcher.name)
    own = launcher.with_name(f"mpicc{ending}")
    return own if own.exists() else launcher.with_name("mpicc")


def _tell(text: str) -> None:
    typer.echo(text, err=True)
