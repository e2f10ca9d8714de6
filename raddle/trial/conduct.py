# SPDX-License-Identifier: BSD-3-Clause
"""Tries all shapes: once to see whether they work and write the same, then in random order, block by block."""

from __future__ import annotations

import os
import random
import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime, timezone
from pathlib import Path

from raddle.errors import UserError
from raddle.execute.journal import Journal
from raddle.execute.signals import Signals
from raddle.execute.state_probe import StateProbe
from raddle.launchers import LAUNCHERS
from raddle.process_state import Wishes, read
from raddle.trial.measure import Run, run
from raddle.trial.output import Rules, figure
from raddle.trial.shapes import Asked, Shape
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

    @classmethod
    def of(cls, expression: re.Pattern[str], better: str) -> Metric:
        """Named as the expression names its group, or by all of the expression."""
        return cls(next(iter(expression.groupindex), expression.pattern), expression, better)


@dataclass(frozen=True)
class Trial:
    """What is tried."""

    under: Under
    asked: Asked
    as_ranks: str  # the form of the program that can be loaded
    wishes: Wishes
    rules: Rules
    metrics: Sequence[Metric] = ()
    limit: float = 600.0
    status: int = 0  # that the program is to end with
    files: Sequence[Path] = ()  # whose text is of its output

    @property
    def crowded(self) -> bool:
        """More ranks than CPUs: all wait by yielding, processes as well as threads."""
        return self.asked.ranks > len(os.sched_getaffinity(0))

    def settings(self) -> Mapping[str, str]:
        """Of the MPI, for all shapes alike."""
        return self.under.mpi.family.profile_env("shared") if self.crowded else {}

    def start(self, shape: Shape) -> tuple[list[str], dict[str, str]]:
        """The command of a shape, and its environment."""
        mpi = self.under.mpi
        flags: list[str] = []
        if self.crowded and self.under.launcher.name != "srun":
            flags = LAUNCHERS[mpi.family.launcher]().flags(mpi, oversubscribe=True)
        if not shape.threads:
            words = self.asked.divided(1, self.asked.program, flags)
            return [str(self.under.launcher), *words], {**self.under.environment(), **self.settings()}
        words = self.asked.divided(shape.threads, self.as_ranks, flags)
        proxies = shape.threads if shape.engine == "proxy" else 0
        way = Way(shape.threads, proxies, self.crowded, self.wishes.words())
        command, env = self.under.command(words, way)
        return command, {**env, **self.settings()}

    def run(self, words: Sequence[str], env: Mapping[str, str], signals: Signals, watched: Collection[str] = ()) -> Run:
        """What `start` has given, once. What an earlier run has left in the files is removed first."""
        for file in self.files:
            file.unlink(missing_ok=True)
        done = run(words, env, self.limit, signals, watched)
        written = [file.read_text(errors="replace") for file in self.files if file.is_file()]
        return replace(done, output="\n".join([done.output, *written]))


@dataclass
class Tried:
    """One shape, and what is wrong with it."""

    shape: Shape
    first: Run
    problem: str = ""
    differences: list[str] = field(default_factory=list)  # of its output from that of processes

    @property
    def memory_per_rank(self) -> float | None:
        """In MB, in the first run."""
        most = self.first.memory_mb
        return most and most / (self.shape.processes * max(self.shape.threads, 1))


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
        "(docs/use/programs-as-they-are.md).",
    )


@contextmanager
def set_aside(files: Sequence[Path]) -> Iterator[None]:
    """Keeps files that the program will write over, while it is tried, under another name. Raises UserError."""
    kept: list[tuple[Path, Path]] = []
    try:
        for file in files:
            aside = file.with_name(f"{file.name}.before-try")
            if file.is_dir() or aside.exists():
                what = f"{file} is a directory" if file.is_dir() else f"{aside} is in the way"
                raise UserError(f"--file: {what}.", hint="Name a file that the program writes, or move that away.")
            if file.exists():
                kept.append((file.rename(aside), file))
        yield
    finally:
        for aside, file in kept:
            aside.replace(file)


