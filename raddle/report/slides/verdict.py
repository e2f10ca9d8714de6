# SPDX-License-Identifier: BSD-3-Clause
"""The first slide: what threads cost on this machine, in at most five sentences."""

from __future__ import annotations

from collections.abc import Sequence

from matplotlib.figure import Figure as Canvas

from raddle.report.data import Data
from raddle.report.five import Line
from raddle.report.numbers import pretty
from raddle.report.slides.sheet import SMALLEST, Room, Sheet, folded, words

_INDENT = 62
_LARGEST = 36


def verdict_slide(data: Data, lines: Sequence[Line], foot: str) -> Sheet:
    """The slide, its text as large as it fits."""
    facts = ", ".join(map(data.title, data.mpis)) if data.environment else ""

    def draw(canvas: Canvas, room: Room) -> None:
        size = next(
            (each for each in range(_LARGEST, SMALLEST, -1) if _height(lines, each, room) <= room.height), SMALLEST
        )
        top = room.top + 10
        for number, line in enumerate(lines, start=1):
            text = _text(line, size, room)
            words(canvas, room.left, top, f"{number}", size, role="muted", weight="bold")
            words(canvas, room.left + _INDENT, top, text, size)
            top += _tall(text, size)

    return Sheet("What threads cost MPI on this machine", facts, foot, draw)


def _text(line: Line, size: float, room: Room) -> str:
    return folded(f"{pretty(line.text)}{' (oversubscribed)' if line.shared else ''}", size, room.width - _INDENT)


def _tall(text: str, size: float) -> float:
    return size * (1.32 * (text.count("\n") + 1) + 0.75)


def _height(lines: Sequence[Line], size: float, room: Room) -> float:
    return sum(_tall(_text(line, size, room), size) for line in lines)
