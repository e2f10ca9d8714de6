# SPDX-License-Identifier: BSD-3-Clause
"""Runs the suite on one MPI with ranks of one shape, in as many jobs as it takes: a test that hangs, crashes or fails
ends its job, and the next job goes on with the rest."""

from __future__ import annotations

import json
import os
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from raddle.execute.job import Job
from raddle.execute.shm import SharedMemory
from raddle.launchers import launcher_for
from raddle.mpi.find import Mpi
from tests.conformance import known

_RANKS = Path(__file__).with_name("ranks.py")
_CHECKOUT = _RANKS.parents[2]
_SECONDS_A_TEST = 25.0  # one that takes longer hangs; for each rank of a process, which share Python's interpreter
_SECONDS_TO_END = 20.0
_SECONDS_TO_SETTLE = 2.0  # ranks may live a moment longer than their launcher
_SECONDS_BETWEEN_LOOKS = 1.0  # at what memory the job's processes share
_SECONDS_AFTER_FAILURE = 4.0  # of one rank: others may wait for what it would have sent


@dataclass(frozen=True)
class Shape:
    """Ranks of a job: the threads of each process, or one process for each."""

    name: str
    threads: tuple[int, ...] | None
    ranks: int

    @property
    def processes(self) -> int:
        return len(self.threads) if self.threads else self.ranks

    @property
    def patience(self) -> float:
        """Seconds in which a test ends, or hangs."""
        return _SECONDS_A_TEST * max(self.threads or (1,))


SHAPES = {
    name: Shape(name, threads, sum(threads))
    for name, threads in {"1x2": (2,), "1x4": (4,), "2x2": (2, 2), "1+3": (1, 3)}.items()
}


def of_processes(ranks: int) -> Shape:
    """What an MPI does without Raddle."""
    return Shape(f"{ranks} processes", None, ranks)


@dataclass
class Verdict:
    """What became of a test; of several ranks the worst."""

    outcome: str  # pass, skip, refused, fail, or erroneous: a test that breaks MPI's rules has failed
    reason: str = ""
    refused: str | None = None  # a function that was refused meanwhile, whatever came of it
    on: int = 0  # calls that moved data on endpoints, of all ranks
    past: int = 0  # and elsewhere


@dataclass
class Run:
    """All that a shape's jobs have told."""

    verdicts: dict[str, Verdict] = field(default_factory=dict)
    launches: int = 0
    seconds: float = 0.0


Progress = Callable[[str], None]
_WORST = ("fail", "refused", "skip", "pass")


def run(mpi: Mpi, shape: Shape, suite: Path, modules: Sequence[str], library: Path | None, progress: Progress) -> Run:
    """All tests of `modules`; `library` is libraddle, for shapes of threads."""
    made, begun = Run(), time.monotonic()
    with tempfile.TemporaryDirectory(prefix="raddle-conformance-") as scratch:
        while True:
            made.launches += 1
            before = len(made.verdicts)
            ended = _launch(mpi, shape, suite, modules, library, Path(scratch), made)
            progress(f"{mpi.name} {shape.name}: {len(made.verdicts)} tests, {made.launches} launches")
            if _over(Path(scratch)):
                if not ended:
                    made.verdicts["(the end)"] = Verdict("fail", "all tests are over, and the job does not end well")
                break
            loading = _loading(Path(scratch))
            if len(made.verdicts) == before and loading:
                made.verdicts[f"{loading}.(all)"] = Verdict("fail", "the module ends the job as it is loaded")
                modules = [name for name in modules if name != loading]
            elif len(made.verdicts) == before and made.launches > 3:
                made.verdicts["(the job)"] = Verdict(
                    "fail", (Path(scratch) / "output").read_text(errors="replace")[-2000:]
                )
                break
    made.seconds = time.monotonic() - begun
    return made


def _loading(scratch: Path) -> str | None:
    """The module that was being loaded when the last job ended."""
    lines = [line for line in _read(scratch / "journal") if "failed" not in line]
    name: str | None = lines[-1].get("load") if lines else None
    return name


def _over(scratch: Path) -> bool:
    """Whether the last job has come to its end, and not been stopped before."""
    lines = _read(scratch / "journal")
    return any("end" in line for line in lines) and not any("stopped" in line for line in lines)


