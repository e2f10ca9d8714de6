# SPDX-License-Identifier: BSD-3-Clause
"""Fortran's calls are recorded as those of C are: the MPI's own functions for Fortran pass here on their way."""

from __future__ import annotations

from pathlib import Path

import pytest

from raddle.errors import UserError
from raddle.mpi.find import Mpi, find
from raddle.profile.model import Call, PartnerWait, Peer
from tests.profile.launch import compiler, library, run
from tests.profile.real import on_real_mpis

pytestmark = on_real_mpis[:1]


def with_fortran() -> list[Mpi]:
    """Those with a compiler for Fortran for which there is something built: of the wheels only Intel's has one."""
    found = []
    for name in ("intel", "mpich-debian", "openmpi-debian"):
        try:
            found += find([name])
        except UserError:
            continue
    return [mpi for mpi in found if library(mpi).exists() and compiler(mpi, Path("one.f90")).exists()]


CASES = [(mpi, name) for mpi in with_fortran() for name in ("fortran.f90", "fortran08.f90")]
CASES = [(mpi, name) for mpi, name in CASES if mpi.name != "intel" or name != "fortran08.f90"]  # for ifx only


@pytest.mark.skipif(not CASES, reason="no MPI with Fortran, or nothing is built for it yet")
@pytest.mark.parametrize(("mpi", "name"), CASES, ids=lambda one: getattr(one, "name", one))
def test_fortran(mpi: Mpi, name: str, tmp_path: Path) -> None:
    ran = run(mpi, tmp_path, name)
    assert ran.status == 0, ran.errors
    calls = {(one.process, one.communicator, one.function): one for one in ran.records(Call)}
    assert calls[0, 2, "MPI_Barrier"].calls == 10
    assert (calls[0, 2, "MPI_Send"].calls, calls[0, 2, "MPI_Send"].bytes) == (10, 800)
    assert calls[1, 2, "MPI_Irecv"].bytes == 800
    (peer,) = (one for one in ran.records(Peer) if one.process == 1)
    assert (peer.peer, peer.received, peer.received_bytes) == (0, 10, 800)
    (late,) = (one for one in ran.records(PartnerWait) if one.function == "MPI_Barrier" and one.process == 0)
    assert (late.kind, late.partner_process, late.matched) == ("imbalance", 1, 10)
    assert late.seconds > 0.15
