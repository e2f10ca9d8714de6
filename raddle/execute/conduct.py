# SPDX-License-Identifier: BSD-3-Clause
"""Runs a command that is watched as its user would: its input and output are the user's, and so is its exit status."""

from __future__ import annotations

import contextlib
import os
import select
import signal
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from raddle.errors import UserError
from raddle.execute.ending import end
from raddle.execute.job import Job
from raddle.execute.shm import SharedMemory
from raddle.execute.signals import Signals

_PATIENCE_SECONDS = 1.0  # that a command has to end by a signal, before it is ended
_EVERY_SECONDS = 1.0


@dataclass(frozen=True)
class Ran:
    """What became of a command: `status` as shells tell it, 128 + n for signal n; `received`: a signal to Raddle."""

    status: int
    seconds: float
    received: signal.Signals | None = None


def run(words: Sequence[str], env: Mapping[str, str]) -> Ran:
    """Runs a command to its end; nothing of it runs on.

    A signal that asks Raddle for an end goes on to the command's processes, as from a terminal; those that do not end
    within 1.5 seconds, or at a second signal, are ended. Raises UserError when it cannot be started.
    """
    memory = SharedMemory()
    with Signals() as signals:
        begun = time.monotonic()
        try:
            job = Job(list(words), dict(env), untouched=True)
        except OSError as error:
            raise UserError(f"Cannot start {words[0]}: {error.strerror}.") from error
        with job:
            try:
                _wait(job, signals)
                seconds = time.monotonic() - begun
            finally:
                end(job, memory, hurry=lambda: signals.impatient)
        status = job.status()
        received = signals.received
    if received:
        return Ran(128 + received, seconds, received)
    return Ran(128 - status if status < 0 else status, seconds)


def _wait(job: Job, signals: Signals) -> None:
    """Until the command has ended, or does not end by the signal that was sent to it."""
    give_up = float("inf")
    while job.process.poll() is None and time.monotonic() < give_up and not signals.impatient:
        if signals.received and give_up == float("inf"):
            with contextlib.suppress(ProcessLookupError):
                os.killpg(job.process.pid, signals.received)
            give_up = time.monotonic() + _PATIENCE_SECONDS
        # The end of a child is a signal, too.
        select.select([signals.fd], [], [], min(_EVERY_SECONDS, max(give_up - time.monotonic(), 0.0)))
        signals.drain()
