# SPDX-License-Identifier: BSD-3-Clause
"""Compiles twins, and runs one in one mode: what it wrote, how it ended."""

from __future__ import annotations

import os
import re
import subprocess
import threading
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

from raddle.execute.job import Job
from raddle.launchers import launcher_for
from raddle.mpi.find import Mpi
from tests import leftovers
from tests.quick_start import QUICK_START
from tests.twins.program import PROGRAMS, RANKS_ARE_THREADS, Program

SOURCE = Path(__file__).resolve().parents[2]
SECONDS = 60.0  # for one run; on an idle machine most take less than one
_SECONDS_TO_GO = 3.0  # for processes after their launcher
# Open MPI's constants such as MPI_UNWEIGHTED are arrays of no length to a compiler.
_FLAGS = (
    "-O1",
    "-Wall",
    "-Wextra",
    "-Wno-unused-parameter",
    "-Wno-stringop-overread",
    "-Wno-stringop-overflow",
    "-Werror",
)
_STANDARDS = {".c": "-std=gnu11", ".cpp": "-std=c++17"}
_compiling = defaultdict[Path, threading.Lock](threading.Lock)  # a program with several arguments is wanted by several
# Hydra, Intel's too, tells on standard output what has killed a process.
_HYDRAS_WORDS = re.compile(
    r"^=+\n(?:=  .*\n)+=+\n(?:YOUR APPLICATION TERMINATED.*\n)?(?:This typically refers.*\n)?(?:Please see .*\n)?", re.M
)
_CRASHED = re.compile(r"\bsignal:? (?:4|6|7|8|11)\b|\(signal (?:4|6|7|8|11)\)|KILLED BY SIGNAL: (?:4|6|7|8|11)\b")


@dataclass
class Ended:
    """How one run ended."""

    status: int
    lines: list[str]  # of standard output, sorted
    errors: str
    crashed: bool  # of itself; by MPI_Abort or exit it has ended otherwise
    hung: bool
    left: bool  # processes, after the launcher had ended

    @property
    def failed(self) -> str:
        """How, where it neither came to an end nor was ended by an error of MPI."""
        return "hangs" if self.hung else "crashes" if self.crashed else ""


def compiled(mpi: Mpi, program: Program, *, shared: bool) -> Path:
    """The program as an executable, or as a library whose copies are ranks. Raises CalledProcessError."""
    made = SOURCE / "build" / f"twins-{mpi.label}" / (program.name + (".so" if shared else ""))
    sources = (program.path, PROGRAMS / "twin.h")
    with _compiling[made]:
        if not made.exists() or made.stat().st_mtime < max(source.stat().st_mtime for source in sources):
            made.parent.mkdir(parents=True, exist_ok=True)
            _compile(mpi, program.path, made, shared=shared)
    return made


def _compile(mpi: Mpi, source: Path, made: Path, *, shared: bool) -> None:
    compiler = mpi.mpicc
    if source.suffix == ".cpp":
        compiler = compiler.with_name(compiler.name.replace("mpicc", "mpicxx", 1))
    options = [_STANDARDS[source.suffix], *_FLAGS, *(("-fPIC", "-shared") if shared else ())]
    part = made.with_name(f"{made.name}.{os.getpid()}")  # whole, or not there
    command = [str(compiler), *options, "-o", str(part), str(source), "-lm", "-lpthread"]
    subprocess.run(command, env=launcher_for(mpi).environment(mpi, {}), check=True, stderr=subprocess.PIPE, text=True)
    part.replace(made)


def run(
    mpi: Mpi,
    program: Program,
    args: list[str],
    mode: str,
    built: Path,
    seconds: float = SECONDS,
    settings: dict[str, str] | None = None,
) -> Ended:
    """One run of a twin. `settings`: of processes, instead of the mode's."""
    words = [str(compiled(mpi, program, shared=mode in RANKS_ARE_THREADS)), *args]
    return run_ranks(mpi, words, program.ranks, mode, built, seconds, settings)


def run_ranks(
    mpi: Mpi,
    words: list[str],
    ranks: int,
    mode: str,
    built: Path,
    seconds: float = SECONDS,
    settings: dict[str, str] | None = None,
    directory: Path | None = None,
) -> Ended:
    """One run of a program in a mode. `built` has libraddle in lib, raddle-ranks in bin. `directory`: where it runs."""
    threads = mode in RANKS_ARE_THREADS
    processes = ranks if not threads else 1 if mode == "1xN" else 2
    if threads:
        words = [str(built / "bin" / "raddle-ranks"), str(ranks // processes), *words]
    launcher = launcher_for(mpi)
    own = _settings(built, mode, seconds) if settings is None else settings
    # What is the launcher's as well comes by its environment; the library is for the processes alone.
    common = launcher.environment(mpi, {**mpi.family.profile_env("shared"), **QUICK_START})
    command = launcher.command(mpi, words, processes=processes, env=own, oversubscribe=True)
    # Ends also when who has started it was killed.
    guarded = ["timeout", f"--kill-after={_SECONDS_TO_GO}", str(seconds + 2 * _SECONDS_TO_GO), *command]
    if directory is not None:
        guarded = ["env", f"--chdir={directory}", *guarded]
    before = leftovers.segments()
    with Job(guarded, common) as job:
        hung = False
        try:
            out, err = job.process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            hung = job.process.poll() is None
            job.stop()
            out, err = job.process.communicate()
        left = not hung and not job.gone_within(_SECONDS_TO_GO)
        job.kill()
        status = job.status()
    # An MPI that is aborted leaves some, and tests that run beside this one count them.
    leftovers.remove(leftovers.segments() - before)
    text, errors = out.decode(errors="replace"), err.decode(errors="replace")
    lines = sorted(_HYDRAS_WORDS.sub("", text).splitlines())
    crashed = status < 0 or _CRASHED.search(text + errors) is not None
    return Ended(status, [line for line in lines if line], errors, crashed, hung, left)


def _settings(built: Path, mode: str, seconds: float) -> dict[str, str]:
    """What processes get besides: nothing natively."""
    if mode == "native":
        return {}
    made = {"LD_PRELOAD": str(built / "lib" / "libraddle.so"), "RADDLE_WATCHDOG": str(max(1, int(seconds / 2)))}
    made |= {"RADDLE_PARTITIONED": "1"} if mode == "attached" else {}
    return made | ({"RADDLE_NODE": "rank"} if mode == "nodes" else {})