def _launch(
    mpi: Mpi, shape: Shape, suite: Path, modules: Sequence[str], library: Path | None, scratch: Path, made: Run
) -> bool:
    """One job. @returns whether it ended by itself"""
    journal, output = scratch / "journal", scratch / "output"
    journal.unlink(missing_ok=True)
    done = list(made.verdicts)
    work = {
        "tests": str(suite / "test"),
        "journal": str(journal),
        "modules": _remaining(modules, done),
        "skip": done,
        "threads": shape.threads,
        "one_at_a_time": [one.tests for one in known.one_at_a_time()],
    }
    (scratch / "job.json").write_text(json.dumps(work), encoding="utf-8")
    env = {"PYTHONPATH": os.pathsep.join([str(suite / "package"), str(_CHECKOUT)]), **mpi.family.profile_env("shared")}
    if library:
        env |= {"LD_PRELOAD": str(library), "RADDLE_WATCHDOG": "10"}
    else:
        # An MPI that starts processes for a test may end the job. Endpoints refuse, whatever it would do.
        env["MPI4PY_TEST_SPAWN"] = "0"
    launcher = launcher_for(mpi)
    argv = [sys.executable, str(_RANKS), str(scratch / "job.json")]
    command = launcher.command(mpi, argv, processes=shape.processes, env=env, oversubscribe=True)
    # What is meant for the ranks alone goes by the launcher's options.
    own = {name: value for name, value in env.items() if name != "LD_PRELOAD"}
    memory = SharedMemory()
    with output.open("wb") as sink, Job(command, launcher.environment(mpi, own), sink) as job:
        try:
            hung = _wait(job, memory, journal, shape.patience)
        finally:
            # An MPI that has been ended, or has ended itself, leaves its shared memory behind.
            if job.process.poll() is None:
                memory.look(job.members())
                job.stop()
            elif not job.gone_within(_SECONDS_TO_SETTLE):
                job.kill()
            memory.clean()
    said = f"hangs (ended after {shape.patience:.0f} s)" if hung else "ends the job"
    _take(_read(journal), made, said, output)
    return job.status() == 0 and not hung


def _remaining(modules: Sequence[str], done: Sequence[str]) -> list[str]:
    """Tests are run in the order of modules: those before the last one begun are over."""
    begun = [test.partition(".")[0] for test in done]
    last = max((modules.index(name) for name in begun if name in modules), default=0)
    return list(modules[last:])


def _wait(job: Job, memory: SharedMemory, journal: Path, patience: float) -> bool:
    """Until the job ends, or no test begins any more. @returns whether it has not ended"""
    seen, since, looked = -1, time.monotonic(), 0.0
    while job.process.poll() is None:
        time.sleep(0.05)
        if time.monotonic() - looked > _SECONDS_BETWEEN_LOOKS:
            memory.look(job.members())
            looked = time.monotonic()
        size = journal.stat().st_size if journal.exists() else 0
        if size != seen:
            seen, since = size, time.monotonic()
        if time.monotonic() - since < _SECONDS_AFTER_FAILURE:
            continue
        last = _read(journal)[-1:]
        ending = any("end" in line or "stopped" in line for line in last)
        failed = any("failed" in line for line in last)
        limit = _SECONDS_AFTER_FAILURE if failed else _SECONDS_TO_END if ending else patience
        if time.monotonic() - since > limit:
            return True
    return False


def _take(lines: list[dict[str, Any]], made: Run, what: str, output: Path) -> None:
    open_test, failed = None, defaultdict[str, list[dict[str, Any]]](list)
    for line in lines:
        if "start" in line:
            open_test = line["start"]
        elif "done" in line:
            open_test = None
            made.verdicts[line["done"]] = _verdict([one for one in line["ranks"] if one])
        elif "failed" in line:
            failed[line["failed"]].append(line["rank"])
    if open_test is not None and failed[open_test]:
        made.verdicts[open_test] = _verdict(failed[open_test])
    elif open_test is not None:
        said = output.read_text(encoding="utf-8", errors="replace")[-1500:]
        made.verdicts[open_test] = Verdict("fail", f"{what}\n{said}")


def _verdict(ranks: list[dict[str, Any]]) -> Verdict:
    worst = min(ranks, key=lambda one: _WORST.index(one["outcome"]))
    on, past = (sum(one.get(name, 0) for one in ranks) for name in ("on", "past"))
    refused = next((one["refused"] for one in ranks if one.get("refused")), None)
    if worst["outcome"] == "skip" and refused:  # mpi4py's tests skip what an MPI cannot do
        return Verdict("refused", refused, refused, on, past)
    return Verdict(worst["outcome"], worst.get("reason", ""), refused, on, past)


def _read(journal: Path) -> list[dict[str, Any]]:
    if not journal.exists():
        return []
    text = journal.read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines(keepends=True) if line.endswith("\n")]