def check(trial: Trial, shapes: Sequence[Shape], signals: Signals, report: Callable[[str], None]) -> list[Tried]:
    """Runs each shape once. Raises UserError where processes do not run."""
    found: list[Tried] = []
    for shape in shapes:
        report(f"Trying {shape.words} ...")
        watched = [str(trial.under.starter) if shape.threads else trial.asked.program]
        tried = Tried(shape, trial.run(*trial.start(shape), signals, watched))
        found.append(tried)
        _judge(trial, tried, tried.first, found[0].first)
        if tried.problem and not shape.threads:
            raise UserError(
                f"The program as processes {tried.problem}",
                hint="--status N if it is to end so, and --time-limit S if it takes long.",
            )
        unwritten = [str(file) for file in trial.files if not file.is_file()]
        if unwritten and not shape.threads:
            raise UserError(
                f"--file: the program as processes has not written {unwritten[0]}.",
                hint="Name it as seen from the directory that the program runs in.",
            )
    return found


def again(trial: Trial, processes: Tried, signals: Signals) -> list[str]:
    """What another run of processes writes otherwise: then the program's output is not the same twice."""
    second = trial.run(*trial.start(processes.shape), signals)
    return trial.rules.differences(processes.first.output, second.output)


def _judge(trial: Trial, tried: Tried, done: Run, expected: Run) -> None:
    """Keeps the first that is wrong of all runs of a shape."""
    if done.stopped:
        tried.problem = tried.problem or f"did not end within {trial.limit:g} s"
    elif done.status != trial.status:
        tried.problem = tried.problem or f"ended with status {done.status}: {done.last_words}"
    elif not tried.differences:
        tried.differences = trial.rules.differences(expected.output, done.output)


def measure(
    trial: Trial,
    tried: Sequence[Tried],
    blocks: int,
    seed: int,
    journal: Journal,
    signals: Signals,
    probe: StateProbe,
    report: Callable[[str], None],
) -> None:
    """Runs every shape that works once in each block. What is measured is in the journal at once."""
    chance = random.Random(seed)
    contexts = min(trial.asked.ranks, len(os.sched_getaffinity(0)))
    working = [each for each in tried if not each.problem]
    for block in range(blocks):
        report(f"Block {block + 1} of {blocks} ...")
        for each in chance.sample(working, len(working)):
            words, env = trial.start(each.shape)
            name = f"b{block}-{each.shape.name}"
            set_here = {key: env[key] for key in (*trial.settings(), "LD_PRELOAD") if key in env}
            _begin(journal, trial, name, block, seed, words, set_here)
            before = probe.ask(contexts, "compact")
            done = trial.run(words, env, signals)
            journal.note("probe", launch=name, before=before, after=probe.ask(contexts, "compact"))
            _judge(trial, each, done, tried[0].first)
            values = [] if each.problem else _values(trial, done)
            for quantity, (unit, better), value in values:
                journal.note(
                    "row", launch=name, block=block, benchmark=BENCHMARK, variant=each.shape.name,
                    params={"ranks": trial.asked.ranks}, metric=quantity, unit=unit, better=better, samples=[value],
                )  # fmt: skip
            journal.note("end", launch=name, block=block, seconds=done.wall_s, rows=len(values), errors=0)
            last = [*done.output.splitlines(), *done.errors.splitlines()][-10:] if each.problem else []
            journal.note("exit", launch=name, status=done.status, signal=None, timeout=done.stopped, log=last)


def _begin(
    journal: Journal, trial: Trial, name: str, block: int, seed: int, words: Sequence[str], env: Mapping[str, str]
) -> None:
    mpi, profile = trial.under.mpi, "shared" if trial.crowded else "clean"
    common = {"launch": name, "block": block, "mpi": mpi.name, "profile": profile}
    now = datetime.now(timezone.utc).isoformat(timespec="milliseconds")
    journal.note("start", **common, argv=words, env=env, time=now)
    journal.note("launch", **common, seed=seed, library_version=mpi.library)


def _values(trial: Trial, done: Run) -> list[tuple[str, tuple[str, str], float]]:
    values = [(name, QUANTITIES[name], value) for name, value in (("wall", done.wall_s), ("cpu", done.cpu_s))]
    for metric in trial.metrics:
        value = figure(metric.expression, f"{done.errors}\n{done.output}")
        if value is not None:
            values.append((metric.name, ("", metric.better), value))
    return values
