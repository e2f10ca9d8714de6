# SPDX-License-Identifier: BSD-3-Clause
"""The options of `raddle exec` that other verbs which run a program have as well."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from raddle.under_raddle import Engine

Command = Annotated[
    list[str],
    typer.Argument(metavar="-- COMMAND...", help="mpiexec, mpirun, orterun, srun or the like, or its path, and so on."),
]
Out = Annotated[Path | None, typer.Option("--out", metavar="DIR", help="For the results (default: results/TIME).")]
MpiName = Annotated[
    str | None,
    typer.Option("--mpi", metavar="NAME", help="mpich, openmpi, intel, or the path of an mpicc or its prefix."),
]
Threads = Annotated[
    int | None, typer.Option("--threads-as-ranks", metavar="T", min=1, help="T threads of each process are ranks.")
]
Private = Annotated[
    list[str] | None, typer.Option("--private", metavar="LIB", help="Each rank has its own copy of this library.")
]
Shared = Annotated[
    list[str] | None, typer.Option("--shared", metavar="LIB", help="The ranks of a process share this library.")
]
EngineName = Annotated[
    Engine, typer.Option("--engine", help="What moves the messages of endpoints (docs/build/engines.md).")
]
Endpoints = Annotated[
    int | None,
    typer.Option("--endpoints", metavar="E", min=1, max=1024, help="proxy: up to E endpoints for each process."),
]
Oversubscribe = Annotated[
    bool, typer.Option("--oversubscribe", help="proxy: proxies may share cores with the program.")
]
