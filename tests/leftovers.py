# SPDX-License-Identifier: BSD-3-Clause
"""What processes leave that a test has killed on purpose: segments of shared memory of the MPI, not of Raddle, and the
directories of launchers."""

from __future__ import annotations

import os
import re
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from raddle.execute.sessions import remove_sessions

SHARED_MEMORY = Path("/dev/shm")
_MOMENT = 5.0  # seconds
_BETWEEN_LOOKS = 1.0


def segments() -> set[Path]:
    """Those of this user that are there."""
    return {path for path in SHARED_MEMORY.glob("*") if _is_own(path)}


def abandoned(before: set[Path]) -> set[Path]:
    """Those that were not there before and that no process maps, after a moment either: one may be about to."""
    give_up = time.monotonic() + _MOMENT
    while (left := _unused(segments() - before)) and time.monotonic() < give_up:
        time.sleep(0.1)
    return left


def remove(candidates: set[Path]) -> set[Path]:
    """Removes those that no process has mapped any more. @returns them"""
    left = _unused(candidates)
    for path in left:
        path.unlink(missing_ok=True)
    return left


def remove_dead_sessions() -> list[Path]:
    """Removes the directories of this user's launchers that live no more. @returns them"""
    named = (re.fullmatch(r"\D+\.(\d+)", path.name) for path in Path(tempfile.gettempdir()).iterdir() if _is_mine(path))
    dead = {int(name[1]) for name in named if name and not Path("/proc", name[1]).exists()}
    return remove_sessions(dead, {"TMPDIR": tempfile.gettempdir()})


@contextmanager
def swept() -> Iterator[None]:
    """Meanwhile, removes those of MPIs that come and that nobody maps in two looks: tests beside this count theirs."""
    before, over = segments(), threading.Event()

    def new() -> set[Path]:
        return {path for path in segments() - before if "raddle" not in path.name}

    def sweep() -> None:
        unused: set[Path] = set()
        while not over.wait(_BETWEEN_LOOKS):
            remove(unused & segments())
            unused = _unused(new())

    sweeper = threading.Thread(target=sweep)
    sweeper.start()
    try:
        yield
    finally:
        over.set()
        sweeper.join()
        remove(new())


def _unused(candidates: set[Path]) -> set[Path]:
    return {path for path in candidates - set(_mapped()) if path.exists()} if candidates else set()


def _is_own(path: Path) -> bool:
    return path.is_file() and _is_mine(path)


def _is_mine(path: Path) -> bool:
    try:
        return path.stat().st_uid == os.geteuid()
    except FileNotFoundError:  # its process has ended
        return False


def _mapped() -> Iterator[Path]:
    for maps in Path("/proc").glob("[0-9]*/maps"):
        try:
            lines = maps.read_text(encoding="utf-8", errors="replace").splitlines()
        except OSError:  # it has ended, or is another user's
            continue
        yield from (Path(line[line.index("/") :]) for line in lines if str(SHARED_MEMORY) in line)
