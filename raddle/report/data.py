# SPDX-License-Identifier: BSD-3-Clause
"""All that there is to say about a run: what every exporter and every figure reads."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property

import msgspec

from raddle.catalogue import catalogue
from raddle.environment import Environment, MpiRecord
from raddle.inspection.facts import Trial
from raddle.judge.incidents import Incident
from raddle.judge.points import RIVALS, PointIndex, alike, best, placement, ratio, speed
from raddle.judge.verdict import Sentence, verdict
from raddle.model import NO_MPI, TUNED, WAYS, ResultRow
from raddle.report.params import is_reference
from raddle.report.rows import headline
from raddle.results.launch_log import LaunchLog, launch_env
from raddle.stats.ratio import Ratio, ratios_by_block
from raddle.tuning.tuned import Choice, words

# Parameters of work that asks what an MPI itself costs or does; another one has no answer.
_WITHIN_AN_MPI = ("level", "progress")


@dataclass(frozen=True)
class Data:
    """A run, read and merged. Speeds are oriented alike: above 1 is better, whatever the metric."""

    rows: list[ResultRow]
    # None when the run has no readable environment.json.
    environment: Environment | None = None
    log: LaunchLog = field(default_factory=LaunchLog)
    incidents: list[Incident] = field(default_factory=list)
    planned: int = 0
    # (MPI, variant, placement, benchmark) that the plan leaves out; "" stands for all benchmarks.
    skipped: frozenset[tuple[str, str, str, str]] = frozenset()
    # MPI -> what was tried beside the measurements, and what came of it.
    trials: dict[str, list[Trial]] = field(default_factory=dict)
    # Not so where somebody kept the results and not what the launches printed.
    launches_kept: bool = True

    @cached_property
    def benchmarks(self) -> list[str]:
        """Those that have rows, in the catalogue's order; rows themselves stand in that of shuffled launches."""
        present = {row.benchmark for row in self.rows}
        return [name for name in catalogue().benchmarks if name in present] + sorted(
            present - catalogue().benchmarks.keys()
        )

    def headline(self, benchmark: str) -> list[ResultRow]:
        """The rows at the size that stands for a benchmark, of every variant, MPI and condition, without the limits."""
        return [row for row in headline(self.rows, benchmark) if row.mpi in self.mpis]

    @cached_property
    def mpis(self) -> list[str]:
        """The MPIs that have rows, in the order in which they were asked for.

        `none` stands for itself when only the machine's limits were measured: then they are the result.
        """
        present = {row.mpi for row in self.rows} - {NO_MPI} or {NO_MPI}
        asked = [known.name for known in self._known]
        return [name for name in asked if name in present] + sorted(present - set(asked))

    def title(self, mpi: str) -> str:
        """An MPI as people call it, e.g. `Open MPI 5.0.11`."""
        titles = {known.name: _title(known) for known in self._known}
        if mpi in titles:
            # Two installations of one version are told apart by the names that the run gave them.
            twin = list(titles.values()).count(titles[mpi]) > 1
            return f"{titles[mpi]} ({mpi})" if twin else titles[mpi]
        return "no MPI" if mpi == NO_MPI else mpi

    def short(self, mpi: str) -> str:
        """Its name without the version, where that is enough to tell it from the others."""
        names = [_short(known) for known in self._known if known.name in self.mpis]
        own = next((_short(known) for known in self._known if known.name == mpi), "")
        return own if own and names.count(own) == 1 else self.title(mpi)

    @property
    def blocks(self) -> int:
        """How often the whole plan was repeated, at most over points."""
        return max((len(row.blocks) for row in self.rows), default=0)

    def process(self, row: ResultRow) -> ResultRow | None:
        """The row of processes that did the same work on the same MPI in the plainest way (`params.WAYS`)."""
        return self.other(row, "process")

    def rival(self, row: ResultRow) -> ResultRow | None:
        """What a headline holds it against: of all MPIs the best of the rows that `process` chooses from.

        Of what a level or a progress thread costs only the same MPI can tell.
        """
        if any(name in row.params for name in _WITHIN_AN_MPI):
            return self.process(row)
        return best(self._index.rivals(_plainest(row), RIVALS, _across(placement(row))))

    def best_of(self, row: ResultRow | None) -> str:
        """Whose processes `rival` chose; empty where there was no choice."""
        return "" if row is None or len(self._index.rivals(row, RIVALS)) < 2 else self.whose(row)

    def whose(self, row: ResultRow) -> str:
        """The MPI of a row of processes, e.g. `Open MPI 4.1.4 (Debian)`, `MPICH 5.0.2, tuned`."""
        return self.title(row.mpi) + (", tuned" if row.variant == TUNED else "")

    @cached_property
    def subjects(self) -> list[str]:
        """The MPIs that more was measured of than the processes that the others are held against."""
        more = {row.mpi for row in self.rows if not is_reference(row)}
        return [mpi for mpi in self.mpis if mpi in more] or self.mpis

    @cached_property
    def tuned(self) -> list[str]:
        """What variant `tuned` ran with, a line for each MPI and shape of work; empty where it was not measured."""
        ran = {row.mpi for row in self.rows if row.variant == TUNED}
        shapes = {each.name: msgspec.convert(each.tuned, dict[str, Choice]) for each in self._known if each.name in ran}
        return [line for mpi, found in shapes.items() for line in words(self.title(mpi), found)]

    def other(self, row: ResultRow, variant: str) -> ResultRow | None:
        """The row of a variant whose contexts are in several processes, likewise."""
        return self._index.counterpart(_plainest(row), variant, _across(placement(row)))

    def limit(self, row: ResultRow) -> ResultRow | None:
        """The physical probe's row for the same work."""
        return self._index.physical(row)

    def speed(self, row: ResultRow, other: ResultRow | None) -> Ratio | None:
        """How many times faster `row` is than `other`, paired by block; none without a common block."""
        return None if other is None else speed(row, other)

    def ratio(self, row: ResultRow, other: ResultRow | None) -> Ratio | None:
        """`row` as a multiple of `other`, as measured: whatever is better."""
        return None if other is None else ratio(row, other)

    def speed_by_block(self, row: ResultRow, other: ResultRow | None) -> list[float]:
        """The same for each common block: what the ratio is the median of."""
        if other is None:
            return []
        own, its = alike(row, other)
        return ratios_by_block(its, own) if row.better == "lower" else ratios_by_block(own, its)

    @cached_property
    def verdict(self) -> list[Sentence]:
        """What the numbers amount to, in words, MPI by MPI."""
        order = {mpi: place for place, mpi in enumerate(self.mpis)}
        found = verdict(self.rows, launch_env(self.log.launches), {mpi: self.title(mpi) for mpi in self.mpis})
        return sorted(found, key=lambda sentence: order[sentence.mpi])

    @cached_property
    def _index(self) -> PointIndex:
        return PointIndex(self.rows)

    @property
    def _known(self) -> list[MpiRecord]:
        return self.environment.mpis if self.environment else []


def _plainest(row: ResultRow) -> ResultRow:
    """The same work, done in the plainest way."""
    plainest = {name: ways[0] for name, ways in WAYS.items() if name in row.params}
    return msgspec.structs.replace(row, params=row.params | plainest)


def _across(place: str) -> str:
    """Where several processes do the work that is done there: never in one."""
    return "node" if place == "one-process" else place


def _title(known: MpiRecord) -> str:
    build = f"({known.distribution})" if known.distribution else ""
    return " ".join(filter(None, [known.title, known.version, build]))


def _short(known: MpiRecord) -> str:
    return f"{known.distribution}'s {known.title}" if known.distribution else known.title
