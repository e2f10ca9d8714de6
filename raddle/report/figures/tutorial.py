# SPDX-License-Identifier: BSD-3-Clause
"""The tutorial: the time of its program's step in time, by step of the tutorial, and what each step has brought."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from raddle.judge.points import placement
from raddle.model import WAYS, ResultRow
from raddle.report import numbers
from raddle.report.data import Data
from raddle.report.figures.bar_panels import Bars, bar_panels, plain_bar
from raddle.report.figures.findings import on_each
from raddle.report.figures.model import Figure, Front, Series, Table
from raddle.report.figures.suite import measured, suite_table
from raddle.report.params import series, way, way_rank
from raddle.report.rows import condition, group
from raddle.stats.ratio import Ratio

_BENCHMARK = "tutorial"
FIRST, LAST = WAYS["step"][0], WAYS["step"][-1]


def build(data: Data) -> Figure | None:
    """The figure, or none when it was not measured."""
    rows = measured(data, _BENCHMARK)
    if not rows:
        return None
    return Figure(
        name="tutorial",
        heading="The tutorial, step by step",
        short="Tutorial",
        finding=_finding(data, rows),
        how_to_read=(
            "The program of docs/tutorial.md: two processes of threads, which exchange the borders of a plate and what "
            "jumps about on it. Time of one step in time, by the way in which they communicate; further left is "
            "better. Speeds: how many times as fast as the program that the tutorial begins with, and as the step "
            "before, paired block by block."
        ),
        panels=list(bar_panels(data, rows, Bars("a step in time", lambda row: condition(row).flows, plain_bar))),
        table=suite_table(data, rows),
        benchmarks=[_BENCHMARK],
        legend=[Series(name) for name in dict.fromkeys(series(row) for row in sorted(rows, key=way_rank))],
        fronts=list(_fronts(data, rows)),
    )


def _fronts(data: Data, rows: Sequence[ResultRow]) -> Iterator[Front]:
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


def _finding(data: Data, rows: Sequence[ResultRow]) -> str:
    """What the whole of it has brought."""
    last = [row for mpi in data.mpis for row in rows if row.mpi == mpi and way(row) == LAST]
    found = [(data.title(row.mpi), its) for row in last if (its := _to_first(data, rows, row))]
    if not found:
        return "The tutorial's program by the way in which it communicates"
    return on_each(
        found,
        "the last step of the tutorial is {}",
        of=" as fast as its first",
        nothing="between the last step of the tutorial and its first",
    )


def _to_first(data: Data, rows: Sequence[ResultRow], row: ResultRow) -> Ratio | None:
    same = (row.mpi, condition(row), placement(row))
    first = next((one for one in rows if way(one) == FIRST and (one.mpi, condition(one), placement(one)) == same), None)
    return data.speed(row, first)
