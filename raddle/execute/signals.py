# SPDX-License-Identifier: BSD-3-Clause
"""Signals as something to wait for: Ctrl-C ends a run in good order instead of somewhere in the middle of a line."""

from __future__ import annotations

import contextlib
import os
import signal
import time
from types import FrameType, TracebackType
from typing import Any

# Of who has pressed Ctrl-C; what follows, such as a report, takes some more.
_PATIENCE_SECONDS = 1.5
_ENDING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Signals:
    """While entered (in the main thread), notes the signals that ask for an end; `fd` turns readable on each signal.

    SIGCHLD wakes too, so that waiting for a child's end needs no polling: a poll would steal time from what is
    being measured.
    """

    def __init__(self) -> None:
        self.fd, self._write_fd = os.pipe()
        for end in (self.fd, self._write_fd):
            os.set_blocking(end, False)
        self.received: signal.Signals | None = None
        self._twice = False
        self._since = 0.0
        self._old: dict[signal.Signals, Any] = {}
        self._old_wakeup = -1

    @property
    def impatient(self) -> bool:
        """Whether what does not end by itself is to be ended: it was said twice, or some time ago."""
        return self._twice or (self.received is not None and time.monotonic() - self._since >= _PATIENCE_SECONDS)

    def drain(self) -> None:
        """Make `fd` unreadable until the next signal."""
        with contextlib.suppress(BlockingIOError):
            while os.read(self.fd, 512):
                pass

    def _end(self, number: int, frame: FrameType | None) -> None:
        self._twice = self.received is not None
        self._since = self._since if self._twice else time.monotonic()
        self.received = signal.Signals(number)

    def _ignore(self, number: int, frame: FrameType | None) -> None:
        """Only the byte on `fd` matters."""

    def __enter__(self) -> Signals:
        self._old_wakeup = signal.set_wakeup_fd(self._write_fd, warn_on_full_buffer=False)
        for number in _ENDING:
            # A signal that nohup or a batch system has switched off stays off.
            if signal.getsignal(number) is not signal.SIG_IGN:
                self._old[number] = signal.signal(number, self._end)
        self._old[signal.SIGCHLD] = signal.signal(signal.SIGCHLD, self._ignore)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for number, handler in self._old.items():
            signal.signal(number, handler)
        signal.set_wakeup_fd(self._old_wakeup)
        os.close(self.fd)
        os.close(self._write_fd)
