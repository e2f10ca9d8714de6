# SPDX-License-Identifier: BSD-3-Clause
"""S3: what the automatic choice costs: its time against that of whatever turns out to be the best in each cell."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from raddle.judge.points import alike, ratio
from raddle.model import WAYS, ResultRow
from raddle.report import numbers
from raddle.report.data import Data
from raddle.report.expectations import Judgement, at_most, counts
from raddle.report.extras import extra
from raddle.report.figures.kinds.dots import dots_panel, values
from raddle.report.figures.kinds.ticks import ratio_tick
from raddle.report.figures.kinds.tracks import Reference, Track, TrackGroup
from raddle.report.figures.model import Figure, Front, Panel, Series, Table
from raddle.report.figures.sparse.algorithms import BENCHMARK
from raddle.report.figures.sparse.cells import CHOSEN, COLLECTIVES, Cell, algorithm, cells, ratio_cell, row_cell, speed
from raddle.stats.ratio import Ratio, ratios_by_block

# The choice may take so many times as long as the best of the others.
DEAREST_CHOICE = 1.15


@dataclass(frozen=True)
class _Choice:
    """The automatic choice in one cell."""

    cell: Cell
    row: ResultRow
    best: ResultRow
    its: Ratio

    @property
    def judgement(self) -> Judgement:
        return at_most(DEAREST_CHOICE, self.its.interval)


def build(data: Data) -> Figure | None:
    """The figure, or none where there is nothing to hold the choice against."""
    found = list(_choices(data))
    if not found:
        return None
    return Figure(
        name="s3-dsde-choice",
        heading="S3. Automatic choice",
        short="S3",
        finding=_finding(found),
        how_to_read=(
            "Time of an exchange by the algorithm that Raddle chooses, as a multiple of that by the best of all others "
            "in the same cell, the MPI's own collectives included, paired block by block. The best is known only when "
            "all have been measured, and of several equal ones the luckiest: the choice cannot be expected at 1. "
            f"Shaded: more than {DEAREST_CHOICE}. Met, or not met: the whole interval lies on that side."
        ),
        panels=list(_panels(data, found)),
        table=_table(data, found),
        benchmarks=[BENCHMARK],
        legend=[Series(CHOSEN)],
        fronts=list(_fronts(data, found)),
    )


def _choices(data: Data) -> Iterator[_Choice]:
    for cell in cells(data, BENCHMARK):
        row, best = cell.by(CHOSEN), cell.fastest(without=CHOSEN)
        if row is not None and best is not None and (its := ratio(row, best)) is not None:
            yield _Choice(cell, row, best, its)


def _finding(found: list[_Choice]) -> str:
    told = counts([each.judgement for each in found])
    return f"The automatic choice takes at most {DEAREST_CHOICE}x the time of the best: of {len(found)} cells {told}"


def _chosen(row: ResultRow) -> str:
    """What was chosen in most blocks, and in how many of them."""
    told = extra(row, "chosen", "")
    if told is None:
        return "-"
    known = WAYS["algorithm"]
    names = Counter(known[round(place)] for place in told.blocks.values() if 0 <= round(place) < len(known))
    return ", ".join(f"{name} {count}" if len(names) > 1 else name for name, count in names.most_common())


def _fronts(data: Data, found: list[_Choice]) -> Iterator[Front]:
    """One for each MPI."""
    header = ["", "choice / best", f"at most {DEAREST_CHOICE}", "chosen", "best of the others",
              f"speed to {COLLECTIVES}"]  # fmt: skip
    for mpi in dict.fromkeys(each.cell.mpi for each in found):
        body = [
            [each.cell.work, ratio_cell(each.its), each.judgement.value, _chosen(each.row), algorithm(each.best),
             ratio_cell(speed(data, each.row, each.cell.by(COLLECTIVES)))]
            for each in found
            if each.cell.mpi == mpi
        ]  # fmt: skip
        yield Front(f"Time by the choice and by the best on {data.title(mpi)}", Table(header, body, labels=1))


def _table(data: Data, found: list[_Choice]) -> Table:
    header = ["MPI", "work", "profile", "chosen", "its time", "best of the others", "its time", "choice / best",
              "95 % interval", "blocks"]  # fmt: skip
    body = [
        [data.title(each.cell.mpi), each.cell.work, each.row.profile, _chosen(each.row), row_cell(each.row),
         algorithm(each.best), row_cell(each.best), numbers.ratio_value(each.its), numbers.ratio_interval(each.its),
         str(each.its.n)]
        for each in found
    ]  # fmt: skip
    return Table(header, body, labels=4)


def _panels(data: Data, found: list[_Choice]) -> Iterator[Panel]:
    """One for each MPI, all with one axis."""
    groups = {
        mpi: [TrackGroup("", [_track(each) for each in own])]
        for mpi in data.mpis
        if (own := [each for each in found if each.cell.mpi == mpi])
    }
    within = [1.0, DEAREST_CHOICE, *(value for own in groups.values() for value in values(own))]
    for mpi, tracks in groups.items():
        own = [each for each in found if each.cell.mpi == mpi]
        worst = max(own, key=lambda each: each.its.estimate)
        yield dots_panel(
            data.title(mpi), tracks,
            f"{len(own)} cells; the dearest choice is {numbers.ratio_text(worst.its)} of the best, with "
            f"{worst.cell.work}.",
            label="time as a multiple of the best", tick=ratio_tick, room=(1.1, 1.1), within=within,
            reference=Reference(DEAREST_CHOICE, 1), shared=all(each.cell.shared for each in own),
        )  # fmt: skip


def _track(each: _Choice) -> Track:
    return Track(
        CHOSEN, each.cell.work, each.its.estimate, each.its.interval, numbers.ratio_text(each.its),
        ratios_by_block(*alike(each.row, each.best)),
    )  # fmt: skip
