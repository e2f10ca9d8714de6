# SPDX-License-Identifier: BSD-3-Clause
"""What is in a report, as tests ask for it: a figure by its name, what its panels draw, its tables by column."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure as Canvas
from matplotlib.lines import Line2D
from rich.console import Console

from raddle.model import ResultRow
from raddle.report.data import Data
from raddle.report.figures import figures
from raddle.report.figures.model import Figure, Panel, Table
from raddle.report.terminal import summary


def named(name: str, drawn: Sequence[Figure]) -> Figure:
    """The first whose name ends so."""
    return next(figure for figure in drawn if figure.name.endswith(name))


def page(name: str, *rows: ResultRow) -> Figure:
    """The same of a run of these rows."""
    return named(name, figures(Data(list(rows))))


def axes_of(panel: Panel) -> Axes:
    """Axes on which the panel is drawn."""
    axes: Axes = Canvas().add_subplot()
    panel.draw(axes)
    return axes


def series(panel: Panel) -> list[Line2D]:
    """The lines of a panel that carry values."""
    return [line for line in axes_of(panel).get_lines() if str(line.get_gid()).startswith("series:")]


def drawn(panel: Panel, axis: str = "x") -> dict[str, list[float]]:
    """Where the points of each series are along an axis; `--` stands behind the name of a broken line."""
    found: dict[str, list[float]] = {}
    for line in series(panel):
        name = str(line.get_gid()).removeprefix("series:") + ("" if line.get_linestyle() in ("-", "None") else "--")
        values = line.get_xdata() if axis == "x" else line.get_ydata()
        found.setdefault(name, []).extend(np.asarray(values, dtype=float).tolist())
    return found


def cells(figure: Figure, column: str) -> list[str]:
    """A column of the table of numbers."""
    return [row[figure.table.header.index(column)] for row in figure.table.rows]


def lines(*tables: Table) -> dict[str, dict[str, str]]:
    """Lines by their first cell, and in them cells by column, of all tables together.

    Of columns of one name the last one counts.
    """
    found: dict[str, dict[str, str]] = {}
    for table in tables:
        for line in table.rows:
            found.setdefault(line[0], {}).update(zip(table.header[1:], line[1:], strict=True))
    return found


def front_lines(figure: Figure) -> dict[str, dict[str, str]]:
    """The same of the tables that a figure shows first."""
    return lines(*(front.table for front in figure.fronts))


def check_whole(drawn: Sequence[Figure]) -> None:
    """Every table has something, and as much in each line as in its header; every panel draws a series."""
    for figure in drawn:
        for table in (figure.table, *(front.table for front in figure.fronts)):
            assert table.rows, figure.name
            assert all(len(row) == len(table.header) for row in table.rows), figure.name
        assert figure.panels or figure.fronts, figure.name
        assert all(series(panel) for panel in figure.panels), figure.name


def printed(data: Data, width: int = 80) -> list[str]:
    """The summary in the terminal."""
    console = Console(width=width, force_terminal=False, highlight=False)
    with console.capture() as captured:
        console.print(summary(data, Path("results/demo"), width))
    return [line.rstrip() for line in captured.get().splitlines()]
