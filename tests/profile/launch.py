# SPDX-License-Identifier: BSD-3-Clause
"""Compiles programs with known answers, and runs them with what records their calls preloaded."""

from __future__ import annotations

import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from raddle.execute.job import Job
from raddle.inspection.start import is_mpi_setting
from raddle.launchers import launcher_for
from raddle.mpi.find import Mpi, find
from raddle.mpi.places import installed
from raddle.profile import preload
from raddle.profile.model import Record
from raddle.profile.read import read
from tests import leftovers
from tests.quick_start import QUICK_START

ROOT = Path(__file__).resolve().parents[2]
PROGRAMS = Path(__file__).resolve().parent / "programs"
SECONDS = 60.0  # for one run; most take one
Kind = TypeVar("Kind", bound=Record)


def library(mpi: Mpi, name: str = f"lib{preload.TARGET}.so") -> Path:
    """What is preloaded; `make test` builds it, these tests do not."""
    return preload.library(ROOT / "build" / f"release-{mpi.label}").with_name(name)


def built() -> list[Mpi]:
    """The installed MPIs for which it is there."""
    mpis = [find([family.name])[0] for family in installed()]
    return [mpi for mpi in mpis if library(mpi).exists()]


@dataclass
class Ran:
    """How a run ended, and what it has left."""

    status: int
    out: str
    errors: str
    directory: Path

    def records(self, kind: type[Kind]) -> list[Kind]:
        """Those of one kind."""
        return [record for record in read(self.directory) if isinstance(record, kind)]


def compiled(mpi: Mpi, name: str) -> Path:
    """The program as an executable."""
    source = PROGRAMS / name
    made = ROOT / "build" / f"profile-{mpi.label}" / source.stem
    if not made.exists() or made.stat().st_mtime < source.stat().st_mtime:
        made.parent.mkdir(parents=True, exist_ok=True)
        part = made.with_name(f"{made.name}.{os.getpid()}")  # whole, or not there
        command = [str(compiler(mpi, source)), *modules(mpi), "-O1", "-o", str(part), str(source), "-lpthread"]
        env = {**environment(mpi), "I_MPI_F90": "gfortran"}
        subprocess.run(command, env=env, check=True, capture_output=True, text=True, timeout=SECONDS)
        part.replace(made)
    return made


def compiler(mpi: Mpi, source: Path) -> Path:
    """The MPI's, for the language."""
    fortran = mpi.mpicc.name.replace("mpicc", "mpif90", 1)
    return mpi.mpicc.with_name(fortran) if source.suffix == ".f90" else mpi.mpicc


def modules(mpi: Mpi) -> list[str]:
    """Where Fortran's are, if the wrapper does not know: Intel MPI has them for several versions of gfortran."""
    if mpi.name != "intel" or shutil.which("gfortran") is None:
        return []
    version = subprocess.run(["gfortran", "-dumpversion"], capture_output=True, text=True, check=True).stdout.strip()
    return [f"-I{made}" for made in sorted((mpi.prefix / "include" / "mpi" / "gfortran").glob(f"{version}.*"))]


def environment(mpi: Mpi) -> dict[str, str]:
    """Without settings of MPIs, but for those with which processes may outnumber CPUs."""
    usual = {name: value for name, value in os.environ.items() if not is_mpi_setting(name)}
    return {**usual, **mpi.env(), **mpi.family.profile_env("shared"), **QUICK_START}


def run(
    mpi: Mpi,
    directory: Path,
    *words: str,
    processes: int = 2,
    settings: dict[str, str] | None = None,
    with_raddle: bool = False,
) -> Ran:
    """A program of `programs` and its arguments."""
    directory.mkdir(exist_ok=True)
    preloaded = [str(library(mpi)), *([str(library(mpi, "libraddle.so"))] if with_raddle else [])]
    own = {**preload.environment(directory), "LD_PRELOAD": ":".join(preloaded), **(settings or {})}
    program = [str(compiled(mpi, words[0])), *words[1:]]
    return start(mpi, program, own, directory, processes)


def start(mpi: Mpi, program: list[str], own: dict[str, str], directory: Path, processes: int) -> Ran:
    """Any command."""
    launcher = launcher_for(mpi)
    command = launcher.command(mpi, program, processes=processes, env=own, oversubscribe=True)
    guarded = ["timeout", "--kill-after=3", str(SECONDS + 5), *command]
    before = leftovers.segments()
    with Job(guarded, launcher.environment(mpi, environment(mpi))) as job:
        try:
            out, err = job.process.communicate(timeout=SECONDS)
        except subprocess.TimeoutExpired:
            job.stop()
            out, err = job.process.communicate()
        job.gone_within(3.0)
        job.kill()
        status = job.status()
    leftovers.remove(leftovers.segments() - before)
    return Ran(status, out.decode(errors="replace"), err.decode(errors="replace"), directory)
