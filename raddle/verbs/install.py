# SPDX-License-Identifier: BSD-3-Clause
"""`raddle install`: the library for programs of one's own, in a place of one's own."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from raddle import native
from raddle.errors import UserError
from raddle.mpi.find import find
from raddle.paths import expanded


def install(
    prefix: Annotated[Path, typer.Argument(metavar="PREFIX", help="Where to: PREFIX/lib, PREFIX/include, PREFIX/bin.")],
    mpi: Annotated[
        str | None,
        typer.Option(
            metavar="NAME", help="For which MPI: mpich, openmpi, intel, abi, or your own mpicc or its prefix."
        ),
    ] = None,
) -> None:
    """Build libraddle for an MPI and install it with its headers, a CMake package and a pkg-config file.

    A library is for one MPI: give each a prefix of its own. With `abi` it is for all libraries of the MPI-5 ABI
    (libmpi_abi.so: MPICH 5, Intel MPI 2021.18), and runs unchanged with each.

    Examples:

    * `raddle install ~/raddle --mpi openmpi`
    * `raddle install ~/raddle --mpi abi`
    * `raddle install /opt/raddle/mpich --mpi /opt/mpich/bin/mpicc`
    """
    found = find([mpi] if mpi else [])
    if len(found) > 1:
        raise UserError(
            f"There are several MPIs: {', '.join(one.name for one in found)}.", hint="Say for which one: --mpi NAME"
        )
    where = expanded(str(prefix)).resolve()
    native.install(found[0], where, report=typer.echo)
    whom = "every MPI of the MPI-5 ABI" if found[0].abi else f"{found[0].family.title} {found[0].version}"
    typer.echo(f"Installed for {whom} in {where}.")
    typer.echo(f"CMake: -DCMAKE_PREFIX_PATH={where}, then find_package(raddle) and raddle::raddle.")
    typer.echo(f"pkg-config: PKG_CONFIG_PATH={where}/lib/pkgconfig pkg-config --cflags --libs raddle")
