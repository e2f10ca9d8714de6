# SPDX-License-Identifier: BSD-3-Clause
"""Run one launch: write its lines down as they arrive, watch its time, and see that it is really over."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timezone

from raddle.errors import UserError
from raddle.execute.command import Command
from raddle.execute.ending import end
from raddle.execute.job import Job
from raddle.execute.journal import Journal
from raddle.execute.listener import Listener
from raddle.execute.outcome import INTERRUPTED, LEFT_OVER, TIME_LIMIT, Outcome
from raddle.execute.shm import SharedMemory
from raddle.execute.signals import Signals
from raddle.execute.streams import Streams
from raddle.paths import tilde
from raddle.plan.schedule import Launch

_DRAIN_SECONDS = 0.5  # for lines that are still on their way when the launcher has ended


@dataclass(frozen=True)
class Observer:
    """Who wants to know how it goes; `tick` comes about once a second, or never, so that nobody is disturbed."""

    row: Callable[[], None] = lambda: None
    tick: Callable[[], None] | None = None


def run(
    launch: Launch, command: Command, time_limit: float, journal: Journal, signals: Signals, observer: Observer
) -> Outcome:
    """Run `launch` to its end, whichever that is, for `time_limit` seconds at most.

    Raises UserError when it cannot be started or its lines cannot be written; nothing of it runs on in any case.
    """
    journal.note(
        "start",
        launch=launch.launch,
        block=launch.block,
        mpi=launch.mpi,
        profile=launch.profile,
        argv=[tilde(word) for word in command.argv],
        env={name: tilde(value) for name, value in command.shown.items()},
        time=datetime.now(timezone.utc).isoformat(timespec="milliseconds"),
    )
    memory = SharedMemory()
    begun = time.monotonic()
    try:
        job = Job(command.argv, command.env)
    except OSError as error:
        raise UserError(
            f"Cannot start {command.argv[0]}: {error.strerror}.", hint="`raddle mpi list` shows what is installed."
        ) from error
    listener = Listener(launch, job, memory, journal, observer.row)
    outcome = listener.outcome
    outcome.time_limit = time_limit
    outcome.launcher = "srun" if "srun" in command.argv else ""
    with job, Streams(job.process, signals) as streams:
        try:
            outcome.stopped = _follow(job, streams, listener, begun + time_limit, signals, observer.tick)
        finally:
            _end(job, memory, outcome, signals)
        listener.hear(streams.rest())
    outcome.seconds = time.monotonic() - begun
    outcome.log = listener.log.lines()
    outcome.was_at = listener.was_at()
    journal.note(
        "exit",
        launch=launch.launch,
        status=outcome.status,
        signal=outcome.signal,
        seconds=round(outcome.seconds, 3),
        timeout=outcome.stopped == TIME_LIMIT,
        stopped=outcome.stopped,
        log=outcome.log,
    )
    return outcome


def _follow(
    job: Job,
    streams: Streams,
    listener: Listener,
    deadline: float,
    signals: Signals,
    tick: Callable[[], None] | None,
) -> str:
    """Hear the job until its launcher has ended; returns why it has to be stopped instead, or ""."""
    drained = float("inf")
    while True:
        now = time.monotonic()
        if job.process.poll() is not None:
            # Ranks that outlive their launcher may hold the pipes open for ever.
            drained = min(drained, now + _DRAIN_SECONDS)
            if not streams.open or now >= drained:
                return ""
        if signals.received:
            return INTERRUPTED
        if now >= deadline:
            return TIME_LIMIT
        wait = min(deadline, drained) - now
        happened, lines = streams.wait(min(wait, 1.0) if tick else wait)
        listener.hear(lines)
        if tick and not happened:
            tick()


def _end(job: Job, memory: SharedMemory, outcome: Outcome, signals: Signals) -> None:
    if end(job, memory, hurry=lambda: signals.impatient):
        # Whoever started this one should know.
        outcome.stopped = outcome.stopped or LEFT_OVER
    code = job.status()
    outcome.status, outcome.signal = (code, 0) if code >= 0 else (128 - code, -code)
