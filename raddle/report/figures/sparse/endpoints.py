# SPDX-License-Identifier: BSD-3-Clause
"""S4: sparse exchange among endpoints, and among as many processes."""

from __future__ import annotations

from collections.abc import Iterator

from raddle.judge.points import placement, work
from raddle.model import ResultRow
from raddle.report import numbers
from raddle.report.data import Data
from raddle.report.figures.claims import Claim, claims
from raddle.report.figures.kinds.bar_panels import Bars
from raddle.report.figures.kinds.bars import Bar
from raddle.report.figures.model import Front, Series, Table
from raddle.report.figures.page import Page
from raddle.report.figures.sparse.cells import CHOSEN, algorithm, ranks, ratio_cell, row_cell, sparse_table, work_told
from raddle.report.figures.suite import Rows, legend_of, measured
from raddle.report.params import way_rank
from raddle.report.rows import group
from raddle.stats.ratio import Ratio

_BENCHMARK = "dsde_endpoints"
_ONE_PROCESS = ("endpoint-direct", "one-process")
_PLACES = {"one-process": "endpoints of one process", "node": "endpoints of two processes"}


def _legend(data: Data, rows: Rows) -> list[Series]:
    def order(row: ResultRow) -> tuple[object, ...]:
        return (row.variant != "process", placement(row) != "one-process", placement(row))

    return legend_of(rows, order, lambda row: Series(row.variant))


def _heading(row: ResultRow) -> str:
    return f"{algorithm(row)}, {work_told(row)}"


def _bar(data: Data, row: ResultRow) -> Bar:
    return Bar(row.variant, _who(row), row.median, row.ci95, numbers.told(row))


def _who(row: ResultRow) -> str:
    return "processes" if row.variant == "process" else _PLACES.get(placement(row), f"endpoints, {placement(row)}")


def _twin(rows: Rows, row: ResultRow, variant: str, place: str) -> ResultRow | None:
    """The row that did the same by the same algorithm."""
    return next(
        (each for each in rows if (each.mpi, each.variant, placement(each)) == (row.mpi, variant, place)
         and work(each) == work(row)),
        None,
    )  # fmt: skip


def _fronts(data: Data, rows: Rows) -> Iterator[Front]:
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


def _to_processes(data: Data, row: ResultRow) -> Ratio | None:
    return data.speed(row, _twin(measured(data, _BENCHMARK), row, "process", "node"))


PAGE = Page(
    benchmarks=[_BENCHMARK],
    name="s4-dsde-endpoints",
    heading="S4. Sparse exchange among endpoints",
    how_to_read=(
        "The same exchange among so many ranks that are processes, threads of one process, or threads of two: threads "
        "are ranks by endpoints. Time of an exchange until the slowest rank has all that is for it. Further left is "
        "better. Speeds: how many times as fast as processes by the same algorithm, paired block by block."
    ),
    finding=claims(
        Claim(
            only=lambda row: (
                (algorithm(row), row.variant, placement(row)) == (CHOSEN, "endpoint-direct", "one-process")
            ),
            its=_to_processes,
            says="{ranks} endpoints of one process exchange {ratios} as fast as {ranks} processes",
            nothing="between {ranks} endpoints of one process and {ranks} processes",
            words=lambda row: {"ranks": str(ranks(row))},
        ),
        otherwise="Sparse exchange among endpoints and among processes",
    ),
    panels=[Bars("time of an exchange", _heading, _bar, beside=["ranks", "placement"])],
    table=sparse_table,
    legend=_legend,
    fronts=_fronts,
)
