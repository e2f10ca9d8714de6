# SPDX-License-Identifier: BSD-3-Clause
"""The numbers of a figure as a table: a line for each row of the run, columns by name or of the figure's own."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from raddle.judge.points import placement
from raddle.model import NO_MPI, ResultRow
from raddle.report import numbers
from raddle.report.data import Data
from raddle.report.extras import extra, path
from raddle.report.figures.model import Table
from raddle.report.figures.suite import RatioOf, added
from raddle.report.params import is_reference, way
from raddle.report.rows import condition, display_order, size_words, work_words
from raddle.results.row_states import blocks_shown
from raddle.stats.ratio import Ratio
from raddle.wording import listed

Text = Callable[[Data, ResultRow], str]
Column = tuple[str, Text]

COLUMNS: dict[str, Text] = {
    "benchmark": lambda data, row: row.benchmark,
    "MPI": lambda data, row: data.title(row.mpi),
    "variant": lambda data, row: way(row),
    "algorithm": lambda data, row: way(row),
    "placement": lambda data, row: placement(row),
    "work": lambda data, row: work_words(row),
    "size": lambda data, row: size_words(row) or "-",
    "profile": lambda data, row: row.profile,
    "pairs": lambda data, row: str(condition(row).threads),
    "median": lambda data, row: numbers.value(row),
    "95 % interval": lambda data, row: numbers.interval(row),
    "blocks": lambda data, row: str(len(blocks_shown(row))),
    "samples": lambda data, row: str(len(row.samples)),
}


def table(data: Data, rows: Iterable[ResultRow], columns: Sequence[str | Column], labels: int) -> Table:
    """A line for each row; the first `labels` columns are words."""
    own = [(each, COLUMNS[each]) if isinstance(each, str) else each for each in columns]
    return Table([name for name, _ in own], [[text(data, row) for _, text in own] for row in rows], labels)


def in_order(data: Data, rows: Iterable[ResultRow]) -> list[ResultRow]:
    """Conditions one after another, in each of them MPIs in their order, those without one last."""
    places = {mpi: place for place, mpi in enumerate([*data.mpis, NO_MPI])}
    return sorted(rows, key=lambda row: (condition(row), places[row.mpi], display_order(row)))


def suite_table(data: Data, rows: Sequence[ResultRow], own: Sequence[Column] = ()) -> Table:
    """Every row with its interval, the figures that only this benchmark has, and its speed against processes, where
    there are any."""
    own = [*own, ("went through", lambda _, row: path(row) or "-")]
    own = [(name, text) for name, text in own if any(text(data, row) != "-" for row in rows)]
    compared = any(is_reference(row) or _speed(data, row) is not None for row in rows)
    speeds = ratio_columns(f"speed to {_against(rows)}", _speed) if compared else ()
    return table(
        data, in_order(data, rows),
        ["MPI", "variant", "placement", "work", "profile", "median", "95 % interval", *own, *speeds, "blocks",
         "samples"],
        labels=5,
    )  # fmt: skip


def column(header: str, name: str, unit: str) -> Column:
    """A column that tells a figure of `extra`."""
    return header, lambda _, row: found.text if (found := extra(row, name, unit)) else "-"


def added_column(header: str) -> Column:
    """What a row takes more than processes, in time."""
    return header, lambda data, row: numbers.difference_text(its, row.unit) if (its := added(data, row)) else "-"


def ratio_column(header: str, its: RatioOf) -> Column:
    """A ratio with its interval."""
    return header, lambda data, row: numbers.ratio_text(found) if (found := its(data, row)) else "-"


def ratio_columns(header: str, its: RatioOf) -> tuple[Column, Column]:
    """A ratio, and its interval beside it."""
    return (
        (header, lambda data, row: numbers.ratio_value(found) if (found := its(data, row)) else "-"),
        ("95 % interval", lambda data, row: numbers.ratio_interval(found) if (found := its(data, row)) else "-"),
    )


def _against(rows: Sequence[ResultRow]) -> str:
    """What speeds are held against: processes, or what the plainest way is called."""
    names = dict.fromkeys(way(row) for row in rows if is_reference(row))
    return listed(["processes" if name == "process" else name for name in names]) or "processes"


def _speed(data: Data, row: ResultRow) -> Ratio | None:
    return None if is_reference(row) else data.speed(row, data.process(row))
