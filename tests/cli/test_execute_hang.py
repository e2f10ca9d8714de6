# SPDX-License-Identifier: BSD-3-Clause
"""One rank never sends: the launch ends by its own watchdog, and the report says who waited for whom."""

from __future__ import annotations

import uuid
from pathlib import Path

import pytest

from raddle.execute.command import Command
from raddle.execute.journal import Journal
from raddle.execute.launch import Observer, run
from raddle.execute.signals import Signals
from raddle.execute.starter import Starter
from raddle.model import PointSet
from raddle.mpi.find import Mpi
from raddle.plan.schedule import Launch
from tests.cli import fakes
from tests.cli.programs import BUILD, measurable

pytestmark = pytest.mark.timeout(120)


@pytest.mark.parametrize(
    "mpi",
    [pytest.param(mpi, id=mpi.name) for mpi in measurable()] or [pytest.param(None, marks=pytest.mark.skip("no MPI"))],
)
def test_the_watchdog_tells_both_sides(tmp_path: Path, mpi: Mpi) -> None:
    mute = BUILD / f"release-{mpi.label}" / "tests" / "mpi" / "bench-mute"
    if not mute.exists():
        pytest.skip("bench-mute is not built yet: make test does it")
    work = PointSet(benchmark="latency", placement="node", variants=["process"], params={"bytes": 1000})
    launch = Launch(
        launch="b0-mute",
        block=0,
        seed=1,
        mpi=mpi.name,
        profile="shared",
        sets=[work],
        sampling=fakes.SAMPLING,
        patience=1.0,
        level="single",
        processes=2,
        env=mpi.family.profile_env("shared"),
    )
    mark = uuid.uuid4().hex
    start = Starter(tmp_path, {mpi.name: mpi}, {mpi.name: mute, "none": mute}).command(launch)
    command = Command(start.argv, {**start.env, "MARK": mark}, start.shown)
    with Journal(tmp_path) as journal, Signals() as signals:
        outcome = run(launch, command, 60.0, journal, signals, Observer())
    problem = outcome.problem()
    assert problem.startswith("hung, and its watchdog ended it:\n  nothing moved for 1 s"), problem
    assert "process 0, thread 0 (flow 0, party 0): in MPI_Recv, peer rank 1, tag 1" in problem
    assert "process 1, thread 0 (flow 0, party 1): in MPI_Send, peer rank 0, tag 1" in problem
    assert not outcome.stopped  # nobody had to end it from outside
    assert outcome.seconds < 60
    assert fakes.alive(mark) == []
