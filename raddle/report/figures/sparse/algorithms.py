# SPDX-License-Identifier: BSD-3-Clause
"""S2: every algorithm of sparse exchange in every cell of the grid."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial

from raddle.model import ResultRow
from raddle.report.data import Data
from raddle.report.figures.kinds.bar_panels import Bars, plain_bar
from raddle.report.figures.model import Front, Table
from raddle.report.figures.page import Page
from raddle.report.figures.sparse.cells import (
    CHOSEN,
    COLLECTIVES,
    Cell,
    algorithm,
    cells,
    row_cell,
    sparse_table,
    work_told,
)
from raddle.report.figures.suite import Rows, ways
from raddle.report.params import way, way_rank
from raddle.report.rows import HEADLINE_PARAMS, headline_size, size

BENCHMARK = "dsde_algorithms"


def _usual(data: Data, rows: Rows) -> Rows:
    """What stands for the benchmark, with every number of ranks; all where there is nothing of that kind."""
    wanted = {name: value for name, value in HEADLINE_PARAMS[BENCHMARK].items() if name != "ranks"}
    middle = headline_size(rows, BENCHMARK)
    usual = [row for row in rows if size(row) == middle]
    return [row for row in usual if all(row.params.get(name) == value for name, value in wanted.items())] or rows


def _fronts(data: Data, rows: Rows) -> Iterator[Front]:
    """One for each MPI. What is compared with stands first, then the choice, then those that are the fastest often."""
    grid = cells(data, BENCHMARK)
    wins = _wins(grid)
    known = list(dict.fromkeys(algorithm(row) for row in sorted(rows, key=way_rank)))
    names = sorted(known, key=lambda name: (name != COLLECTIVES, name != CHOSEN, -wins.get(name, 0)))
    for mpi in dict.fromkeys(cell.mpi for cell in grid):
        own = [cell for cell in grid if cell.mpi == mpi]
        body = [[cell.work, *(_told(cell.by(name), cell.fastest()) for name in names)] for cell in own]
        caption = f"Time of an exchange on {data.title(mpi)} (* fastest of its line)"
        yield Front(caption, Table(["", *names], body, labels=1))


def _told(row: ResultRow | None, best: ResultRow | None) -> str:
    return f"*{row_cell(row)}" if row is not None and row is best else row_cell(row)


def _wins(grid: Sequence[Cell]) -> Counter[str]:
    """In how many cells each one is the fastest, the choice left out."""
    return Counter(algorithm(best) for cell in grid if (best := cell.fastest(without=CHOSEN)) is not None)


def _finding(data: Data, shown: Rows) -> str:
    """Which ones are ever the fastest."""
    grid = cells(data, BENCHMARK)
    wins = _wins(grid)
    told = ", ".join(f"{name} in {count}" for name, count in sorted(wins.items(), key=lambda pair: (-pair[1], pair[0])))
    return f"Fastest in {len(grid)} cells, the choice left out: {told}" if told else "Time of an exchange by algorithm"


PAGE = Page(
    benchmarks=[BENCHMARK],
    name="s2-dsde-algorithms",
    heading="S2. Algorithms of sparse exchange",
    how_to_read=(
        "Time of an exchange among processes until the slowest rank has all that is for it, by the MPI's own "
        f"collectives ({COLLECTIVES}), by each of Raddle's algorithms and by the one that Raddle chooses ({CHOSEN}). "
        "The table has every cell of the grid, a star at the fastest; the panels show messages of one size to random "
        "ranks, by number of ranks. Further left is better."
    ),
    finding=_finding,
    panels=[Bars("time of an exchange", work_told, partial(plain_bar, label=way), beside=["ranks"], of=_usual)],
    table=sparse_table,
    legend=ways,
    fronts=_fronts,
)
