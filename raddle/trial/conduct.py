# SPDX-License-Identifier: BSD-3-Clause
"""Tries all shapes: once to see whether they work and write the same, then in random order, block by block."""

from __future__ import annotations

import os
import random
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timezone
from pathlib import Path

from raddle.errors import UserError
from raddle.execute.journal import Journal
from raddle.launchers import LAUNCHERS
from raddle.process_state import Wishes, read
from raddle.trial.measure import Run, run
from raddle.trial.output import Rules, figure
from raddle.trial.shapes import Command, Shape
from raddle.under_raddle import Under, Way

BENCHMARK = "program"
# What a run is measured by, beside the program's own figures: its unit, and which is better.
QUANTITIES = {"wall": ("s", "lower"), "cpu": ("s", "lower")}


@dataclass(frozen=True)
class Metric:
    """A figure of the program's own."""

    name: str
    expression: re.Pattern[str]
    better: str


@dataclass(frozen=True)
class Job:
    """What is tried."""

    under: Under
    command: Command
    as_ranks: str  # the form of the program that can be loaded
    wishes: Wishes
    rules: Rules
    metrics: Sequence[Metric] = ()
    limit: float = 600.0
    status: int = 0  # that the program is to end with

    @property
    def crowded(self) -> bool:
        """More ranks than CPUs: all wait by yielding, processes as well as threads."""
        return self.command.ranks > len(os.sched_getaffinity(0))

    def settings(self) -> Mapping[str, str]:
        """Of the MPI, for all shapes alike."""
        return self.under.mpi.family.profile_env("shared") if self.crowded else {}

    def start(self, shape: Shape) -> tuple[list[str], dict[str, str]]:
        """The command of a shape, and its environment."""
        mpi = self.under.mpi
        known = self.under.launcher.name != "srun"
        flags = LAUNCHERS[mpi.family.launcher]().flags(mpi, oversubscribe=self.crowded) if known else []
        program = self.as_ranks if shape.threads else self.command.program
        words = self.command.with_processes(shape.processes, program, flags if self.crowded else [])
        if not shape.threads:
            return [str(self.under.launcher), *words], {**self.under.environment(), **self.settings()}
        proxies = shape.threads if shape.engine == "proxy" else 0
        way = Way(shape.threads, proxies, self.crowded, self.wishes.words())
        command, env = self.under.command(words, way)
        return command, {**env, **self.settings()}


@dataclass
class Tried:
    """One shape: what is wrong with it, and its measurements by quantity and block."""

    shape: Shape
    first: Run
    problem: str = ""
    differences: list[str] = field(default_factory=list)  # of its output from that of processes
    blocks: dict[str, dict[int, float]] = field(default_factory=dict)

    @property
    def memory_per_rank(self) -> float | None:
        """In MB, in the first run."""
        most = self.first.memory_mb
        return most and most / (self.shape.processes * max(self.shape.threads, 1))

    @property
    def good(self) -> bool:
        return not self.problem and not self.differences


def form_for_ranks(under: Under, program: str, given: str | None, wishes: Wishes) -> str:
    """The form of a program that can be loaded more than once: itself, or a library beside it. Raises UserError."""
    path = Path(program)
    candidates = [given] if given else [program, f"{program}.so", str(path.with_name(f"lib{path.name}.so"))]
    env = {**under.environment(), **under.mpi.env()}
    problems = []
    for candidate in candidates:
        if not Path(candidate).is_file():
            problems.append(f"{candidate} does not exist")
            continue
        found = read(under.starter, candidate, wishes, env)
        if not found.problem:
            return candidate
        problems.append(found.problem)
    raise UserError(
        f"The ranks of {program} cannot be threads: {problems[0]}",
        hint=f"Build it with -fPIC -shared as {program}.so beside it, or name such a build with --as-ranks PATH "
        "(docs/programs-as-they-are.md).",
    )


def check(job: Job, shapes: Sequence[Shape], report: Callable[[str], None]) -> list[Tried]:
    """Runs each shape once. Raises UserError where processes do not run."""
    found: list[Tried] = []
    for shape in shapes:
        report(f"Trying {shape.words} ...")
        first = run(*job.start(shape), job.limit, [str(job.under.starter) if shape.threads else job.command.program])
        tried = Tried(shape, first, _problem(job, first))
        if not shape.threads and tried.problem:
            raise UserError(
                f"The program as processes {tried.problem}",
                hint="--status N if it is to end so, and --time-limit S if it takes long.",
            )
        if not tried.problem and found:
            tried.differences = job.rules.differences(found[0].first.output, first.output)
        found.append(tried)
    return found


def again(job: Job, processes: Tried) -> list[str]:
    """What another run of processes writes otherwise: then the program's output is not the same twice."""
    second = run(*job.start(processes.shape), job.limit)
    return job.rules.differences(processes.first.output, second.output)


def _problem(job: Job, done: Run) -> str:
    if done.stopped:
        return f"did not end within {job.limit:g} s"
    return "" if done.status == job.status else f"ended with status {done.status}: {done.last_words}"


def measure(
    job: Job, tried: Sequence[Tried], blocks: int, seed: int, journal: Journal, report: Callable[[str], None]
) -> None:
    """Runs every shape that works once in each block. What is measured is in the journal at once."""
    chance = random.Random(seed)
    working = [each for each in tried if not each.problem]
    for block in range(blocks):
        report(f"Block {block + 1} of {blocks} ...")
        for each in chance.sample(working, len(working)):
            words, env = job.start(each.shape)
            name = f"b{block}-{each.shape.name}"
            set_here = {key: env[key] for key in (*job.settings(), "LD_PRELOAD") if key in env}
            _begin(journal, job, name, block, seed, words, set_here)
            done = run(words, env, job.limit)
            if problem := _problem(job, done):
                each.problem = f"{problem} (block {block + 1})"
            rows = [] if each.problem else _values(job, done)
            for quantity, (unit, better), value in rows:
                each.blocks.setdefault(quantity, {})[block] = value
                journal.note(
                    "row", launch=name, block=block, benchmark=BENCHMARK, variant=each.shape.name,
                    params={"ranks": job.command.ranks}, metric=quantity, unit=unit, better=better, samples=[value],
                )  # fmt: skip
            journal.note("end", launch=name, block=block, seconds=done.wall_s, rows=len(rows), errors=0)
            last = [*done.output.splitlines(), *done.errors.splitlines()][-10:] if each.problem else []
            journal.note("exit", launch=name, status=done.status, signal=None, timeout=done.stopped, log=last)


def _begin(journal: Journal, job: Job, name: str, block: int, seed: int, words: list[str], env: dict[str, str]) -> None:
    common = {
        "launch": name,
        "block": block,
        "mpi": job.under.mpi.name,
        "profile": "shared" if job.crowded else "clean",
    }
    now = datetime.now(timezone.utc).isoformat(timespec="milliseconds")
    journal.note("start", **common, argv=words, env=env, time=now)
    journal.note("launch", **common, seed=seed, library_version=job.under.mpi.library)


def _values(job: Job, done: Run) -> list[tuple[str, tuple[str, str], float]]:
    values = [(name, QUANTITIES[name], value) for name, value in (("wall", done.wall_s), ("cpu", done.cpu_s))]
    for metric in job.metrics:
        value = figure(metric.expression, done.output)
        if value is not None:
            values.append((metric.name, ("", metric.better), value))
    return values
