# SPDX-License-Identifier: BSD-3-Clause
"""A run as a job: what is asked of the batch system, and the script that is common to all."""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass, field
from pathlib import Path

from raddle.clusters.allocation import Scheduler
from raddle.errors import UserError

_WALLTIME = re.compile(r"(\d+):([0-5]\d):([0-5]\d)")
_BUILD_SECONDS = 600
_SLACK = 1.5  # machines are slower than the plan thinks, or busier
_STEP_SECONDS = 300


@dataclass(frozen=True, kw_only=True)
class Wishes:
    """What the user asks of the job; None leaves the choice to us."""

    scheduler: Scheduler
    nodes: int | None = None
    cpus: int | None = None  # of each node
    seconds: int | None = None
    queue: str | None = None
    account: str | None = None
    options: list[str] = field(default_factory=list)  # of sbatch or qsub, word for word

    def __post_init__(self) -> None:
        for text in (self.queue, self.account, *self.options):
            if text is not None and not text.isprintable():
                raise UserError(f"{text!r} cannot be a line of a job's script.", hint="Leave out what does not print.")


@dataclass(frozen=True, kw_only=True)
class Job:
    """What a script says."""

    wishes: Wishes
    nodes: int
    cpus: int
    seconds: int
    directory: Path  # where it starts, absolute
    command: list[str]
    log: Path  # what it prints, absolute


def seconds_of(walltime: str) -> int:
    """H:MM:SS, which Slurm and PBS read alike. Of H:MM the one makes hours, the other minutes."""
    found = _WALLTIME.fullmatch(walltime)
    if found is None:
        raise UserError(f"--walltime cannot be {walltime!r}.", hint="Write hours, minutes and seconds: 1:30:00.")
    hours, minutes, seconds = map(int, found.groups())
    return 3600 * hours + 60 * minutes + seconds


def walltime(seconds: int) -> str:
    """As `seconds_of` reads it."""
    minutes, rest = divmod(seconds, 60)
    return f"{minutes // 60:02}:{minutes % 60:02}:{rest:02}"


def generous(planned: float) -> int:
    """Seconds to ask for where so many are planned: with room for a build, a slow machine and the report."""
    return -int(-(_SLACK * planned + _BUILD_SECONDS) // _STEP_SECONDS) * _STEP_SECONDS


def quoted(value: str) -> str:
    """For a directive: both systems read quotes in it nearly as a shell does."""
    if re.fullmatch(r"[\w@%+=:,./-]+", value):
        return value
    if not value.isprintable() or set(value) & set('"\\'):
        raise UserError(f"{value!r} cannot be named in a job's script.", hint="Use a directory with a simpler name.")
    return f'"{value}"'


def script(mark: str, directives: list[str], comments: list[str], lines: list[str], job: Job) -> str:
    """The whole text. `mark` begins a directive; `lines` come before what raddle is called with."""
    body = [f"cd -- {shlex.quote(str(job.directory))} || exit", *lines, f"exec {shlex.join(job.command)}"]
    own = [f"{mark} {one}" for one in (*directives, *job.wishes.options)]
    told = [f"# {comment}" for comment in comments]
    return "\n".join(["#!/bin/bash", *own, "", *told, "# module load ...", "", *body]) + "\n"
