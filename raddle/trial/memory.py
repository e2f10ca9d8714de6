# SPDX-License-Identifier: BSD-3-Clause
"""How much memory the processes of a program take, seen from beside them while they run."""

from __future__ import annotations

import threading
from collections.abc import Collection, Iterator
from pathlib import Path

_PROC = Path("/proc")
_EVERY_S = 0.02
_KILOBYTES = 1024


class Watch:
    """The most that each process below `root` has had in memory, as long as this is entered."""

    def __init__(self, root: int, programs: Collection[str]) -> None:
        """Of processes that run one of these files; the launcher's own do not count."""
        self._root = root
        self._programs = {str(Path(program).resolve()) for program in programs}
        self._most: dict[int, float] = {}
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._look, daemon=True)

    def __enter__(self) -> Watch:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()

    @property
    def megabytes(self) -> float | None:
        """Of all together; nothing if none was seen, since it was over too soon."""
        return sum(self._most.values()) / _KILOBYTES if self._most else None

    def _look(self) -> None:
        while not self._over.wait(_EVERY_S):
            for pid in self._below():
                if most := _most(pid):
                    self._most[pid] = max(self._most.get(pid, 0.0), most)

    def _below(self) -> Iterator[int]:
        parents = {int(entry.name): _parent(entry) for entry in _PROC.iterdir() if entry.name.isdigit()}
        for pid in parents:
            above: int | None = pid
            while above and above != self._root:
                above = parents.get(above)
            if above == self._root and _file(pid) in self._programs:
                yield pid


def _parent(entry: Path) -> int | None:
    try:
        return int((entry / "stat").read_text(encoding="utf-8", errors="replace").rpartition(")")[2].split()[1])
    except (OSError, IndexError, ValueError):
        return None


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
