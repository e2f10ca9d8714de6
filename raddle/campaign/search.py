# SPDX-License-Identifier: BSD-3-Clause
"""The search: every candidate and the defaults in turn, then what looked best once more against the defaults.

Who is best of ten by chance looks better than he is. So what is measured to choose is not what decides: a finalist
wins only by an interval over further blocks of its own.
"""

from __future__ import annotations

import random
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from raddle.catalogue import catalogue
from raddle.clusters.allocation import here
from raddle.errors import UserError
from raddle.execute.journal import Journal
from raddle.execute.launch import Observer, run
from raddle.execute.signals import Signals
from raddle.execute.starter import Starter
from raddle.inspection.ask import InterruptError
from raddle.model import PROCESS, PointSet
from raddle.mpi.find import Mpi
from raddle.plan.estimate import default_time_limit
from raddle.plan.schedule import Launch
from raddle.results.launch_log import FILE, read_launches
from raddle.say import Say
from raddle.stats.order import median
from raddle.stats.ratio import Ratio, paired_ratio
from raddle.tuning.candidates import Candidate
from raddle.tuning.shapes import WORKS
from raddle.tuning.tuned import Choice, Tuned

DEFAULTS = Candidate(name="defaults", settings={})
CHOOSING, DECIDING = 3, 8  # blocks
_MODE = "quick"

Blocks = dict[int, float]
"""Medians by block."""


@dataclass
class Search:
    """One MPI; `program` is its raddle-bench."""

    mpi: Mpi
    program: Path
    candidates: Sequence[Candidate]
    signals: Signals
    say: Say
    failed: dict[str, str] = field(default_factory=dict)
    _launches: int = 0

    def conduct(self) -> Tuned:
        """Raises InterruptError, and UserError when not even the defaults work."""
        order = random.Random(self.mpi.label)
        with tempfile.TemporaryDirectory(prefix="raddle-tuned-") as place:
            directory = Path(place)
            starter = Starter(directory, {self.mpi.name: self.mpi}, {self.mpi.name: self.program}, allocation=here())
            with Journal(directory) as journal:
                everyone = [DEFAULTS, *self.candidates]
                self._measure(starter, journal, range(CHOOSING), everyone, order)
                finalists = choose(measured(directory / FILE), self._left())
                field_ = [DEFAULTS, *{one.name: one for one in finalists.values()}.values()]
                if finalists:
                    self._measure(starter, journal, range(CHOOSING, CHOOSING + DECIDING), field_, order)
            left = {shape: one for shape, one in finalists.items() if one.name not in self.failed}
            winners = decide(measured(directory / FILE), left)
        return Tuned(shapes=winners, tried=[one.name for one in self.candidates], failed=self.failed)

    def _left(self) -> list[Candidate]:
        return [one for one in self.candidates if one.name not in self.failed]

    def _measure(
        self, starter: Starter, journal: Journal, blocks: range, field_: Sequence[Candidate], order: random.Random
    ) -> None:
        """Every candidate once in each block, in random order; one that fails is not tried again."""
        for block in blocks:
            for one in order.sample(field_, len(field_)):
                if one.name in self.failed:
                    continue
                self._launches += 1
                self.say(f"tuning {self.mpi.title}: {one.name} (launch {self._launches})")
                launch = launch_of(self.mpi.name, one, block, order.getrandbits(48))
                limit = default_time_limit(launch)
                outcome = run(launch, starter.command(launch), limit, journal, self.signals, Observer())
                if self.signals.received:
                    raise InterruptError(self.signals.received)
                if outcome.ok:
                    continue
                if one is DEFAULTS:
                    raise UserError(f"{self.mpi.title} cannot be tuned: a launch {outcome.problem()}")
                self.failed[one.name] = outcome.problem()


def measured(journal: Path) -> dict[str, dict[str, Blocks]]:
    """By the slug of a candidate, and by shape."""
    shapes = {benchmark: shape for shape, (benchmark, _) in WORKS.items()}
    found: dict[str, dict[str, Blocks]] = {}
    for launch in read_launches(journal).launches:
        for row in launch.rows:
            name = launch.id.partition("-")[2]
            found.setdefault(name, {}).setdefault(shapes[row.benchmark], {})[row.block] = median(row.samples)
    return found


def choose(found: Mapping[str, Mapping[str, Blocks]], candidates: Sequence[Candidate]) -> dict[str, Candidate]:
    """For each shape the candidate with the best median, where that is better than that of the defaults."""
    chosen: dict[str, Candidate] = {}
    for shape in WORKS:
        tried = [one for one in (DEFAULTS, *candidates) if found.get(one.slug, {}).get(shape)]
        speeds = {one.slug: _speed(shape, median(list(found[one.slug][shape].values()))) for one in tried}
        best = max(tried, key=lambda one: speeds[one.slug], default=DEFAULTS)
        if best is not DEFAULTS:
            chosen[shape] = best
    return chosen


def decide(found: Mapping[str, Mapping[str, Blocks]], finalists: Mapping[str, Candidate]) -> dict[str, Choice]:
    """Those that are shown to be faster than the defaults by blocks that did not choose them."""
    winners: dict[str, Choice] = {}
    for shape, one in finalists.items():
        its, defaults = (_deciding(found.get(name, {}).get(shape, {})) for name in (one.slug, DEFAULTS.slug))
        gain = _gain(shape, its, defaults)
        if gain is None or gain.interval is None or not gain.shown or gain.estimate < 1:
            continue
        winners[shape] = Choice(
            name=one.name,
            settings=one.settings,
            loses=one.loses,
            gain=gain.estimate,
            interval=gain.interval,
            blocks=gain.n,
            unit=catalogue().benchmarks[WORKS[shape][0]].unit,
            without=median(list(defaults.values())),
            with_it=median(list(its.values())),
        )
    return winners


def _deciding(blocks: Blocks) -> Blocks:
    return {block: value for block, value in blocks.items() if block >= CHOOSING}


def _gain(shape: str, its: Blocks, defaults: Blocks) -> Ratio | None:
    found = paired_ratio(its, defaults)
    return found.inverse() if found and _better(shape) == "lower" else found


def _speed(shape: str, value: float) -> float:
    return value if _better(shape) == "higher" else -value


def _better(shape: str) -> str:
    return catalogue().benchmarks[WORKS[shape][0]].better


def launch_of(mpi: str, one: Candidate, block: int, seed: int, called: str = "") -> Launch:
    """Two processes that do the work of all shapes with these settings."""
    return Launch(
        launch=f"b{block}-{called or one.slug}",
        block=block,
        seed=seed,
        mpi=mpi,
        profile="clean",
        sets=list(_sets()),
        sampling=catalogue().modes[_MODE].sampling,
        level="single",
        processes=2,
        env=one.settings,
    )


def _sets() -> Iterator[PointSet]:
    for benchmark, size in WORKS.values():
        params = {name: param.default for name, param in catalogue().benchmarks[benchmark].params.items()}
        yield PointSet(
            benchmark=benchmark, placement="node", variants=[PROCESS], params={**params, "bytes": size, "threads": 1}
        )
