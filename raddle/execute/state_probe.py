# SPDX-License-Identifier: BSD-3-Clause
"""The probe of the machine's state: one process for a whole run that sleeps until it is asked, between launches.

A process for each question would take longer to start than to answer.
"""

from __future__ import annotations

import contextlib
import os
import selectors
import subprocess
from pathlib import Path
from types import TracebackType

import msgspec

from raddle.model import Reading

_SECONDS = 10.0  # for an answer that takes milliseconds, on a machine that others keep busy
_LEAVE_SECONDS = 2.0


class StateProbe:
    """`raddle-probe --state` while entered. One that cannot be started, or that fails, answers with the reason."""

    def __init__(self, program: Path) -> None:
        self._program = program
        self._process: subprocess.Popen[bytes] | None = None
        self._failure = "it was not started"

    def ask(self, contexts: int, pin: str) -> Reading:
        """How far apart the CPUs are now that a launch of so many contexts takes."""
        process = self._process
        if process is None or process.stdin is None or process.stdout is None:
            return Reading(error=self._failure)
        try:
            process.stdin.write(f"{contexts} {pin}\n".encode())
            return msgspec.json.decode(self._line(process.stdout.fileno()), type=Reading)
        except (OSError, TimeoutError, msgspec.MsgspecError) as error:
            # Once out of step it would answer the question before.
            self._failure = f"the probe of the state failed: {error}"
            self._end(0)
            return Reading(error=self._failure)

    @staticmethod
    def _line(descriptor: int) -> bytes:
        line = b""
        with selectors.DefaultSelector() as selector:
            selector.register(descriptor, selectors.EVENT_READ)
            while not line.endswith(b"\n"):
                if not selector.select(_SECONDS):
                    raise TimeoutError(f"no answer within {_SECONDS:.0f} s")
                piece = os.read(descriptor, 1 << 16)
                if not piece:
                    raise OSError("it ended")
                line += piece
        return line

    def _end(self, seconds: float) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        with contextlib.suppress(OSError):
            if process.stdin:
                process.stdin.close()
        try:
            process.wait(seconds)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        if process.stdout:
            process.stdout.close()

    def __enter__(self) -> StateProbe:
        try:
            self._process = subprocess.Popen(
                [str(self._program), "--state"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                bufsize=0,
                start_new_session=True,  # Ctrl-C is for raddle, which ends it in good order
            )
        except OSError as error:
            self._failure = f"{self._program.name} cannot be started: {error.strerror}"
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._end(_LEAVE_SECONDS)
