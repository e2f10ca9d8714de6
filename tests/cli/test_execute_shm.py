# SPDX-License-Identifier: BSD-3-Clause
"""Shared memory files: the job's are removed, nobody else's."""

from __future__ import annotations

import mmap
import os
import signal
import sys
from pathlib import Path

import pytest

from raddle.execute.job import Job
from raddle.execute.shm import SharedMemory

pytestmark = pytest.mark.timeout(60)

# Maps the files it is told to, says so, and waits to be killed.
_MAPPER = """
import mmap, sys, time
files = [open(path, "r+b") for path in sys.argv[1:]]
held = [mmap.mmap(file.fileno(), 4096) for file in files]
print("ready", flush=True)
time.sleep(600)
"""

# Makes one file after the other, and maps each a moment later.
_MAKER = """
import mmap, sys, time
held = []
while True:
    with open(f"{sys.argv[1]}/{len(held)}", "w+b") as file:
        file.truncate(4096)
        time.sleep(0.0005)
        held.append(mmap.mmap(file.fileno(), 4096))
    if len(held) == 10:
        print("ready", flush=True)
"""


def make(path: Path) -> Path:
    path.write_bytes(b"\0" * 4096)
    return path


def test_only_what_the_job_made_goes(tmp_path: Path) -> None:
    before = make(tmp_path / "before")
    memory = SharedMemory(tmp_path)
    made, others, unmapped = (make(tmp_path / name) for name in ("made", "others", "unmapped"))
    job = Job([sys.executable, "-c", _MAPPER, str(before), str(made), str(others)], dict(os.environ))
    with job:
        assert job.process.stdout is not None
        assert job.process.stdout.readline() == b"ready\n"
        memory.look(job.members())
        assert memory.clean() == []  # still in use
        job.stop()
    with others.open("r+b") as file:
        held = mmap.mmap(file.fileno(), 4096)  # another program came to share it
    assert memory.clean() == ["made"]
    held.close()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["before", "others", "unmapped"]
    assert unmapped.exists()


@pytest.mark.parametrize("attempt", range(5))
def test_what_it_makes_while_it_is_stopped_goes_too(tmp_path: Path, attempt: int) -> None:
    memory = SharedMemory(tmp_path)
    with Job([sys.executable, "-c", _MAKER, str(tmp_path)], dict(os.environ)) as job:
        assert job.process.stdout is not None
        assert job.process.stdout.readline() == b"ready\n"
        job.stop(memory.look)
        assert job.status() == -signal.SIGTERM
    assert len(memory.clean()) >= 10
    assert list(tmp_path.iterdir()) == [], f"attempt {attempt}"


def test_nothing_to_look_at(tmp_path: Path) -> None:
    memory = SharedMemory(tmp_path / "not there")
    memory.look([os.getpid(), 2**22 + 1])
    assert memory.clean() == []
