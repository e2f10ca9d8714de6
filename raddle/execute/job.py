# SPDX-License-Identifier: BSD-3-Clause
"""The processes of one launch: started together, found again, ended together, and nobody else's.

Launchers put ranks into process groups of their own and may die before them, so a group is not enough to find them
all. A process belongs to the job when it is in the session that was opened for it, or carries the job's token in its
environment (which children inherit, also those that open a session of their own).
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import time
import uuid
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import BinaryIO

from raddle.execute.sessions import remove_sessions

# Not RADDLE_...: libraddle refuses settings that it does not know.
_TOKEN_NAME = "_RADDLE_JOB"
_PROC = Path("/proc")
_GRACE_SECONDS = 3.0
_KILL_SECONDS = 5.0


class Job:
    """A running command and all processes that came from it."""

    def __init__(
        self,
        argv: list[str],
        env: dict[str, str],
        sink: BinaryIO | None = None,
        errors: BinaryIO | None = None,
        *,
        untouched: bool = False,
    ) -> None:
        """Start `argv` with exactly `env`, in a session of its own. Raises OSError when it cannot be started.

        What it says goes into `sink`, or into pipes if there is none; its stderr into `errors`, if that is apart. One
        that is `untouched` has the input and output of this process.
        """
        token = uuid.uuid4().hex
        self._token = f"{_TOKEN_NAME}={token}".encode()
        self._env = env
        self.process = subprocess.Popen(
            argv,
            env={**env, _TOKEN_NAME: token},
            stdin=None if untouched else subprocess.DEVNULL,
            stdout=None if untouched else sink or subprocess.PIPE,
            stderr=None if untouched else errors or (subprocess.STDOUT if sink else subprocess.PIPE),
            bufsize=0,
            start_new_session=True,
        )

    def members(self) -> list[int]:
        """Process ids of the job that still live, by /proc; where there is none, just the command itself."""
        if not (_PROC / "self").exists():
            return [self.process.pid] if self.process.poll() is None else []
        pids = (int(entry.name) for entry in _PROC.iterdir() if entry.name.isdigit())
        return [pid for pid in pids if self.owns(pid)]

    def owns(self, pid: int) -> bool:
        """Whether `pid` lives and belongs to this job."""
        try:
            # After the name, which may hold anything: state, parent, group, session.
            state, _, _, session = (_PROC / str(pid) / "stat").read_text().rpartition(")")[2].split()[:4]
        except (OSError, ValueError):
            return False
        if state in "ZX":
            return False
        if int(session) == self.process.pid:
            return True
        try:
            return self._token in (_PROC / str(pid) / "environ").read_bytes().split(b"\0")
        except OSError:
            return False  # it ended, or it is somebody else's

    def stop(
        self, look: Callable[[list[int]], None] = lambda pids: None, hurry: Callable[[], bool] = lambda: False
    ) -> None:
        """End the job: ask all of it, then insist; at once when `hurry` says so.

        `look` is told the processes while none of them runs. Those that just begin make nothing more after it: SIGTERM
        awaits them.
        """
        halted = self._halt()
        look(halted)
        for number in (signal.SIGTERM, signal.SIGCONT):
            _send(number, halted)
        if not self.gone_within(_GRACE_SECONDS, hurry):
            self.kill()

    def _halt(self) -> list[int]:
        """Suspends all of the job, also what is started meanwhile. @returns it"""
        halted: list[int] = []
        while more := [pid for pid in self.members() if pid not in halted]:
            _send(signal.SIGSTOP, more)
            halted += more
        return halted

    def gone_within(self, seconds: float, hurry: Callable[[], bool] = lambda: False) -> bool:
        """Wait for the end of all of the job, so long at most; not at all when `hurry` says so."""
        give_up = time.monotonic() + seconds
        while self.process.poll() is None or self.members():
            if time.monotonic() >= give_up or hurry():
                return False
            time.sleep(0.02)
        return True

    def status(self) -> int:
        """Exit status of the command after its end, negative for a signal."""
        try:
            return self.process.wait(_KILL_SECONDS)
        except subprocess.TimeoutExpired:  # stuck in the kernel: it dies when that lets go of it
            return -signal.SIGKILL

    def kill(self) -> None:
        """End what is left of the job at once, and what its launchers can no longer remove."""
        give_up, killed = time.monotonic() + _KILL_SECONDS, set[int]()
        # Repeated, since a process may start another one between the look and the signal.
        while (left := self.members()) and time.monotonic() < give_up:
            _send(signal.SIGKILL, left)
            killed.update(left)
            time.sleep(0.02)
        remove_sessions(killed, self._env)

    def __enter__(self) -> Job:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for pipe in (self.process.stdout, self.process.stderr):
            if pipe:
                pipe.close()


def _send(number: signal.Signals, pids: list[int]) -> None:
    for pid in pids:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(pid, number)
