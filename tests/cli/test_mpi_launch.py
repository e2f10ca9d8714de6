# SPDX-License-Identifier: BSD-3-Clause
"""On the real launchers: every process gets the settings, all CPUs, and a place when there are more than CPUs."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from raddle.launchers import launcher_for
from raddle.mpi.family import families
from raddle.mpi.find import find
from raddle.mpi.places import installed

# In one write, since a launcher passes on pieces of lines as they come.
SHOW = "import os; os.write(1, f'MINE {sorted(os.sched_getaffinity(0))} {os.environ[\"RADDLE_TEST\"]}\\n'.encode())"


@pytest.mark.skipif("SLURM_JOB_ID" in os.environ, reason="an allocation decides what a launcher may do")
@pytest.mark.parametrize("name", families())
def test_processes_are_unbound_and_have_the_settings(name: str) -> None:
    if name not in {member.name for member in installed()}:
        pytest.skip(f"{name} is not installed")
    (mpi,) = find([name])
    launcher, settings = launcher_for(mpi), {"RADDLE_TEST": "a b"}
    processes = len(os.sched_getaffinity(0)) + 1
    command = launcher.command(mpi, [sys.executable, "-c", SHOW], processes=processes, env=settings, oversubscribe=True)
    environment = launcher.environment(mpi, {})  # so that only the command line can have brought the settings
    done = subprocess.run(
        command, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60, check=True
    )
    everywhere = f"MINE {sorted(os.sched_getaffinity(0))} a b"
    assert [line for line in done.stdout.splitlines() if line.startswith("MINE")] == [everywhere] * processes
