# SPDX-License-Identifier: BSD-3-Clause
"""However a program ends, what it has done until then is there."""

from __future__ import annotations

from pathlib import Path

import pytest

from raddle.mpi.find import Mpi
from raddle.profile.model import Call, Process
from tests.profile.launch import Ran, run
from tests.profile.real import each_mpi, on_real_mpis

pytestmark = on_real_mpis
HOW = {
    "well": "finalized",
    "fork": "finalized",
    "exec": "finalized",
    "forked-before": "finalized",
    "exit": "exited",
    "crash": "running",
    "killed": "running",
    "abort": "aborted",
}


def barriers(ran: Ran) -> list[int]:
    return [call.calls for call in ran.records(Call) if call.function == "MPI_Barrier"]


@each_mpi
@pytest.mark.parametrize("how", HOW)
def test_ends(mpi: Mpi, how: str, tmp_path: Path) -> None:
    ran = run(mpi, tmp_path, "ending.c", how)
    if how != "exit":  # launchers differ about that
        assert (ran.status == 0) == (HOW[how] == "finalized"), ran.errors
    processes = ran.records(Process)
    assert [one.process for one in processes] == [0, 1]
    # Of those that are ended by a launcher some may have come further than others.
    assert HOW[how] in {one.how for one in processes}
    assert {one.how for one in processes} <= {HOW[how], "running"}
    assert barriers(ran) == [10, 10]
    assert not {call.function for call in ran.records(Call)} & {"MPI_Initialized"}  # of a child


@each_mpi
def test_no_mpi(mpi: Mpi, tmp_path: Path) -> None:
    ran = run(mpi, tmp_path, "ending.c", "no-mpi")
    assert ran.records(Process) == []
    assert list(tmp_path.iterdir()) == []


@each_mpi
def test_call_that_never_ends(mpi: Mpi, tmp_path: Path) -> None:
    ran = run(mpi, tmp_path, "ending.c", "inside")
    (call,) = (one for one in ran.records(Call) if one.function == "MPI_Recv")
    assert (call.calls, call.process, call.communicator) == (1, 0, 1)
    assert 1.5 < call.seconds < 5


@each_mpi
def test_nothing_is_recorded_unasked(mpi: Mpi, tmp_path: Path) -> None:
    ran = run(mpi, tmp_path, "ending.c", "well", settings={"_RADDLE_PROFILE": ""})
    assert ran.status == 0, ran.errors
    assert list(tmp_path.iterdir()) == []


@each_mpi
def test_directory_that_is_not_there(mpi: Mpi, tmp_path: Path) -> None:
    ran = run(mpi, tmp_path, "ending.c", "well", settings={"_RADDLE_PROFILE": str(tmp_path / "none")})
    assert ran.status == 0
    assert "no profile of process" in ran.errors
