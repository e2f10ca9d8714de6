# SPDX-License-Identifier: BSD-3-Clause
"""`--measure`: the same work without and with the settings that a finding advises, launch by launch in random order."""

from __future__ import annotations

import random
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec

from raddle.catalogue import catalogue
from raddle.doctor.catalogue import Finding
from raddle.doctor.diagnosis import Diagnosis
from raddle.doctor.gain import Gain
from raddle.execute.command import Command
from raddle.execute.journal import Journal
from raddle.execute.launch import Observer, run
from raddle.execute.signals import Signals
from raddle.files import write_whole
from raddle.inspection.ask import InterruptError
from raddle.inspection.start import Starter
from raddle.model import PointSet
from raddle.plan.schedule import Launch
from raddle.results.launch_log import FILE, read_launches
from raddle.say import Say
from raddle.stats.order import median
from raddle.stats.ratio import paired_ratio
from raddle.wording import count

_BENCHMARK, _UNIT = "msgrate", "msg/s"
_WITHOUT, _WITH = "without", "with"
# Sampled as by `raddle run --quick`; the interval over blocks says how far a first look can be trusted.
_MODE = "quick"
_BLOCKS = 9
_SECONDS = 30.0  # a launch takes one or two; more busy threads than CPUs that do not yield may take longer


@dataclass(frozen=True)
class Work:
    """What shows whether a finding's mend helps; `as_user` leaves the binding to the user's launcher."""

    variant: str
    placement: str
    threads: int
    as_user: bool = False
    yielding: bool = True  # on both sides, where there are fewer CPUs than busy threads

    @property
    def contexts(self) -> int:
        """Busy threads: a sender and a receiver for each pair, whatever processes they are in."""
        return 2 * self.threads

    @property
    def processes(self) -> int:
        return 1 if self.placement == "one-process" else 2

    @property
    def words(self) -> str:
        return f"message rate of {self.variant}s, {count(self.threads, 'pair')}, {self.placement}"


def work_for(finding: Finding, cpus: int) -> Work | None:
    """The work for a finding; none for those whose mend is no setting that makes programs faster."""
    works = {
        Finding.FEW_CONTEXTS: Work("lane", "node", 2),
        Finding.SPINS: Work("thread", "node", max(2, cpus // 2 + 1), yielding=False),
        Finding.BOUND_BELOW_SHARE: Work("thread", "one-process", 1, as_user=True),
    }
    return works.get(finding)


class Comparison:
    """One finding of one MPI, measured."""

    def __init__(self, starter: Starter, diagnosis: Diagnosis, work: Work, cpus: int) -> None:
        self._starter, self._diagnosis, self._work = starter, diagnosis, work
        self._shared = work.contexts > cpus
        family = starter.mpi.family
        self._common = family.profile_env("shared") if self._shared and work.yielding else {}

    def measure(self, directory: Path, signals: Signals, say: Say) -> Gain:
        """Blocks of both sides into an empty directory. Raises InterruptError."""
        problem = ""
        with Journal(directory) as journal:
            for done, launch in enumerate(self.launches()):
                say(f"measuring {self._diagnosis.finding}, launch {done + 1} of {2 * _BLOCKS}")
                outcome = run(launch, self.command(launch, directory), _SECONDS, journal, signals, Observer())
                if signals.received:
                    raise InterruptError(signals.received)
                if not outcome.ok:
                    side = launch.launch.partition("-")[2]
                    problem = f"a launch {side} the settings {outcome.problem()}"
                    break
        return self._gain(directory / FILE, problem)

    def launches(self) -> Iterator[Launch]:
        """Those of all blocks, in the order in which they are made."""
        order = random.Random(str(self._diagnosis.finding))
        for block in range(_BLOCKS):
            for side in order.sample([_WITHOUT, _WITH], 2):
                yield self._launch(block, side, order.getrandbits(48))

    def _launch(self, block: int, side: str, seed: int) -> Launch:
        work, known = self._work, catalogue()
        profile = "shared" if self._shared else "clean"
        defaults = {name: param.default for name, param in known.benchmarks[_BENCHMARK].params.items()}
        point = PointSet(
            benchmark=_BENCHMARK,
            placement=work.placement,
            variants=[work.variant],
            params={**defaults, "threads": work.threads},
        )
        return Launch(
            launch=f"b{block}-{side}",
            block=block,
            seed=seed,
            mpi=self._starter.mpi.name,
            profile=profile,
            sets=[point],
            sampling=known.profiles[profile].sampling(known.modes[_MODE].sampling),
            pin="none" if work.as_user else "compact",
            level="multiple",
            processes=work.processes,
            env={**self._common, **(self._diagnosis.settings if side == _WITH else {})},
        )

    def command(self, launch: Launch, directory: Path) -> Command:
        """What starts a launch, whose plan is written into the directory."""
        plan = directory / f"{launch.launch}.json"
        write_whole(plan, msgspec.json.encode(launch.plan()) + b"\n")
        words = ["--level", launch.level, "--plan", str(plan)]
        if self._work.as_user:
            return self._starter.as_user(words, launch.processes, launch.env)
        return self._starter.as_measured(words, launch.processes, launch.env, oversubscribe=self._shared)

    def _gain(self, journal: Path, problem: str) -> Gain:
        rates: Mapping[str, dict[int, float]] = {_WITHOUT: {}, _WITH: {}}
        for launch in read_launches(journal).launches:
            for row in launch.rows:
                rates[launch.id.partition("-")[2]][row.block] = median(row.samples)
        finding, words = self._diagnosis.finding, self._work.words
        if problem or not all(rates.values()):
            return Gain(finding, words, problem=problem or "nothing was measured")
        return Gain(
            finding,
            words,
            unit=_UNIT,
            without=median(list(rates[_WITHOUT].values())),
            with_it=median(list(rates[_WITH].values())),
            ratio=paired_ratio(rates[_WITH], rates[_WITHOUT]),
            oversubscribed=self._shared,
        )


def measure_gains(
    starter: Starter, diagnoses: Sequence[Diagnosis], cpus: int, signals: Signals, say: Say
) -> list[Gain]:
    """What the settings of these findings bring, each measured by itself. Raises InterruptError."""
    gains = []
    for diagnosis in diagnoses:
        work = work_for(diagnosis.finding, cpus)
        if work is None or not diagnosis.settings:
            continue
        with tempfile.TemporaryDirectory(prefix="raddle-doctor-") as place:
            gains.append(Comparison(starter, diagnosis, work, cpus).measure(Path(place), signals, say))
    return gains
