# SPDX-License-Identifier: BSD-3-Clause
"""What killed processes leave is removed, and what somebody uses is not."""

from __future__ import annotations

import mmap
import os
import subprocess
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests import leftovers


@pytest.fixture
def segment() -> Iterator[Path]:
    path = leftovers.SHARED_MEMORY / f"raddle-test-of-leftovers-{os.getpid()}"
    path.write_bytes(bytes(mmap.PAGESIZE))
    yield path
    path.unlink(missing_ok=True)


def test_what_nobody_has_mapped_goes(segment: Path) -> None:
    assert segment in leftovers.segments()
    assert leftovers.remove({segment}) == {segment}
    assert not segment.exists()


def test_what_somebody_has_mapped_stays(segment: Path) -> None:
    with segment.open("r+b") as file, mmap.mmap(file.fileno(), 0):
        assert leftovers.remove({segment}) == set()
    assert segment.exists()


def test_what_is_used_a_moment_later_is_not_abandoned(segment: Path) -> None:
    with segment.open("r+b") as file:
        user = threading.Timer(0.3, lambda: maps.append(mmap.mmap(file.fileno(), 0)))
        maps: list[mmap.mmap] = []
        user.start()
        assert leftovers.abandoned(leftovers.segments() - {segment}) == set()
        user.join()
        maps.pop().close()


def test_what_stays_unused_is_abandoned(segment: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(leftovers, "_MOMENT", 0.2)
    assert leftovers.abandoned(leftovers.segments() - {segment}) == {segment}


def test_an_mpis_go_while_others_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(leftovers, "_BETWEEN_LOOKS", 0.05)
    left, used = (leftovers.SHARED_MEMORY / f"test-of-leftovers-{name}-{os.getpid()}" for name in ("left", "used"))
    try:
        with leftovers.swept():
            for path in (left, used):
                path.write_bytes(bytes(mmap.PAGESIZE))
            with used.open("r+b") as file, mmap.mmap(file.fileno(), 0):
                give_up = time.monotonic() + 10
                while left.exists() and time.monotonic() < give_up:
                    time.sleep(0.01)
                assert not left.exists()
                assert used.exists()
        assert not used.exists()
    finally:
        for path in (left, used):
            path.unlink(missing_ok=True)


def test_sessions_of_dead_launchers_go(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    ended = subprocess.Popen(["true"])
    ended.wait()
    for name in (f"ompi.{ended.pid}", f"ompi.{os.getpid()}", "ompi.vm.0", f"other.{ended.pid}"):
        (tmp_path / name).mkdir()
    assert leftovers.remove_dead_sessions() == [tmp_path / f"ompi.{ended.pid}"]
    assert {path.name for path in tmp_path.iterdir()} == {f"ompi.{os.getpid()}", "ompi.vm.0", f"other.{ended.pid}"}
