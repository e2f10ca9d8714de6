# SPDX-License-Identifier: BSD-3-Clause
"""A comparison for the terminal, whole at 80 columns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from raddle.compare import words
from raddle.compare.points import Comparison, Outcome, Point
from raddle.model import ResultRow
from raddle.report.numbers import ratio_interval, ratio_value

_STYLES = {
    Outcome.WORSE: "red",
    Outcome.BETTER: "green",
    Outcome.SAME: "",
    Outcome.TOO_SMALL: "dim",
    Outcome.NO_RATIO: "dim",
}
_HEADINGS = {Outcome.TOO_SMALL: "n too small"}  # n is a symbol


def table(comparison: Comparison) -> RenderableType:
    """Everything, as something that a rich console prints."""
    return Group(*_parts(comparison))


def _parts(comparison: Comparison) -> Iterator[RenderableType]:
    yield Text(words.summary(comparison), style="bold")
    for name, side in (("A", comparison.a), ("B", comparison.b)):
        yield Text.assemble((f"{name}  ", "bold"), words.side_words(side), overflow="fold")
    for warning in words.warnings(comparison):
        yield Text.assemble(("! ", "bold yellow"), warning, overflow="fold")
    yield Text()
    yield Text(words.MEANING, style="dim")
    for outcome in Outcome:
        points = comparison.having(outcome)
        if points:
            yield Text(_HEADINGS.get(outcome, outcome.value.capitalize()), style="bold")
            yield _grid(points, with_mpi=comparison.a.mpi == comparison.b.mpi)
    for name, rows in (("A", comparison.only_a), ("B", comparison.only_b)):
        yield from _alone(name, rows)
    yield Text()
    for note in (words.method(comparison), words.CHANCE):
        yield Text(note, style="dim")


def _grid(points: Sequence[Point], with_mpi: bool) -> Table:
    """Numbers keep to their line as long as there is room for it; the name of the point is what wraps."""
    grid = Table.grid(padding=(0, 2, 0, 0), expand=True)
    grid.add_column(ratio=1)
    grid.add_column(justify="right")
    grid.add_column(min_width=18)
    for point in points:
        a, b, unit = words.medians(point)
        grid.add_row(
            Padding(Text(words.label(point.a, with_mpi)), (0, 0, 0, 2)),
            Text(f"{a} → {b} {unit}".rstrip()),
            _ratio(point),
        )
    return grid


def _ratio(point: Point) -> Text:
    style = _STYLES[point.outcome]
    if point.ratio is None:
        return Text(point.why, style=style)
    if point.ratio.interval is None:
        return Text(f"{ratio_value(point.ratio)} n = {point.ratio.n}", style=style)
    return Text(f"{ratio_value(point.ratio)} {ratio_interval(point.ratio)}", style=style)


def _alone(name: str, rows: Sequence[ResultRow]) -> Iterator[RenderableType]:
    if rows:
        yield Text(f"Only in {name}", style="bold")
        for row in rows:
            yield Padding(Text(words.label(row)), (0, 0, 0, 2))
