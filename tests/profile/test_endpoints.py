# SPDX-License-Identifier: BSD-3-Clause
"""Threads that are endpoints, or ranks of a program written for processes, with libraddle behind the profile."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from raddle.mpi.find import Mpi
from raddle.profile import preload
from raddle.profile.model import Communicator, PartnerWait, Process, Thread
from tests.profile.launch import PROGRAMS, environment, library, run, start
from tests.profile.real import MPIS, on_real_mpis

WITH_RADDLE = [mpi for mpi in MPIS if library(mpi, "libraddle.so").exists()]
with_raddle = pytest.mark.parametrize("mpi", WITH_RADDLE, ids=lambda mpi: mpi.name)
pytestmark = on_real_mpis
ROUNDS, LATE = 10, 0.02


@with_raddle
def test_endpoints(mpi: Mpi, tmp_path: Path) -> None:
    ran = run(mpi, tmp_path, "endpoints.c", str(round(LATE * 1000)), with_raddle=True)
    assert ran.status == 0, ran.errors
    assert {one.engine for one in ran.records(Process)} == {"direct"}
    ranks = {(one.process, one.thread): one.rank for one in ran.records(Thread)}
    assert ranks == {(0, 0): 0, (0, 1): 1, (1, 0): 2, (1, 1): 3}
    waits = [one for one in ran.records(PartnerWait) if one.function in ("MPI_Barrier", "MPI_Recv")]
    # A busy machine can make the others late too, so only what they waited for the one that means to be counts.
    waits = [one for one in waits if (one.partner_process, one.partner_thread) == (1, 1)]
    waits = [one for one in waits if one.seconds > 0.5 * ROUNDS * LATE]
    late = {(one.process, one.thread, one.function, one.kind) for one in waits}
    assert late == {
        (0, 0, "MPI_Barrier", "imbalance"),
        (0, 1, "MPI_Barrier", "imbalance"),
        (1, 0, "MPI_Barrier", "imbalance"),
        (0, 0, "MPI_Recv", "late-sender"),
    }
    assert all(ROUNDS / 2 < one.matched <= ROUNDS for one in waits)
    keys = [one.key for one in ran.records(Communicator) if one.size == 4 and one.process == 0]
    assert [keys[0], keys[2]] == [keys[1], keys[3]]
    assert keys[0] != keys[2]


@with_raddle
def test_threads_as_ranks(mpi: Mpi, tmp_path: Path) -> None:
    ranks = library(mpi).parents[1] / "bin" / "raddle-ranks"
    if not ranks.exists():
        pytest.skip("raddle-ranks is not built")
    program, recorded = tmp_path / "waits.so", tmp_path / "recorded"
    command = [str(mpi.mpicc), "-O1", "-fPIC", "-shared", "-o", str(program), str(PROGRAMS / "waits.c")]
    subprocess.run(command, env=environment(mpi), check=True, capture_output=True, timeout=60)
    recorded.mkdir()
    own = {**preload.environment(recorded), "LD_PRELOAD": f"{library(mpi)}:{library(mpi, 'libraddle.so')}"}
    words = [str(ranks), "2", str(program), "barrier", str(round(LATE * 1000))]
    ran = start(mpi, words, own, recorded, processes=1)
    assert ran.status == 0, ran.errors
    assert [(one.process, one.size, one.how) for one in ran.records(Process)] == [(0, 1, "finalized")]
    thread = {one.rank: one.thread for one in ran.records(Thread)}  # numbered as they come, in any order
    assert sorted(thread) == [-1, 0, 1]
    (wait,) = (one for one in ran.records(PartnerWait) if one.function == "MPI_Barrier" and one.thread == thread[0])
    assert (wait.kind, wait.partner_thread, wait.matched) == ("imbalance", thread[1], ROUNDS)
    assert wait.seconds > 0.9 * ROUNDS * LATE
