# SPDX-License-Identifier: BSD-3-Clause
"""One run of a program: its output and exit status, and what it took."""

from __future__ import annotations

import os
import select
import tempfile
import time
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import IO

from raddle.errors import UserError
from raddle.execute.ending import end
from raddle.execute.job import Job
from raddle.execute.shm import SharedMemory
from raddle.execute.signals import Signals
from raddle.inspection.ask import InterruptError
from raddle.trial.memory import Watch


@dataclass(frozen=True)
class Run:
    """What became of it. `status` is negative for a signal; memory is that of all its processes, if it was watched."""

    status: int
    output: str
    errors: str
    wall_s: float
    cpu_s: float
    memory_mb: float | None
    stopped: bool = False  # it took too long

    @property
    def last_words(self) -> str:
        """The last line that it wrote as an error, or else at all."""
        lines = [line for line in (*self.output.splitlines(), *self.errors.splitlines()) if line.strip(" -=\t")]
        return lines[-1].strip() if lines else ""


def run(
    words: Sequence[str], env: Mapping[str, str], limit: float, signals: Signals, watched: Collection[str] = ()
) -> Run:
    """Runs a command to its end, or for `limit` seconds.

    `watched`: the files whose processes' memory is looked at, which takes some of the CPUs' time. Raises
    InterruptError, and UserError when it cannot be started; nothing of it runs on in any case.
    """
    memory = SharedMemory()
    # Files: a pipe that nobody empties would stop it, and emptying one takes a CPU that it may need.
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        begun = time.monotonic()
        try:
            job = Job(list(words), dict(env), output, errors)
        except OSError as error:
            raise UserError(f"Cannot start {words[0]}: {error.strerror}.") from error
        with job, Watch(job, watched) as watch:
            try:
                cpu_s = _wait(job, begun + limit, signals)
                wall_s = time.monotonic() - begun
            finally:
                end(job, memory, hurry=lambda: signals.impatient)
        return Run(
            status=job.status(),
            output=_text(output),
            errors=_text(errors),
            wall_s=wall_s,
            cpu_s=cpu_s or 0.0,
            memory_mb=watch.megabytes,
            stopped=cpu_s is None,
        )


def _wait(job: Job, deadline: float, signals: Signals) -> float | None:
    """Until the command has ended. Returns the CPU time of all that it has waited for; None where it took too long."""
    while True:
        ended, status, used = os.wait4(job.process.pid, os.WNOHANG)
        if ended:
            job.process.returncode = os.waitstatus_to_exitcode(status)
            return used.ru_utime + used.ru_stime
        if signals.received:
            raise InterruptError(signals.received)
        left = deadline - time.monotonic()
        if left <= 0:
            return None
        select.select([signals.fd], [], [], left)  # the end of a child is a signal, too
        signals.drain()


def _text(file: IO[bytes]) -> str:
    file.seek(0)
    return file.read().decode(errors="replace")
