# SPDX-License-Identifier: BSD-3-Clause
"""The matrix as slides: benchmark x variant x MPI, coloured by ratio as on the page, clean and oversubscribed apart."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from matplotlib.figure import Figure as Canvas
from matplotlib.patches import Rectangle

from raddle.report.data import Data
from raddle.report.matrix import Cell, Line, Part, matrix
from raddle.report.slides.sheet import HEIGHT, SMALLEST, WIDTH, Room, Sheet, folded, room, shortened, words
from raddle.report.style import SHADES, color, shade

_TITLE = "Speed as a multiple of the best processes doing the same work"
_LINE = "Above 1x is faster than the best processes of any MPI. In brackets the 95 % interval; = no difference shown."
_CAPTION, _HEAD, _ROW, _APART = 42.0, 58.0, 66.0, 30.0
_LABEL = 250.0
_GUTTER = 60.0
_GAP = 3.0  # around a cell
_LARGEST = 1.45  # of what a row needs at least
# More cells than these beside each other need the whole width.
_MOST_MPIS = 4


def matrix_slides(data: Data, foot: str) -> Iterator[Sheet]:
    """As many as it takes, none where nothing was compared."""
    space = room(_TITLE, _LINE)
    across = 2 if len(data.subjects) <= _MOST_MPIS else 1
    for shared in (False, True):
        parts = [piece for part in matrix(data) if part.shared == shared for piece in _pieces(part, space)]
        columns = list(_columns(parts, space))
        for first in range(0, len(columns), across):
            draw = partial(_draw, data=data, columns=columns[first : first + across], across=across)
            yield Sheet(_TITLE, _LINE, foot, draw, shared)


def _pieces(part: Part, space: Room) -> Iterator[Part]:
    """The part, or pieces of it that are no higher than a slide."""
    most = int((space.height - _CAPTION - _HEAD) / _ROW)
    for first in range(0, len(part.lines), most):
        yield replace(part, lines=part.lines[first : first + most])


def _columns(parts: Sequence[Part], space: Room) -> Iterator[list[Part]]:
    column: list[Part] = []
    for part in parts:
        if column and sum(map(_tall, [*column, part])) > space.height + _APART:
            yield column
            column = []
        column.append(part)
    if column:
        yield column


def _tall(part: Part) -> float:
    return _CAPTION + _HEAD + _ROW * len(part.lines) + _APART


def _draw(canvas: Canvas, space: Room, *, data: Data, columns: Sequence[Sequence[Part]], across: int) -> None:
    width = (space.width - _GUTTER * (across - 1)) / across
    zoom = min(_LARGEST, space.height / max(sum(map(_tall, column)) - _APART for column in columns))
    for number, column in enumerate(columns):
        top = space.top
        for part in column:
            _Table(canvas, space.left + number * (width + _GUTTER), top, width, zoom).draw(data, part)
            top += _tall(part) * zoom


@dataclass(frozen=True)
class _Table:
    """One part, drawn `zoom` times as high as need be; text grows with it."""

    canvas: Canvas
    left: float
    top: float
    width: float
    zoom: float

    def draw(self, data: Data, part: Part) -> None:
        against = f"against {part.against}" if part.against else ""
        caption = ", ".join(filter(None, [part.benchmark, part.work, against]))
        self._words(0, 0, shortened(caption, 26 * self._text, self.width), 26, weight="bold")
        each = (self.width - _LABEL) / len(data.subjects)
        for place, mpi in enumerate(data.subjects):
            name = "\n".join(folded(data.title(mpi), SMALLEST, each).split("\n")[:2])
            x = _LABEL + (place + 0.5) * each
            words(
                self.canvas, self.left + x, self.top + self.zoom * (_CAPTION + _HEAD / 2), name, SMALLEST,
                role="muted", align="center", middle=True,
            )  # fmt: skip
        for number, line in enumerate(part.lines):
            self._line(line, _CAPTION + _HEAD + number * _ROW, each)

    def _line(self, line: Line, top: float, each: float) -> None:
        self._words(0, top + 7, shortened(line.label, 24 * self._text, _LABEL), 24)
        self._words(0, top + 37, line.placement, SMALLEST, role="muted")
        for place, cell in enumerate(line.cells):
            self._cell(cell, _LABEL + place * each, top, each)

    def _cell(self, cell: Cell, left: float, top: float, each: float) -> None:
        middle = left + each / 2
        if cell.ratio is None:
            self._words(middle, top + 22, cell.value, SMALLEST, role="muted", align="center")
            return
        small = cell.shade == "small"
        fill = shade(cell.shade)[0] if cell.shade in SHADES else color("paper" if small else "limit")
        bottom = self.top + self.zoom * (top + _ROW) - _GAP
        box = Rectangle(
            ((self.left + left + _GAP) / WIDTH, 1 - bottom / HEIGHT), (each - 2 * _GAP) / WIDTH,
            (self.zoom * _ROW - 2 * _GAP) / HEIGHT, facecolor=fill, edgecolor=color("axis") if small else fill,
            linewidth=1.2, linestyle="--" if small else "-", transform=self.canvas.transFigure,
        )  # fmt: skip
        self.canvas.add_artist(box)
        weight, style = "bold" if cell.ratio.shown else "normal", "italic" if small else "normal"
        self._words(
            middle, top + 7, f"{cell.sign} {cell.value}".strip(), 25, align="center", weight=weight, style=style
        )
        self._words(middle, top + 38, cell.interval, SMALLEST - 1, align="center")

    @property
    def _text(self) -> float:
        """How many times as large text is; its room grows in one direction only."""
        return min(self.zoom, 1.2)

    def _words(self, x: float, y: float, text: str, size: float, **looks: Any) -> None:
        words(self.canvas, self.left + x, self.top + self.zoom * y, text, size * self._text, **looks)
