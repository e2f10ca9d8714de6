# SPDX-License-Identifier: BSD-3-Clause
"""The tutorial: the time of its program's step in time, by step of the tutorial, and what each step has brought."""

from __future__ import annotations

from collections.abc import Iterator

from raddle.judge.points import placement
from raddle.model import WAYS, ResultRow
from raddle.report import numbers
from raddle.report.data import Data
from raddle.report.figures.findings import each_mpi, on_each
from raddle.report.figures.kinds.bar_panels import Bars
from raddle.report.figures.model import Front, Table
from raddle.report.figures.page import Page
from raddle.report.figures.suite import Rows, measured, ways
from raddle.report.params import way, way_rank
from raddle.report.rows import condition, group
from raddle.stats.ratio import Ratio

_BENCHMARK = "tutorial"
FIRST, LAST = WAYS["step"][0], WAYS["step"][-1]


def _fronts(data: Data, rows: Rows) -> Iterator[Front]:
    """One for each MPI, circumstances and number of threads."""
    header = ["", "a step in time", f"to {FIRST}", "to the step before"]
    for mpi in data.mpis:
        own = sorted((row for row in rows if row.mpi == mpi), key=way_rank)
        for (each, place), found in group(own, lambda row: (condition(row), placement(row))).items():
            body = [
                [way(row), numbers.told(row), _speed(data, row, found[0]), _speed(data, row, before)]
                for row, before in zip(found, [None, *found], strict=False)
            ]
            where = "" if place == "node" else f", {place}"
            starred = ", oversubscribed" if each.shared else ""
            yield Front(f"{data.title(mpi)}, {each.flows}{where}{starred}", Table(header, body, labels=1))


def _speed(data: Data, row: ResultRow, other: ResultRow | None) -> str:
    its = None if other is None or other is row else data.speed(row, other)
    return numbers.ratio_text(its) if its else "-"


def _finding(data: Data, shown: Rows) -> str:
    """What the whole of it has brought."""
    rows = measured(data, _BENCHMARK)

    def to_first(data: Data, row: ResultRow) -> Ratio | None:
        same = (row.mpi, condition(row), placement(row))
        first = (one for one in rows if way(one) == FIRST and (one.mpi, condition(one), placement(one)) == same)
        return data.speed(row, next(first, None))

    last = [row for mpi in data.mpis for row in rows if row.mpi == mpi and way(row) == LAST]
    claim = on_each(
        each_mpi(data, last, to_first),
        "the last step of the tutorial is {}",
        of=" as fast as its first",
        nothing="between the last step of the tutorial and its first",
    )
    return claim or "The tutorial's program by the way in which it communicates"


PAGE = Page(
    benchmarks=[_BENCHMARK],
    name="tutorial",
    heading="The tutorial, step by step",
    short="Tutorial",
    how_to_read=(
        "The program of docs/use/tutorial.md: two processes of threads, which exchange the borders of a plate and what "
        "jumps about on it. Time of one step in time, by the way in which they communicate; further left is better. "
        "Speeds: how many times as fast as the program that the tutorial begins with, and as the step before, paired "
        "block by block."
    ),
    finding=_finding,
    panels=[Bars("a step in time")],
    legend=ways,
    fronts=_fronts,
)
