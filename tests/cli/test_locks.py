# SPDX-License-Identifier: BSD-3-Clause
"""Two do not work at once, and where the file system cannot lock, one still works."""

from __future__ import annotations

import errno
import fcntl
import os
import threading
from pathlib import Path

import pytest

from raddle import locks
from raddle.execute.journal import Journal
from raddle.locks import exclusive
from raddle.results.launch_log import FILE

pytestmark = pytest.mark.timeout(30)


@pytest.fixture(params=[errno.ENOSYS, errno.ENOLCK])
def without_locks(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Lustre says the one, NFS the other; what they say in words."""
    code: int = request.param

    def refuse(*_: object) -> None:
        raise OSError(code, os.strerror(code))

    monkeypatch.setattr(fcntl, "flock", refuse)
    locks._tell_once.cache_clear()
    return os.strerror(code)


def test_without_locks_the_work_is_done_and_that_is_told_once(
    without_locks: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    waited: list[str] = []
    for name in ("a", "b"):
        with exclusive(tmp_path / name / ".lock", lambda: waited.append("waited")):
            (tmp_path / name / "made").touch()
    with Journal(tmp_path) as journal:
        journal.note("start", launch="b0")
    assert waited == []
    assert (tmp_path / FILE).read_text().count("\n") == 1
    told = capfd.readouterr()
    assert told.err.count(f"The file system has no locks ({without_locks})") == 1
    assert told.out == ""


def test_who_comes_second_waits_and_says_so(tmp_path: Path) -> None:
    order: list[str] = []
    waiting = threading.Event()

    def second() -> None:
        with exclusive(tmp_path / ".lock", waiting.set):
            order.append("second")

    with exclusive(tmp_path / ".lock", lambda: None):
        thread = threading.Thread(target=second)
        thread.start()
        assert waiting.wait(20)
        order.append("first")
    thread.join()
    assert order == ["first", "second"]
