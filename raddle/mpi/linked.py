# SPDX-License-Identifier: BSD-3-Clause
"""Which library of an MPI a program is linked with, read from its file."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from raddle import elf

# libmpi.so.40, libmpich.so.12, libmpi_abi.so.1; not libmpi_cxx, libmpifort and the like, which need one of these.
_LIBRARY = re.compile(r"lib(mpi|mpich|mpi_abi|mpi_cray|mpi_gnu\w*|mpi_intel\w*|mpi_ilp64)\.so(\.\d+)*")


@dataclass(frozen=True)
class Library:
    """As the program names it (`libmpi.so.40`), and the file that this is for it; None: it is not found."""

    name: str
    path: Path | None

    @property
    def file(self) -> Path | None:
        """Without symbolic links."""
        return self.path and self.path.resolve()

    def __str__(self) -> str:
        return str(self.path or self.name)


def linked(program: Path, env: Mapping[str, str]) -> Library | None:
    """The library that a program is linked with, itself or by a library of its own; None where there is none."""
    for name, path in elf.libraries(program, env):
        if _LIBRARY.fullmatch(name):
            return Library(name, path)
    return None
