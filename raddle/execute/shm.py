# SPDX-License-Identifier: BSD-3-Clause
"""Shared memory files that a killed MPI leaves in /dev/shm: removed, but only when they are proven to be the job's.

A file is the job's when it was not there before the job began and one of the job's processes was seen to map it, or
to have it open, as between making and mapping it.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterable
from pathlib import Path

_SHM = Path("/dev/shm")
_PROC = Path("/proc")


class SharedMemory:
    """The files under `directory` that one job made."""

    def __init__(self, directory: Path = _SHM) -> None:
        self._directory = directory
        self._before = _names(directory)
        self._made: set[str] = set()

    def look(self, pids: Iterable[int]) -> None:
        """Note what these processes of the job use; called when they are not measuring."""
        for pid in pids:
            self._made |= _used(pid, self._directory) - self._before

    def clean(self) -> list[str]:
        """Remove the job's files that nobody uses any more; called after its end. Returns their names."""
        left = self._made & _names(self._directory)
        if not left:
            return []
        pids = (int(entry.name) for entry in _PROC.iterdir() if entry.name.isdigit())
        in_use = set().union(*(_used(pid, self._directory) for pid in pids))
        removed = []
        for name in sorted(left - in_use):
            with contextlib.suppress(OSError):
                (self._directory / name).unlink()
                removed.append(name)
        return removed


def _names(directory: Path) -> set[str]:
    try:
        return {entry.name for entry in os.scandir(directory)}
    except OSError:
        return set()


def _used(pid: int, directory: Path) -> set[str]:
    """Names under `directory` that process `pid` maps or has open; empty for a process that is gone or not ours."""
    process, paths = _PROC / str(pid), []
    with contextlib.suppress(OSError):
        # Address, rights, offset, device, inode; the path may hold anything.
        lines = (process / "maps").read_text(errors="replace").splitlines()
        paths += [columns[5] for line in lines if len(columns := line.split(maxsplit=5)) > 5]
        for entry in (process / "fd").iterdir():
            with contextlib.suppress(OSError):
                paths.append(str(entry.readlink()))
    prefix = f"{directory}/"
    below = (path.removeprefix(prefix) for path in paths if path.startswith(prefix))
    return {path.partition("/")[0] for path in below if not path.endswith(" (deleted)")}
