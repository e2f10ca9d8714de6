# SPDX-License-Identifier: BSD-3-Clause
"""What the doctor asks the operating system: CPUs, shared memory, and whether processes may read one another."""

from __future__ import annotations

import os
from pathlib import Path

from raddle.environment import allowed_cpus
from raddle.inspection.facts import Job, Machine

_SHM = Path("/dev/shm")
_PTRACE_SCOPE = Path("/proc/sys/kernel/yama/ptrace_scope")


def machine() -> Machine:
    """This machine, as this session may use it."""
    whole, free = _mib(_SHM)
    try:
        scope = _PTRACE_SCOPE.read_text(encoding="utf-8").strip()
    except OSError:
        scope = ""
    return Machine(cpus=allowed_cpus(), shm_mib=whole, shm_free_mib=free, ptrace_scope=scope, root=os.geteuid() == 0)


def job(processes: int | None, threads: int | None, cpus: int) -> Job:
    """The program to judge for. By default two processes share the CPUs, with at least two threads each."""
    number = processes or 2
    return Job(processes=number, threads=threads or _omp_threads() or max(2, cpus // number))


def _omp_threads() -> int | None:
    """OMP_NUM_THREADS, which may be a list for nested regions."""
    first = os.environ.get("OMP_NUM_THREADS", "").partition(",")[0].strip()
    return int(first) if first.isdigit() and int(first) > 0 else None


def _mib(directory: Path) -> tuple[int, int]:
    """Size of the file system and what is free of it; -1 where there is none."""
    try:
        state = os.statvfs(directory)
    except OSError:
        return -1, -1
    return state.f_blocks * state.f_frsize >> 20, state.f_bavail * state.f_frsize >> 20
