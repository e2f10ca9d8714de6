# SPDX-License-Identifier: BSD-3-Clause
"""Which MPI a launcher's command is of: what --mpi names, the launcher and the program have to be of one.

With another MPI's launcher each process would be alone, and with another one's libraddle it would crash.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from raddle.errors import UserError
from raddle.mpi.find import ABI, Mpi, find, from_path, installed_mpi
from raddle.mpi.linked import Library, linked
from raddle.mpi.owner import owner
from raddle.mpi.places import installed, prefix_of
from raddle.threads_as_ranks import parts, with_paths

SRUN = "srun"
# mpiexec.mpich, mpirun.openmpi, mpiexec.hydra, mpirun-mpich-mp, mpiexec_mpt ...; orterun and prterun are Open MPI's.
_OF_AN_MPI = re.compile(r"(mpiexec|mpirun)([._-].+)?|orterun|prterun")
# Launchers whose name says whose they are: what the compiler beside them may be called.
_TELLING = {"orterun": "mpicc.openmpi", "prterun": "mpicc.openmpi", "mpiexec.hydra": "mpicc.mpich"}
# With these the program, or how it is found, is not among a launcher's words as it is here.
_ELSEWHERE = re.compile(
    r"--?(configfile|app|multi-prog|f|hosts?|hostfile|machinefile|wdir|wd|path|version|help|info|ssh|launcher-exec)"
)


def launched(command: Sequence[str], named: str | None) -> tuple[Mpi, Path]:
    """The MPI of a launcher's command, and where the launcher is. Raises UserError where it is of two."""
    chosen = find([named])[0] if named else None
    launcher = found_launcher(command[0], chosen)
    if chosen:
        _refuse_launcher(launcher, chosen)
    return chosen or owner_of(launcher, command[1:]), launcher


def found_launcher(word: str, mpi: Mpi | None) -> Path:
    """Where the launcher is. A bare name is that of the MPI that was asked for, else the one in PATH."""
    name = Path(word).name
    if word.startswith("-"):
        raise UserError(f"No such option: {word}.", hint="--help lists those there are; the program's come after --.")
    if name != SRUN and not _OF_AN_MPI.fullmatch(name):
        raise UserError(
            f"'{word}' is no launcher of MPI programs.", hint="Begin the command with mpiexec, mpirun or srun."
        )
    beside = None
    if mpi and "/" not in word:
        # In a directory of several MPIs the bare name is another's: a distribution's, of whatever it prefers.
        beside = mpi.mpiexec if name in ("mpiexec", "mpirun") else mpi.mpiexec.with_name(word)
    found = str(beside) if beside and beside.exists() else shutil.which(word)
    if not found:
        raise UserError(f"{word} not found.", hint="Give its path, or an MPI: raddle exec --mpi NAME -- mpiexec ...")
    return Path(found).absolute()


def owner_of(launcher: Path, words: Sequence[str]) -> Mpi:
    """The MPI that a launcher belongs to; of one that belongs to none, that of the program."""
    for family in installed():
        if launcher.parent == prefix_of(family) / "bin":
            return _for(installed_mpi(family), words)
    mpicc = compiler_of(launcher)
    if mpicc:
        return _for(from_path(mpicc), words)
    for _, library in _programs(words, {}):
        if mpi := owner(library):
            return mpi
    refuse_missing(words)
    none = "srun starts programs of any MPI" if launcher.name == SRUN else f"There is no mpicc beside {launcher}"
    raise UserError(
        f"{none}, and which MPI the program uses cannot be told by the program.",
        hint="Name the MPI by its mpicc: --mpi PATH",
    )


def compiler_of(launcher: Path) -> Path | None:
    """Where several MPIs are in one directory, their commands are told apart by what follows the name, or by what the
    name is a link to."""
    if launcher.name == SRUN:
        return None
    candidates = []
    for name in _names(launcher):
        candidates.append(_TELLING.get(name, ""))
        candidates.append("mpicc" + re.sub("^(mpiexec|mpirun)", "", name))
    found = (launcher.with_name(name) for name in candidates if name not in ("", "mpicc"))
    return next((path for path in (*found, launcher.with_name("mpicc")) if path.exists()), None)


