# SPDX-License-Identifier: BSD-3-Clause
"""What simulated nodes are called: their names say whose they are, so that those of a dead run are recognised."""

from __future__ import annotations

import os
import re
from pathlib import Path

_NAME = re.compile(r"raddle-(\d+)-(\d+)-[ab]")


def own_names() -> tuple[str, str]:
    """The names of this process's nodes. A process is told from a later one with its number by when it started."""
    pid = os.getpid()
    return f"raddle-{pid}-{_started(pid)}-a", f"raddle-{pid}-{_started(pid)}-b"


def is_stale(name: str) -> bool:
    """Whether this is a node of a `raddle` that is gone; anybody else's namespace is not."""
    found = _NAME.fullmatch(name)
    return found is not None and _started(int(found[1])) != int(found[2])


def shares(processes: int) -> tuple[int, int]:
    """How many ranks, the first ones, live on the first node, and how many on the second.

    Half of them each, so that rank i meets rank i + n/2 on the other node; of three, two are partners of the first.
    """
    first = 1 if processes == 3 else (processes + 1) // 2
    return first, processes - first


def _started(pid: int) -> int | None:
    """When a process started, in clock ticks since boot; None when there is no such process."""
    try:
        # After the name, which may hold anything, the 20th field (proc_pid_stat(5)).
        return int(Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[19])
    except OSError:
        return None
