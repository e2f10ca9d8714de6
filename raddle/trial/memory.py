# SPDX-License-Identifier: BSD-3-Clause
"""How much memory the processes of a program take, seen from beside them while they run."""

from __future__ import annotations

import threading
from collections.abc import Collection
from pathlib import Path

from raddle.execute.job import Job

_PROC = Path("/proc")
_EVERY_S = 0.02
_KILOBYTES = 1024


class Watch:
    """The most that each process of a job has had in memory, as long as this is entered."""

    def __init__(self, job: Job, programs: Collection[str]) -> None:
        """Of processes that run one of these files; the launcher's own do not count."""
        self._job = job
        self._programs = {str(Path(program).resolve()) for program in programs}
        self._most: dict[int, float] = {}
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._look, daemon=True)

    def __enter__(self) -> Watch:
        if self._programs:
            self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        if self._programs:
            self._thread.join()

    @property
    def megabytes(self) -> float | None:
        """Of all together; nothing if none was seen, since it was over too soon."""
        return sum(self._most.values()) / _KILOBYTES if self._most else None

    def _look(self) -> None:
        while not self._over.wait(_EVERY_S):
            for pid in self._job.members():
                if _file(pid) in self._programs and (most := _most(pid)):
                    self._most[pid] = max(self._most.get(pid, 0.0), most)


def _file(pid: int) -> str:
    try:
        return str((_PROC / str(pid) / "exe").readlink())
    except OSError:
        return ""


def _most(pid: int) -> float | None:
    try:
        lines = (_PROC / str(pid) / "status").read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return None
    return next((float(line.split()[1]) for line in lines if line.startswith("VmHWM:")), None)
