# SPDX-License-Identifier: BSD-3-Clause
"""A thread that holds a lock of the MPI for a known time is found, and nobody is accused where nobody waits."""

from __future__ import annotations

from pathlib import Path

import pytest

from raddle.mpi.find import Mpi
from raddle.profile.model import Call, LockWait, Thread
from tests.profile.launch import Ran, run
from tests.profile.real import MPIS, each_mpi, on_real_mpis

pytestmark = on_real_mpis
HELD = 0.3
# Intel MPI calls an operator while it holds its lock. The others do not, whatever of the program they call.
INTEL = [mpi for mpi in MPIS if mpi.name == "intel"]


def conflicts(ran: Ran) -> list[LockWait]:
    return [wait for wait in ran.records(LockWait) if wait.kind in ("mutex", "spin", "rwlock")]


@pytest.mark.parametrize("mpi", INTEL, ids=lambda mpi: mpi.name)
def test_who_held_a_lock(mpi: Mpi, tmp_path: Path) -> None:
    ran = run(mpi, tmp_path, "holder.c", "op", str(round(HELD * 1000)), processes=1)
    assert ran.status == 0, ran.errors
    waited = float(ran.out.split("waited ")[1])  # as the program has seen it
    assert waited > 0.9 * HELD
    (wait,) = (one for one in conflicts(ran) if one.seconds > 0.1 * HELD)
    assert (wait.thread, wait.holder, wait.kind) == (1, 0, "mutex")
    assert 0.95 * waited < wait.seconds <= waited
    holder, waiter = ran.records(Thread)
    assert holder.lock < 0.05 * HELD
    assert 0.95 * waited < waiter.lock <= waited
    assert sum(waiter.bins_lock) == pytest.approx(waiter.lock, rel=0.02, abs=1e-4)
    (call,) = (one for one in ran.records(Call) if one.thread == 1 and one.lock > 0.1 * HELD)
    assert call.function == "MPI_Reduce_local"
    assert call.lock_waits == 1


@each_mpi
@pytest.mark.parametrize("how", ["op", "attr"])
def test_nobody_holds_a_lock_for_long(mpi: Mpi, how: str, tmp_path: Path) -> None:
    ran = run(mpi, tmp_path, "holder.c", how, "0", processes=1)
    assert ran.status == 0, ran.errors
    assert sum(wait.seconds for wait in conflicts(ran)) < 0.1 * HELD