def refuse(words: Sequence[str], launcher: Path, mpi: Mpi, env: Mapping[str, str]) -> None:
    """Raises UserError for a program that is not there, or is linked with another MPI than its launcher's."""
    if launcher.name != SRUN:  # which says it well, and may start it where this machine's files are not
        refuse_missing(words)
    for program, library in _programs(words, env):
        if other := _another(library, mpi, any_launcher=launcher.name == SRUN):
            whose = f"{launcher.name} is of" if launcher.name != SRUN else "libraddle would be for"
            raise UserError(
                f"{program} is linked with {other[0]}, and {whose} {mpi.title} ({mpi.linked}).",
                hint=f"Start it with its own MPI ({other[1]}), or build it with {mpi.mpicc}.",
            )


def refuse_missing(words: Sequence[str]) -> None:
    """Raises UserError where nothing of a part can be run: then the first word that may be was to be the program."""
    if any(_ELSEWHERE.fullmatch(word.partition("=")[0]) for word in words):
        return
    for part in parts(words):
        named = [word for word in part if not word.startswith("-") and not word.isdigit() and word != ":"]
        there = (Path(word).exists() if "/" in word else shutil.which(word) or Path(word).is_file() for word in named)
        if named and not any(there):
            name = next((word for word in named if "/" in word), named[0])
            raise UserError(
                f"The program {name} does not exist.",
                hint="Give its path, as in ./program, after the launcher's options.",
            )


def _names(launcher: Path) -> Iterator[str]:
    """That of a file, and of all that it is a link to, one after another."""
    path = launcher
    for _ in range(10):
        yield path.name
        if not path.is_symlink():
            return
        path = path.parent / path.readlink()


def _for(mpi: Mpi, words: Sequence[str]) -> Mpi:
    """The MPI with the compiler that is for the program: MPICH has another one for the MPI-5 ABI."""
    abi = mpi.mpicc.with_name("mpicc_abi")
    if not mpi.abi and abi.exists() and any(_is_abi(library) for _, library in _programs(words, {})):
        return find([ABI])[0] if mpi.ours else from_path(abi)
    return mpi


def _refuse_launcher(launcher: Path, mpi: Mpi) -> None:
    compiler = compiler_of(launcher)
    if launcher == mpi.mpiexec or compiler is None or compiler in (mpi.mpicc, mpi.mpiexec.with_name("mpicc")):
        return
    try:
        other = from_path(compiler)
    except UserError:  # a launcher that is beside something else
        return
    if not _alike(other, mpi):
        raise UserError(
            f"{launcher} is of {other.title}, and --mpi names {mpi.title} ({mpi.mpicc}).",
            hint="Say mpiexec alone: with --mpi it is that MPI's own. Or leave out --mpi.",
        )


def _another(library: Library, mpi: Mpi, *, any_launcher: bool) -> tuple[str, str] | None:
    """In words, the MPI of a library that is not this one's, and what to do; None: it is, or nothing is known."""
    if library.file is None or not mpi.linked or str(library.file) == mpi.linked:
        return None
    same_name = library.name.split(".so")[0] == Path(mpi.linked).name.split(".so")[0]
    if _is_abi(library):  # of any MPI
        return None if mpi.abi else (f"{library}, of the MPI-5 ABI", "--mpi abi -- mpiexec ...")
    other = owner(library)
    if same_name and (other is None or any_launcher or _alike(other, mpi)):
        return None
    if other is None:
        return f"{library}, of another MPI", "--mpi PATH -- mpiexec ..."
    return f"{other.title} ({library})", f"--mpi {other.selection} -- mpiexec ..."


def _alike(one: Mpi, other: Mpi) -> bool:
    """Whether programs of one can be started by the other's launcher."""
    return one.family is other.family and one.version.split(".")[0] == other.version.split(".")[0]


def _is_abi(library: Library) -> bool:
    return library.name.startswith("libmpi_abi.")


def _programs(words: Sequence[str], env: Mapping[str, str]) -> Iterator[tuple[str, Library]]:
    """Of each part of a job the first file that is linked with an MPI, and the library: scripts hide theirs."""
    for part in parts(with_paths(words)):
        for word in part:
            if "/" in word and (library := linked(Path(word), env)):
                yield word, library
                break
