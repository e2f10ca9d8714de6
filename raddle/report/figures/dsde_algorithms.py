# SPDX-License-Identifier: BSD-3-Clause
"""S2: every algorithm of sparse exchange in every cell of the grid."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from raddle.model import ResultRow
from raddle.report.data import Data
from raddle.report.figures.bar_panels import Bars, bar_panels
from raddle.report.figures.dsde_cells import (
    CHOSEN,
    COLLECTIVES,
    Cell,
    algorithm,
    bar,
    cells,
    row_cell,
    table,
    work_told,
)
from raddle.report.figures.model import Figure, Front, Series, Table
from raddle.report.figures.suite import measured
from raddle.report.params import series, way_rank
from raddle.report.rows import HEADLINE_PARAMS, headline_size, size

BENCHMARK = "dsde_algorithms"


def build(data: Data) -> Figure | None:
    """The figure, or none when it was not measured."""
    rows = measured(data, BENCHMARK)
    if not rows:
        return None
    drawn = _usual(rows) or rows
    return Figure(
        name="s2-dsde-algorithms",
        heading="S2. Algorithms of sparse exchange",
        short="S2",
        finding=_finding(data),
        how_to_read=(
            "Time of an exchange among processes until the slowest rank has all that is for it, by the MPI's own "
            f"collectives ({COLLECTIVES}), by each of Raddle's algorithms and by the one that Raddle chooses "
            f"({CHOSEN}). The table has every cell of the grid, a star at the fastest; the panels show messages of "
            "one size to random ranks, by number of ranks. Further left is better."
        ),
        panels=list(bar_panels(data, drawn, Bars("time of an exchange", work_told, bar, beside=["ranks"]))),
        table=table(data, rows),
        benchmarks=[BENCHMARK],
        legend=[Series(name) for name in dict.fromkeys(series(row) for row in sorted(rows, key=way_rank))],
        fronts=list(_fronts(data, rows)),
    )


def _usual(rows: list[ResultRow]) -> list[ResultRow]:
    """What stands for the benchmark, with every number of ranks."""
    wanted = {name: value for name, value in HEADLINE_PARAMS[BENCHMARK].items() if name != "ranks"}
    middle = headline_size(rows, BENCHMARK)
    return [
        row
        for row in rows
        if size(row) == middle and all(row.params.get(name) == value for name, value in wanted.items())
    ]


def _fronts(data: Data, rows: list[ResultRow]) -> Iterator[Front]:
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


def _finding(data: Data) -> str:
    """Which ones are ever the fastest."""
    grid = cells(data, BENCHMARK)
    wins = _wins(grid)
    told = ", ".join(f"{name} in {count}" for name, count in sorted(wins.items(), key=lambda pair: (-pair[1], pair[0])))
    return f"Fastest in {len(grid)} cells, the choice left out: {told}" if told else "Time of an exchange by algorithm"
