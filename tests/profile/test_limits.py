# SPDX-License-Identifier: BSD-3-Clause
"""What there is no room for is counted, and nothing else is lost with it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from raddle.errors import UserError
from raddle.mpi.find import Mpi
from raddle.profile.model import Call, Communicator, Process, Thread
from raddle.profile.trace import write_trace
from tests.profile.launch import run
from tests.profile.real import each_mpi, on_real_mpis

pytestmark = on_real_mpis


@each_mpi
def test_more_than_there_is_room_for(mpi: Mpi, tmp_path: Path) -> None:
    ran = run(mpi, tmp_path, "limits.c", processes=1)
    assert ran.status == 0, ran.errors
    (process,) = ran.records(Process)
    assert (process.how, len(ran.records(Thread)), len(ran.records(Communicator))) == ("finalized", 256, 1024)
    calls = ran.records(Call)
    # Of ten communicators two calls each, and that which frees every other one.
    assert process.lost == 40 + 2 * 10 + 5
    assert sum(call.calls for call in calls if call.function == "MPI_Comm_dup") == 1032
    assert sum(call.calls for call in calls if call.function == "MPI_Initialized") == 255


@each_mpi
def test_trace(mpi: Mpi, tmp_path: Path) -> None:
    ran = run(mpi, tmp_path, "counts.c", settings={"_RADDLE_PROFILE_TRACE": str(1 << 20)})
    assert ran.status == 0, ran.errors
    written = write_trace(tmp_path, tmp_path / "trace.json")
    events = json.loads((tmp_path / "trace.json").read_text())["traceEvents"]
    calls = [event for event in events if event["ph"] == "X"]
    assert (written.events, written.lost) == (len(calls), 0)
    assert len(calls) == sum(call.calls for call in ran.records(Call))
    sends = [event for event in calls if event["name"] == "MPI_Send" and event["tid"] == 1]
    assert len(sends) == 200
    assert {(event["args"]["bytes"], event["args"]["communicator"]) for event in sends} == {(80, "second")}
    assert {(event["pid"], event["args"]["peer"]) for event in sends} == {(0, 1), (1, 0)}
    assert all(event["dur"] >= 0 and event["ts"] >= 0 for event in calls)


@each_mpi
def test_trace_that_is_full(mpi: Mpi, tmp_path: Path) -> None:
    size = 4096 + 16384
    ran = run(mpi, tmp_path, "counts.c", settings={"_RADDLE_PROFILE_TRACE": str(size + 100)})
    written = write_trace(tmp_path, tmp_path / "trace.json")
    assert written.lost > 0
    assert written.events + written.lost == sum(call.calls for call in ran.records(Call))
    assert {path.stat().st_size for path in tmp_path.glob("*.trace")} == {size}


def test_no_trace(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="no trace"):
        write_trace(tmp_path, tmp_path / "trace.json")
