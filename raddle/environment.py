# SPDX-License-Identifier: BSD-3-Clause
"""`environment.json`: where the numbers come from. Of the user's variables only those that concern MPI are kept."""

from __future__ import annotations

import os
import platform
import re
import shutil
import subprocess
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

import msgspec
import psutil

import raddle
from raddle.clusters.allocation import Allocation
from raddle.files import read_json, write_whole
from raddle.mpi.find import Mpi
from raddle.mpi.variables import MPI_PREFIXES
from raddle.paths import tilde

FILE = "environment.json"

_PREFIXES = (*MPI_PREFIXES, "OMP_", "GOMP_", "KMP_", "RADDLE_")
# Which library a launch really loads, and what stands in front of it.
_LOADER = ("LD_LIBRARY_PATH", "LD_PRELOAD")
# A name of the right prefix may still hold what nobody else should read.
_SECRET = re.compile(r"KEY|TOKEN|PASS|SECRET|CRED|AUTH|COOKIE|PRIVATE|LICENSE|DATABASE_URL", re.IGNORECASE)
_LONGEST_VALUE = 1000
_SYS = Path("/sys/devices/system")


class Host(msgspec.Struct, frozen=True, kw_only=True):
    """The machine, as far as it explains numbers; unknown is "" or None."""

    cpu: str
    cores: int  # logical CPUs of the machine; what a run may use is in `allowed_cpus`
    allowed_cpus: list[int]
    kernel: str
    os: str
    memory_gib: float
    governor: str
    smt: bool | None
    numa_nodes: int


class MpiRecord(msgspec.Struct, frozen=True, kw_only=True):
    """An MPI that was measured; `prefix_kind` is "wheel" (ours), "distribution" or "path" (the user's)."""

    name: str
    title: str
    version: str
    library_version: str
    prefix_kind: str
    distribution: str = ""  # as people call it, e.g. "Debian"
    tuned: dict[str, dict[str, Any]] = {}  # by shape of work, what `tuned` ran with (raddle.tuning.tuned.Choice)


class NoticeRecord(msgspec.Struct, frozen=True, kw_only=True):
    """Something to know about the whole run: a name from `raddle/notices.py`, and what it is about here."""

    name: str
    detail: str


class Environment(msgspec.Struct, frozen=True, kw_only=True):
    """The whole record (docs/use/results.md)."""

    schema: int = 1
    created: str
    command: list[str]
    seed: int
    commit: str
    host: Host
    compiler: str
    python: str
    raddle: str
    mpis: list[MpiRecord]
    allocation: Allocation | None = None  # the job of a batch system that it ran in
    settings: dict[str, str]
    notices: list[NoticeRecord]
    sessions: list[Environment] = []  # that went on with the run, in order of time

    def save(self, directory: Path) -> None:
        """Write it into the directory of a run. Raises UserError."""
        write_whole(directory / FILE, msgspec.json.format(msgspec.json.encode(self), indent=1) + b"\n")


def environment(
    command: Sequence[str],
    seed: int,
    mpis: Mapping[str, Mpi],
    notices: Iterable[NoticeRecord] = (),
    allocation: Allocation | None = None,
    tuned: Mapping[str, Any] | None = None,
) -> Environment:
    """The record of a run of `command` that starts now and measures `mpis` (by the name that launches use)."""
    return Environment(
        created=datetime.now(timezone.utc).isoformat(timespec="seconds"),
        command=[tilde(word) for word in _typed(command)],
        seed=seed,
        commit=checkout_commit(),
        host=host(),
        compiler=_first_line(*(os.environ.get("CXX", "").split() or ["c++"]), "--version"),
        python=platform.python_version(),
        raddle=raddle.__version__,
        mpis=[
            MpiRecord(
                name=name,
                title=mpi.family.title,
                version=mpi.version,
                library_version=mpi.library,
                prefix_kind="wheel" if mpi.ours else "distribution" if mpi.packaged else "path",
                distribution=mpi.packaged.title if mpi.packaged else "",
                tuned=msgspec.to_builtins(tuned[name].shapes) if tuned and name in tuned else {},
            )
            for name, mpi in mpis.items()
        ],
        allocation=allocation,
        settings=settings(os.environ),
        notices=list(notices),
    )


def read_environment(directory: Path) -> Environment | None:
    """The record of the run in `directory`; None when it cannot be read: a gap is better than no report."""
    try:
        return read_json(directory / FILE, Environment)
    except (OSError, msgspec.MsgspecError):
        return None


def settings(variables: Mapping[str, str]) -> dict[str, str]:
    """The variables that concern MPI, OpenMP, UCX, libfabric, PMIx, Raddle or the loader, save what may be secret."""
    return {
        name: tilde(value)[:_LONGEST_VALUE]
        for name, value in sorted(variables.items())
        if (name.startswith(_PREFIXES) or name in _LOADER) and not _SECRET.search(name)
    }


def host() -> Host:
    """This machine."""
    smt = _read(_SYS / "cpu/smt/active")
    return Host(
        cpu=_cpu_name(),
        cores=os.cpu_count() or 1,
        allowed_cpus=allowed_cpus(),
        kernel=platform.release(),
        os=_os_name(),
        memory_gib=round(psutil.virtual_memory().total / 2**30, 1),
        governor=_read(_SYS / "cpu/cpu0/cpufreq/scaling_governor"),
        smt=None if not smt else smt == "1",
        numa_nodes=max(1, len(list((_SYS / "node").glob("node[0-9]*")))),
    )


def allowed_cpus() -> list[int]:
    """The CPUs that this process may use: a container, `taskset` or a batch system may leave it only some."""
    if hasattr(os, "sched_getaffinity"):
        return sorted(os.sched_getaffinity(0))
    return list(range(os.cpu_count() or 1))


def _cpu_name() -> str:
    found = re.search(r"^(?:model name|Model|cpu model)\s*:\s*(.+)$", _read(Path("/proc/cpuinfo")), re.MULTILINE)
    return found[1].strip() if found else platform.processor() or platform.machine()


def _os_name() -> str:
    try:
        return platform.freedesktop_os_release().get("PRETTY_NAME", platform.system())
    except OSError:
        return platform.platform()


def checkout_commit() -> str:
    """The commit of the checkout that this package is in, with "-dirty" when it is not all committed."""
    root = Path(raddle.__file__).resolve().parents[1]
    if not (root / ".git").exists():
        return ""
    return _first_line("git", "-C", str(root), "describe", "--always", "--abbrev=40", "--dirty", "--exclude=*")


def _typed(command: Sequence[str]) -> list[str]:
    """The command as a user types it: `python -m raddle` gets the path of a file of Raddle's."""
    if not command:
        return []
    name = Path(command[0]).name
    if name == "__main__.py":
        return ["python", "-m", "raddle", *command[1:]]
    # The shell finds it in PATH, and tells the program where.
    return [name if shutil.which(name) == command[0] else command[0], *command[1:]]


def _first_line(*command: str) -> str:
    """The first line that a command prints; "" when it cannot be run."""
    if shutil.which(command[0]) is None:
        return ""
    try:
        done = subprocess.run(
            command, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace", timeout=20, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return next(iter(done.stdout.splitlines()), "").strip() if done.returncode == 0 else ""


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace").strip()
    except OSError:
        return ""
