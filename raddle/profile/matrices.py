# SPDX-License-Identifier: BSD-3-Clause
"""Who waited for whom, as tables of seconds: processes for processes, and the threads of one for each other's locks."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

from raddle.profile.view import View

MOST = 16
"""Rows and columns; those that waited, or were waited for, longest."""

_SEVERAL = -1


@dataclass(frozen=True)
class Cell:
    """Seconds, and how strongly they are shaded: a percentage of the heaviest cell's."""

    seconds: float
    strength: int


@dataclass(frozen=True)
class Matrix:
    """Those in rows waited for those in columns."""

    title: str
    rows: list[str]
    columns: list[str]
    cells: list[list[Cell]]
    left_out: int  # rows and columns


def processes(view: View) -> Matrix | None:
    """Partners that came late, as far as calls could be matched."""
    waits: dict[tuple[int, int], float] = defaultdict(float)
    for each in view.waits:
        waits[each.process, each.partner_process] += each.seconds
    return _matrix("Processes that waited, and for which", waits, "process", "several")


def locks(view: View) -> list[Matrix]:
    """Locks that another thread held, for the processes in which they took longest, in the order of processes."""
    waits: dict[int, dict[tuple[int, int], float]] = defaultdict(lambda: defaultdict(float))
    for each in view.locks:
        waits[each.process][each.thread, each.holder] += each.seconds
    heaviest = sorted(waits, key=lambda process: -sum(waits[process].values()))[:MOST]
    made = [_matrix(f"Process {process}", waits[process], "thread", "?") for process in sorted(heaviest)]
    return [matrix for matrix in made if matrix]


def _matrix(title: str, waits: Mapping[tuple[int, int], float], noun: str, unknown: str) -> Matrix | None:
    heaviest = max(waits.values(), default=0.0)
    if heaviest <= 0:
        return None
    rows, columns = _longest(waits, 0), _longest(waits, 1)
    every_row, every_column = {pair[0] for pair in waits}, {pair[1] for pair in waits}
    return Matrix(
        title=title,
        rows=[f"{noun} {row}" for row in rows],
        columns=[unknown if column == _SEVERAL else str(column) for column in columns],
        cells=[
            [Cell(value := waits.get((row, column), 0.0), round(100 * value / heaviest)) for column in columns]
            for row in rows
        ],
        left_out=len(every_row) - len(rows) + len(every_column) - len(columns),
    )


def _longest(waits: Mapping[tuple[int, int], float], side: int) -> list[int]:
    sums: dict[int, float] = defaultdict(float)
    for pair, value in waits.items():
        sums[pair[side]] += value
    chosen = sorted(sums, key=lambda number: -sums[number])[:MOST]
    return sorted(chosen, key=lambda number: (number < 0, number))
