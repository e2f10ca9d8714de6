# SPDX-License-Identifier: BSD-3-Clause
"""Directories of launchers: a killed one's is removed, nobody else's."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from raddle.execute.job import Job
from raddle.launchers import launcher_for
from tests.cli.programs import measurable

pytestmark = pytest.mark.timeout(60)

_STUBBORN = "trap '' TERM; mkdir $TMPDIR/ompi.$$ $TMPDIR/other.$$; echo ready; while :; do sleep 1; done"


def test_only_what_a_killed_launcher_made_goes(tmp_path: Path) -> None:
    (tmp_path / "ompi.1").mkdir()
    job = Job(["sh", "-c", _STUBBORN], {**os.environ, "TMPDIR": str(tmp_path)})
    with job:
        assert job.process.stdout is not None
        assert job.process.stdout.readline() == b"ready\n"
        assert (tmp_path / f"ompi.{job.process.pid}").is_dir()
        job.kill()
        job.status()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["ompi.1", f"other.{job.process.pid}"]


@pytest.mark.skipif("openmpi" not in [mpi.name for mpi in measurable()], reason="no Open MPI")
def test_a_killed_mpiexec_leaves_nothing_that_stops_a_later_one(tmp_path: Path) -> None:
    mpi = next(mpi for mpi in measurable() if mpi.name == "openmpi")
    launcher = launcher_for(mpi)
    command = launcher.command(mpi, ["sleep", "600"], processes=1, env={}, oversubscribe=True)
    job = Job(command, launcher.environment(mpi, {"TMPDIR": str(tmp_path)}))
    with job:
        give_up = time.monotonic() + 30
        while not list(tmp_path.glob("ompi.*/pmix.*")):
            assert time.monotonic() < give_up, "mpiexec has made no directory: is its name another one now?"
            time.sleep(0.01)
        job.kill()
        job.status()
    assert list(tmp_path.glob("ompi.*")) == []
