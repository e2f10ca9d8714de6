# SPDX-License-Identifier: BSD-3-Clause
"""Finds the MPIs to measure: Raddle's own by family, the distribution's by name, and the user's by path."""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from raddle.errors import UserError
from raddle.mpi.distribution import Packaged, packaged
from raddle.mpi.distribution import names as known_names
from raddle.mpi.family import Family, classify, families
from raddle.mpi.places import installed, is_installed, prefix_of
from raddle.mpi.probe import probed
from raddle.paths import expanded

ABI = "abi"  # the name that stands for a build for all libraries of the MPI-5 ABI


@dataclass(frozen=True, kw_only=True)
class Mpi:
    """One MPI library on this machine."""

    family: Family
    version: str
    prefix: Path
    mpicc: Path
    mpiexec: Path  # need not exist where a resource manager starts the processes
    library: str  # all that MPI_Get_library_version says
    ours: bool  # from a wheel, by `raddle mpi install`
    packaged: Packaged | None = None  # where it was asked for as the distribution's
    linked: str = ""  # the file of the library that its programs are linked with

    @property
    def name(self) -> str:
        """What plans and results call it: the family's name, or that of the distribution's MPI."""
        return self.packaged.name if self.packaged else self.family.name

    @property
    def selection(self) -> str:
        """The word by which `find` finds it again."""
        return self.name if self.ours or self.packaged else str(self.mpicc)

    @property
    def title(self) -> str:
        """As people call it, e.g. `MPICH 5.0.2` or `MPICH 4.0.2 (Debian)`."""
        return f"{self.family.title} {self.version}" + (f" ({self.packaged.title})" if self.packaged else "")

    @property
    def label(self) -> str:
        """A name for directories, also when two MPIs of one version lie in different places."""
        place = "" if self.ours else f"-{hashlib.sha256(str(self.mpicc).encode()).hexdigest()[:6]}"
        return f"{self.family.name}-{self.version}{'-abi' if self.abi else ''}{place}"

    @property
    def abi(self) -> bool:
        """Whether programs are compiled for the MPI-5 ABI; MPICH and Open MPI name such a compiler alike."""
        return self.mpicc.name.endswith("_abi")

    def env(self) -> dict[str, str]:
        """What it always needs in the environment, to compile as well as to run."""
        return _settings((self.family,), self.prefix, ours=self.ours)


def find(selection: Sequence[str] = ()) -> list[Mpi]:
    """The MPIs named by family, distribution or path, in that order and once each.

    By default all from wheels; where there are none, the one whose mpicc is in PATH.
    """
    if not selection and not installed():
        if mpicc := shutil.which("mpicc"):
            return [from_path(Path(mpicc).absolute())]
        raise UserError("No MPI is installed.", hint="Install one: raddle mpi install. Or name your own: --mpi PATH")
    chosen = selection or [member.name for member in installed()]
    found = {mpi.mpicc: mpi for mpi in map(_resolve, chosen)}
    return list(found.values())


def _resolve(word: str) -> Mpi:
    if member := families().get(word):
        return installed_mpi(member)
    if word == ABI:
        return _abi_mpi()
    if known := packaged().get(word):
        return packaged_mpi(known)
    path = expanded(word)
    if not path.exists() and "/" in word and not word.startswith("~"):
        hint = "Give --mpi the path of an mpicc, or of a prefix with bin/mpicc."
        raise UserError(f"{word} does not exist.", hint=hint)
    if not path.exists():
        hint = f"Known: {', '.join(known_names())}; or give the path of an mpicc or of a prefix with bin/mpicc."
        raise UserError(f"'{word}' is neither an MPI family nor a path that exists.", hint=hint)
    return from_path(path.absolute())


def installed_mpi(member: Family) -> Mpi:
    """The MPI of a family that `raddle mpi install` brought."""
    if not is_installed(member):
        hint = f"Install it: raddle mpi install {member.name}. Or name your own: --mpi PATH"
        raise UserError(f"{member.title} is not installed.", hint=hint)
    prefix = prefix_of(member)
    return _probe(prefix / "bin" / "mpicc", (member,), ours=True)


def packaged_mpi(known: Packaged) -> Mpi:
    """The distribution's MPI of that name."""
    if known.mpicc is None:
        raise UserError(f"{known.full_title} is not installed.", hint=f"Install it: {known.how}")
    return replace(from_path(known.mpicc), packaged=known)


def _abi_mpi() -> Mpi:
    """The first MPI that Raddle installed and that compiles for the MPI-5 ABI; what it makes runs with others too."""
    for member in installed():
        compiler = prefix_of(member) / "bin" / member.abi_compiler
        if member.abi_compiler and compiler.exists():
            return _probe(compiler, (member,), ours=True)
    raise UserError(
        "No MPI that is installed has a compiler for the MPI-5 ABI.",
        hint="Install one: raddle mpi install mpich. Or name your own: --mpi PATH of an mpicc_abi",
    )


def from_path(path: Path) -> Mpi:
    """The MPI with this mpicc, or with this prefix."""
    mpicc = path / "bin" / "mpicc" if path.is_dir() else path
    if not os.access(mpicc, os.X_OK):
        problem = "is not executable." if mpicc.exists() else "does not exist."
        raise UserError(f"{mpicc} {problem}", hint="Give --mpi the path of an mpicc, or of a prefix with bin/mpicc.")
    # Which family it is, only it can tell; until then the settings of all of them do not disturb one another.
    return _probe(mpicc, families().values(), ours=False)


def _settings(members: Iterable[Family], prefix: Path, *, ours: bool) -> dict[str, str]:
    settings = {name: value.format(prefix=prefix) for member in members for name, value in member.env.items()}
    # MPICH and Intel MPI both are a libmpi.so.12. With another one's module loaded, LD_LIBRARY_PATH would win
    # over the path that is written in our programs. And Intel's finds its network library in no other way.
    if ours:
        theirs = os.environ.get("LD_LIBRARY_PATH")
        settings["LD_LIBRARY_PATH"] = os.pathsep.join(filter(None, [str(prefix / "lib"), theirs]))
    return settings


def _probe(mpicc: Path, candidates: Iterable[Family], *, ours: bool) -> Mpi:
    # Debian has several beside each other, with names as mpicc.mpich: each with a launcher of its own. Other compilers'
    # names (mpiicx, mpigcc, Cray's cc) say nothing of it.
    prefix, mpiexec = mpicc.parent.parent, mpicc.with_name(mpicc.name.replace("mpicc", "mpiexec", 1))
    if mpiexec == mpicc or not mpiexec.exists():
        mpiexec = mpicc.with_name("mpiexec")
    found = probed(mpicc, _settings(candidates, prefix, ours=ours))
    member, version = classify(found.library)
    return Mpi(
        family=member, version=version, prefix=prefix, mpicc=mpicc, mpiexec=mpiexec, library=found.library, ours=ours,
        linked=found.linked,
    )  # fmt: skip
