# SPDX-License-Identifier: BSD-3-Clause
"""MPIs that are not there, for tests of what is said about them and to them."""

from __future__ import annotations

from pathlib import Path

from raddle.mpi.family import family
from raddle.mpi.find import Mpi


def fake_mpi(prefix: Path, name: str, *, ours: bool = True) -> Mpi:
    """An MPI of a family, with an mpiexec that exists."""
    mpiexec = executable(prefix / "bin" / "mpiexec", "exit 0")
    mpicc = mpiexec.with_name("mpicc")
    return Mpi(family=family(name), version="1.2.3", prefix=prefix, mpicc=mpicc, mpiexec=mpiexec, library="", ours=ours)


def executable(path: Path, script: str) -> Path:
    """A shell script at a path."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{script}\n", encoding="utf-8")
    path.chmod(0o755)
    return path
