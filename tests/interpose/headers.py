# SPDX-License-Identifier: BSD-3-Clause
"""The mpi.h of the installed MPIs, and what the generator makes of them."""

from __future__ import annotations

import os
import subprocess
from functools import cache
from pathlib import Path

from generator.functions import Function, chosen, functions
from generator.header import Declaration, declarations
from generator.standard import procedures

from raddle.mpi.find import Mpi, find
from raddle.mpi.places import installed

ROOT = Path(__file__).resolve().parents[2]
TABLE = ROOT / "src" / "interpose" / "endpoint_functions.toml"


def mpis() -> list[Mpi]:
    """The installed ones."""
    return [find([family.name])[0] for family in installed()]


@cache
def declared(mpi: str) -> dict[str, Declaration]:
    """What the mpi.h of an MPI declares."""
    (found,) = find([mpi])
    command = [str(found.mpicc), "-E", "-x", "c", "-include", str(TABLE.with_name("installed_mpi.h")), os.devnull]
    env = {**os.environ, **found.env()}
    done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=60, check=True)
    return declarations(done.stdout)


@cache
def made(mpi: str) -> dict[str, Function]:
    """The functions that are wrapped for an MPI, by name."""
    table = chosen(TABLE.read_text(encoding="utf-8"))
    return {function.name: function for function in functions(procedures(), declared(mpi), table)}
