# SPDX-License-Identifier: BSD-3-Clause
"""S1: the comparison of the article, collectives against the nonblocking census, and what Raddle makes of the two."""

from __future__ import annotations

from functools import partial

from raddle.report.data import Data
from raddle.report.figures.claims import Claim, claims
from raddle.report.figures.kinds.bar_panels import Bars, plain_bar
from raddle.report.figures.model import Front, Table
from raddle.report.figures.page import Page
from raddle.report.figures.sparse.cells import (
    CENSUS,
    CHOSEN,
    COLLECTIVES,
    OURS,
    algorithm,
    cells,
    ranks_told,
    ratio_cell,
    row_cell,
    sparse_table,
    speed,
    work_told,
)
from raddle.report.figures.suite import Rows, twin, ways
from raddle.report.params import way

_BENCHMARK = "dsde_census"


def _fronts(data: Data, rows: Rows) -> list[Front]:
    """Times and ratios one below the other: side by side they are wider than a page."""
    times = ["", "alltoallv", "census", "Raddle nbx", "Raddle auto"]
    ratios = ["", "census / alltoallv", "Raddle nbx / census", "Raddle auto / alltoallv"]
    grid = cells(data, _BENCHMARK)
    details = {cell.work.removeprefix(ranks_told(cell.rows[0])) for cell in grid}
    taken, faster = [], []
    for cell in grid:
        work = cell.work if len(details) > 1 else ranks_told(cell.rows[0])
        collectives, plain, ours, chosen = own = [cell.by(name) for name in (COLLECTIVES, CENSUS, OURS, CHOSEN)]
        label = f"{data.title(cell.mpi)}, {work}{'*' if cell.shared else ''}"
        pairs = ((plain, collectives), (ours, plain), (chosen, collectives))
        taken.append([label, *map(row_cell, own)])
        faster.append([label, *(ratio_cell(speed(data, one, other)) for one, other in pairs)])
    common = details.pop() if len(details) == 1 else ""
    starred = " (* more ranks than CPUs)" if any(cell.shared for cell in grid) else ""
    return [
        Front(f"Time of an exchange{common}{starred}", Table(times, taken, labels=1)),
        Front(f"How many times as fast{starred}", Table(ratios, faster, labels=1)),
    ]


PAGE = Page(
    benchmarks=[_BENCHMARK],
    name="s1-dsde-census",
    heading="S1. Collectives against the nonblocking census",
    how_to_read=(
        "In every exchange each rank sends to new random ranks, which do not know of it. By MPI_Alltoall of counts and "
        f"MPI_Alltoallv ({COLLECTIVES}); by the nonblocking census as it is written everywhere, a loop that never "
        f"gives its CPU to another rank ({CENSUS}); by the census of Raddle's one call ({OURS}), and by whichever "
        f"algorithm Raddle chooses ({CHOSEN}). Time of an exchange until the slowest rank has all that is for it. "
        "Further left is better. Speeds: how many times as fast, paired block by block. As it comes: an MPI without "
        "the settings by which Raddle tells it to yield when there are more ranks than CPUs."
    ),
    finding=claims(
        Claim(
            only=lambda row: algorithm(row) == OURS and row.variant == "process",
            its=lambda data, row: data.speed(row, twin(data, row, algorithm=CENSUS)),
            says="with {ranks} Raddle's nonblocking census is {ratios}",
            of=" as fast as the plain loop",
            nothing="between Raddle's nonblocking census and the plain loop with {ranks}",
            words=lambda row: {"ranks": ranks_told(row)},
        ),
        otherwise="Sparse exchange by collectives and by the nonblocking census",
    ),
    panels=[Bars("time of an exchange", work_told, partial(plain_bar, label=way), beside=["ranks", "waiting"])],
    table=sparse_table,
    legend=ways,
    fronts=_fronts,
)
