# SPDX-License-Identifier: BSD-3-Clause
"""Start `raddle-inspect` once and hear it to its end, which may be a crash; nothing of it stays."""

from __future__ import annotations

import re
import signal
import time
from dataclasses import dataclass, field
from typing import Any

import msgspec

from raddle.errors import UserError
from raddle.execute.command import Command
from raddle.execute.ending import end
from raddle.execute.job import Job
from raddle.execute.shm import SharedMemory
from raddle.execute.signals import Signals
from raddle.execute.streams import Streams, TaggedLine

_OPENING = b'{"type"'
_DRAIN_SECONDS = 0.5  # for lines that are still on their way when the launcher has ended
_MOST_CHATTER = 5000  # lines
_DEATHS = re.compile(r"segmentation fault|bus error|floating point exception|illegal instruction", re.IGNORECASE)
_TELLING = re.compile(r"signal|abort|error|fail|refus|not enough|as root", re.IGNORECASE)
_LONGEST = 160
SECONDS = 30.0  # for one launch, which takes 0.2 to 2 s; MPIs that spin take longer on a busy machine


class InterruptError(Exception):
    """The user wants it to end, and said so by this signal."""

    def __init__(self, received: signal.Signals) -> None:
        super().__init__(received.name)
        self.received = received


@dataclass
class Answer:
    """What it said: our lines, all else as chatter, and how it ended."""

    lines: list[dict[str, Any]] = field(default_factory=list)
    chatter: list[str] = field(default_factory=list)
    status: int = 0
    timed_out: bool = False

    @property
    def facts(self) -> dict[str, Any] | None:
        """The line of facts; none when it did not come so far."""
        return next((line for line in self.lines if line["type"] == "facts"), None)

    @property
    def ending(self) -> str:
        """How it ended, in a few words of the MPI's own where it said anything."""
        if self.timed_out:
            return "no end in time"
        for line in self.chatter:
            if death := _DEATHS.search(line):
                return death[0].lower()
        said = [line for line in self.chatter if _TELLING.search(line)]
        return said[0][:_LONGEST].rstrip(". ") if said else f"status {self.status}, no message"


def ask(command: Command, seconds: float, signals: Signals) -> Answer:
    """Run the command for so long at most. Raises InterruptError, and UserError when it cannot be started at all."""
    memory, answer = SharedMemory(), Answer()
    try:
        job = Job(command.argv, command.env)
    except OSError as error:
        raise UserError(f"Cannot start {command.argv[0]}: {error.strerror}.") from error
    with job, Streams(job.process, signals) as streams:
        try:
            _follow(job, streams, memory, answer, time.monotonic() + seconds, signals)
        finally:
            end(job, memory)
        _hear(answer, streams.rest())
    answer.status = job.status()
    return answer


def _follow(
    job: Job, streams: Streams, memory: SharedMemory, answer: Answer, deadline: float, signals: Signals
) -> None:
    drained = float("inf")
    while True:
        now = time.monotonic()
        if job.process.poll() is not None:
            drained = min(drained, now + _DRAIN_SECONDS)
            if not streams.open or now >= drained:
                return
        if signals.received:
            raise InterruptError(signals.received)
        if now >= deadline:
            answer.timed_out = True
            return
        _, lines = streams.wait(min(deadline, drained) - now)
        if _hear(answer, lines):
            # The trial that begins may crash, and then only we know which files it leaves.
            memory.look(job.members())


def _hear(answer: Answer, lines: list[TaggedLine]) -> bool:
    """Takes lines; whether one of them was ours."""
    ours = False
    for _, raw in lines:
        begin = raw.find(_OPENING)
        try:
            record = msgspec.json.decode(raw[begin:], type=dict[str, Any]) if begin >= 0 else None
        except (msgspec.DecodeError, UnicodeDecodeError):
            record = None
        if record is not None:
            answer.lines.append(record)
            ours = True
        elif len(answer.chatter) < _MOST_CHATTER and (text := raw.decode("utf-8", errors="replace").strip()):
            answer.chatter.append("".join(letter if letter.isprintable() else " " for letter in text))
    return ours
