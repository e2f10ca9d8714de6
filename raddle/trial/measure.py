# SPDX-License-Identifier: BSD-3-Clause
"""One run of a program: its output and exit status, and what it took."""

from __future__ import annotations

import os
import signal
import subprocess
import tempfile
import threading
import time
from collections.abc import Collection, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from typing import IO

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


def run(words: Sequence[str], env: Mapping[str, str], limit: float, watched: Collection[str] = ()) -> Run:
    """Runs a command to its end, or for `limit` seconds. An interrupt ends it, too.

    `watched`: the files whose processes' memory is looked at, which takes some of the CPUs' time.
    """
    # Files: a pipe that nobody empties would stop it, and emptying one takes a CPU that it may need.
    with tempfile.TemporaryFile() as output, tempfile.TemporaryFile() as errors:
        begun = time.monotonic()
        process = subprocess.Popen(
            list(words), env=dict(env), stdin=subprocess.DEVNULL, stdout=output, stderr=errors, start_new_session=True
        )
        too_late = threading.Event()

        def end() -> None:
            too_late.set()
            _end(process)

        timer = threading.Timer(limit, end)
        timer.start()
        watch = Watch(process.pid, watched)
        try:
            with watch if watched else nullcontext():
                _, status, used = os.wait4(process.pid, 0)
        except BaseException:
            _end(process)
            os.wait4(process.pid, 0)
            raise
        finally:
            timer.cancel()
        wall = time.monotonic() - begun
        process.returncode = os.waitstatus_to_exitcode(status)
        return Run(
            status=process.returncode,
            output=_text(output),
            errors=_text(errors),
            wall_s=wall,
            cpu_s=used.ru_utime + used.ru_stime,
            memory_mb=watch.megabytes,
            stopped=too_late.is_set(),
        )


def _end(process: subprocess.Popen[bytes]) -> None:
    """The launcher first, which ends what it has started; then whatever is left of its session."""
    for number, patience in ((signal.SIGTERM, 2.0), (signal.SIGKILL, 0.0)):
        try:
            os.killpg(process.pid, number)
        except ProcessLookupError:
            return
        deadline = time.monotonic() + patience
        while time.monotonic() < deadline:
            if os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT):
                break
            time.sleep(0.02)


def _text(file: IO[bytes]) -> str:
    file.seek(0)
    return file.read().decode(errors="replace")
