# SPDX-License-Identifier: BSD-3-Clause
"""Which MPI a library belongs to that a program is linked with."""

from __future__ import annotations

from collections.abc import Iterator

from raddle.errors import UserError
from raddle.mpi.distribution import packaged
from raddle.mpi.family import families
from raddle.mpi.find import Mpi, from_path, installed_mpi, packaged_mpi
from raddle.mpi.linked import Library
from raddle.mpi.places import is_installed, prefix_of


def owner(library: Library) -> Mpi | None:
    """The MPI that a library belongs to, where it has a compiler that can be found."""
    if library.file is None:
        return None
    return next((mpi for mpi in _candidates(library) if mpi.linked == str(library.file)), None)


def _candidates(library: Library) -> Iterator[Mpi]:
    """Raddle's own, the distribution's, and as most are installed: PREFIX/lib/libmpi.so beside PREFIX/bin/mpicc."""
    parents = list(library.file.parents) if library.file else []
    for member in families().values():
        if is_installed(member) and prefix_of(member).resolve() in parents:
            yield installed_mpi(member)
    for known in packaged().values():
        if known.mpicc:
            yield packaged_mpi(known)
    for prefix in parents[1:4]:  # some have lib/release
        mpicc = prefix / "bin" / "mpicc"
        if mpicc.is_file():
            try:
                yield from_path(mpicc)
            except UserError:
                continue
