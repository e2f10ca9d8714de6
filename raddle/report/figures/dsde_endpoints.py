# SPDX-License-Identifier: BSD-3-Clause
"""S4: sparse exchange among endpoints, and among as many processes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from raddle.judge.points import placement, work
from raddle.model import ResultRow
from raddle.report import numbers
from raddle.report.data import Data
from raddle.report.figures.bar_panels import Bars, bar_panels
from raddle.report.figures.bars import Bar
from raddle.report.figures.dsde_cells import CHOSEN, algorithm, ratio_cell, row_cell, table, work_told
from raddle.report.figures.findings import on_each
from raddle.report.figures.model import Figure, Front, Series, Table
from raddle.report.figures.suite import measured
from raddle.report.params import way_rank
from raddle.report.rows import group

_BENCHMARK = "dsde_endpoints"
_PLACES = {"one-process": "endpoints of one process", "node": "endpoints of two processes"}


def build(data: Data) -> Figure | None:
    """The figure, or none when it was not measured."""
    rows = measured(data, _BENCHMARK)
    if not rows:
        return None
    return Figure(
        name="s4-dsde-endpoints",
        heading="S4. Sparse exchange among endpoints",
        short="S4",
        finding=_finding(data),
        how_to_read=(
            "The same exchange among so many ranks that are processes, threads of one process, or threads of two: "
            "threads are ranks by endpoints. Time of an exchange until the slowest rank has all that is for it. "
            "Further left is better. Speeds: how many times as fast as processes by the same algorithm, paired block "
            "by block."
        ),
        panels=list(bar_panels(data, rows, Bars("time of an exchange", _heading, _bar, beside=["ranks", "placement"]))),
        table=table(data, rows),
        benchmarks=[_BENCHMARK],
        legend=[Series(name) for name in dict.fromkeys(row.variant for row in sorted(rows, key=_order))],
        fronts=list(_fronts(data, rows)),
    )


def _order(row: ResultRow) -> tuple[object, ...]:
    return (row.variant != "process", placement(row) != "one-process", placement(row))


def _heading(row: ResultRow) -> str:
    return f"{algorithm(row)}, {work_told(row)}"


def _bar(row: ResultRow) -> Bar:
    return Bar(row.variant, _who(row), row.median, row.ci95, numbers.told(row))


def _who(row: ResultRow) -> str:
    return "processes" if row.variant == "process" else _PLACES.get(placement(row), f"endpoints, {placement(row)}")


def _twin(rows: Sequence[ResultRow], row: ResultRow, variant: str, place: str) -> ResultRow | None:
    """The row that did the same by the same algorithm."""
    return next(
        (each for each in rows if (each.mpi, each.variant, placement(each)) == (row.mpi, variant, place)
         and work(each) == work(row)),
        None,
    )  # fmt: skip


def _fronts(data: Data, rows: Sequence[ResultRow]) -> Iterator[Front]:
    """One for each MPI."""
    places = [place for place in _PLACES if any(row.variant != "process" and placement(row) == place for row in rows)]
    header = ["", "processes", *(word for place in places for word in (_PLACES[place], "speed"))]
    for mpi in data.mpis:
        own = [row for row in rows if row.mpi == mpi]
        body = []
        for first, *_ in group(sorted(own, key=way_rank), work).values():
            process = _twin(own, first, "process", "node")
            line = [_heading(first), row_cell(process)]
            for place in places:
                row = _twin(own, first, "endpoint-direct", place)
                line += [row_cell(row), ratio_cell(data.speed(row, process) if row else None)]
            body.append(line)
        if body:
            caption = f"Time of an exchange on {data.title(mpi)}, and how many times as fast as among processes"
            yield Front(caption, Table(header, body, labels=1))


def _finding(data: Data) -> str:
    rows = [row for row in data.headline(_BENCHMARK) if algorithm(row) == CHOSEN]
    found = [
        (data.title(row.mpi), its)
        for row in rows
        if row.variant == "endpoint-direct" and placement(row) == "one-process"
        if (its := data.speed(row, _twin(rows, row, "process", "node"))) is not None
    ]
    if not found:
        return "Sparse exchange among endpoints and among processes"
    many = work_told(rows[0]).partition(" ")[0]
    return on_each(
        sorted(found, key=lambda pair: [data.title(mpi) for mpi in data.mpis].index(pair[0])),
        f"{many} endpoints of one process exchange {{}} as fast as {many} processes",
        nothing=f"between {many} endpoints of one process and {many} processes",
    )
