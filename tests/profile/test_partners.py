# SPDX-License-Identifier: BSD-3-Clause
"""Programs in which a partner comes late by a known time, on the real MPIs; and their twins, in which nobody does."""

from __future__ import annotations

from pathlib import Path

import pytest

from raddle.mpi.find import Mpi
from raddle.profile.model import PartnerWait
from tests.profile.launch import Ran, run
from tests.profile.real import each_mpi, on_real_mpis

pytestmark = on_real_mpis
ROUNDS = 10
LATE = 0.02
CASES = {
    "barrier": ("MPI_Barrier", "imbalance"),
    "bcast": ("MPI_Bcast", "imbalance"),
    "recv": ("MPI_Recv", "late-sender"),
    "any": ("MPI_Recv", "late-sender"),
    "mprobe": ("MPI_Mprobe", "late-sender"),
    "probe": ("MPI_Probe", "late-sender"),
    "ssend": ("MPI_Ssend", "late-receiver"),
    "wait": ("MPI_Wait", "late-sender"),
    "waitall": ("MPI_Waitall", "late-sender"),
}


def waits(ran: Ran, function: str) -> list[PartnerWait]:
    return [wait for wait in ran.records(PartnerWait) if wait.function == function]


@each_mpi
@pytest.mark.parametrize("how", CASES)
def test_who_came_late(mpi: Mpi, how: str, tmp_path: Path) -> None:
    function, kind = CASES[how]
    ran = run(mpi, tmp_path, "waits.c", how, str(round(LATE * 1000)))
    assert ran.status == 0, ran.errors
    (wait,) = (one for one in waits(ran, function) if one.process == 0)
    assert (wait.kind, wait.partner_process, wait.partner_thread, wait.thread) == (kind, 1, 0, 0)
    assert (wait.matched, wait.calls) == (ROUNDS, ROUNDS)
    # A sleeper wakes late, and on a full machine much later, but never early.
    assert wait.seconds > 0.9 * ROUNDS * LATE
    # The one who came late waited for nobody.
    assert sum(one.seconds for one in waits(ran, function) if one.process == 1) < 0.3 * wait.seconds


@each_mpi
@pytest.mark.parametrize("how", CASES)
def test_nobody_came_late(mpi: Mpi, how: str, tmp_path: Path) -> None:
    lost = []
    # On a full machine somebody does, for the CPU; not each time.
    for attempt in range(3):
        ran = run(mpi, tmp_path / str(attempt), "waits.c", how, "0")
        assert ran.status == 0, ran.errors
        lost.append(sum(one.seconds for one in waits(ran, CASES[how][0])))
        if lost[-1] < 0.25 * ROUNDS * LATE:
            return
    raise AssertionError(f"waits of nobody: {lost}")
