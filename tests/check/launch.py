# SPDX-License-Identifier: BSD-3-Clause
"""Compiles programs that break rules, and runs them with what looks at their calls preloaded."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from raddle.check.findings import Result, found
from raddle.check.records import read
from raddle.mpi.find import Mpi, find
from raddle.mpi.places import installed
from tests.profile.launch import ROOT, SECONDS, Ran, compiler, environment, library, modules, start

LIBRARY = "libraddle-check.so"
PROGRAMS = Path(__file__).resolve().parent / "programs"
MPIS = [mpi for mpi in (find([family.name])[0] for family in installed()) if library(mpi, LIBRARY).exists()]
each_mpi = pytest.mark.parametrize("mpi", MPIS, ids=lambda mpi: mpi.name)
on_real_mpis = [
    pytest.mark.timeout(2 * SECONDS),
    pytest.mark.skipif(not MPIS, reason="no MPI is installed, or nothing is built for it yet"),
    pytest.mark.skipif("SLURM_JOB_ID" in os.environ, reason="an allocation decides what a launcher may do"),
]


def compiled(mpi: Mpi, source: Path) -> Path:
    """The program as an executable, with debug information."""
    made = ROOT / "build" / f"check-{mpi.label}" / source.stem
    if not made.exists() or made.stat().st_mtime < source.stat().st_mtime:
        made.parent.mkdir(parents=True, exist_ok=True)
        part = made.with_name(f"{made.name}.{os.getpid()}")  # whole, or not there
        command = [str(compiler(mpi, source)), *modules(mpi), "-g", "-O1", "-o", str(part), str(source), "-lpthread"]
        env = {**environment(mpi), "I_MPI_F90": "gfortran"}
        subprocess.run(command, env=env, check=True, capture_output=True, text=True, timeout=SECONDS)
        part.replace(made)
    return made


def run(mpi: Mpi, directory: Path, source: Path, *words: str, asked: bool = True) -> tuple[Ran, Result]:
    """Two processes of a program, and what is found of them."""
    own = {"LD_PRELOAD": str(library(mpi, LIBRARY)), "_RADDLE_CHECK": str(directory) if asked else ""}
    ran = start(mpi, [str(compiled(mpi, source)), *words], own, directory, 2)
    return ran, found(read(directory), ["program"], mpi.name, ran.status)
