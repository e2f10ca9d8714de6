# SPDX-License-Identifier: BSD-3-Clause
"""An empty slide: title, a line below it, a foot, and the room between them. All lengths are pixels of 1920 x 1080."""

from __future__ import annotations

import io
import textwrap
from collections.abc import Callable
from dataclasses import dataclass

from matplotlib.figure import Figure as Canvas

from raddle.report.draw import blank, looks
from raddle.report.style import color
from raddle.report.text import one_line

WIDTH, HEIGHT = 1920, 1080
EDGE = 60
# The smallest text that is still read from the back of a room.
SMALLEST = 20
TITLE, LINE, FOOT = 46, 30, SMALLEST
# Of a character, as a share of the size: a little more than most texts need.
_REGULAR, _BOLD = 0.53, 0.6


@dataclass(frozen=True)
class Room:
    """What is left for content."""

    left: float
    right: float
    top: float
    bottom: float

    @property
    def width(self) -> float:
        return self.right - self.left

    @property
    def height(self) -> float:
        return self.bottom - self.top


@dataclass(frozen=True)
class Sheet:
    """One slide; `draw` fills the room. `scale` is how many pixels an inch has, for what is drawn in inches."""

    title: str
    line: str
    foot: str
    draw: Callable[[Canvas, Room], None]
    shared: bool = False
    scale: float = 160.0


def room(title: str, line: str) -> Room:
    """The room below such a head."""
    return Room(EDGE, WIDTH - EDGE, _head(title, line)[2], HEIGHT - EDGE - FOOT)


def png(sheet: Sheet) -> bytes:
    """The slide as a file, white."""
    with looks():
        canvas = blank(WIDTH / sheet.scale, HEIGHT / sheet.scale)
        canvas.set_dpi(sheet.scale)
        canvas.set_facecolor(color("paper"))
        title, lines, top = _head(sheet.title, sheet.line)
        if sheet.shared:
            oversubscribed(canvas)
        words(canvas, EDGE, EDGE - 12, title, TITLE, weight="bold")
        words(canvas, EDGE, EDGE - 12 + TITLE * 1.25 * (title.count("\n") + 1), lines, _size(lines), role="muted")
        words(canvas, EDGE, HEIGHT - 24 - FOOT, shortened(sheet.foot, FOOT, WIDTH - 2 * EDGE), FOOT, role="muted")
        sheet.draw(canvas, Room(EDGE, WIDTH - EDGE, top, HEIGHT - EDGE - FOOT))
        out = io.BytesIO()
        canvas.savefig(
            out, format="png", dpi=sheet.scale, metadata={"Software": None}, pil_kwargs={"compress_level": 6}
        )
        return out.getvalue()


def words(
    canvas: Canvas, x: float, y: float, text: str, size: float, *, role: str = "ink", weight: str = "normal",
    align: str = "left", middle: bool = False, style: str = "normal",
) -> None:  # fmt: skip
    """Text whose upper end, or middle, is `y` below the upper edge."""
    canvas.text(
        x / WIDTH, 1 - y / HEIGHT, text, size=points(size, canvas), color=color(role), weight=weight, ha=align,
        va="center" if middle else "top", linespacing=1.25, style=style,
    )  # fmt: skip


def points(pixels: float, canvas: Canvas) -> float:
    """A size of text as Matplotlib counts it."""
    return float(pixels * 72 / canvas.dpi)


def folded(text: str, size: float, width: float, *, bold: bool = False) -> str:
    """The text in as many lines as it needs."""
    return textwrap.fill(one_line(text), max(10, int(width / (size * (_BOLD if bold else _REGULAR)))))


def shortened(text: str, size: float, width: float) -> str:
    """The text in one line."""
    most = max(10, int(width / (size * _REGULAR)))
    line = one_line(text)
    return line if len(line) <= most else f"{line[: most - 3].rstrip()}..."


def oversubscribed(canvas: Canvas) -> None:
    """Says what the whole slide holds for, in a corner where nothing else is."""
    box = {"boxstyle": "round,pad=0.4", "facecolor": color("oversubscribed"), "edgecolor": "#e6a100"}
    at = ((WIDTH - EDGE) / WIDTH, 1 - 44 / HEIGHT)
    canvas.text(*at, "oversubscribed", size=points(22, canvas), weight="bold", ha="right", va="top", bbox=box)


def _head(title: str, line: str) -> tuple[str, str, float]:
    """Title and line in lines, and where the room below them begins."""
    head = folded(title, TITLE, WIDTH - 2 * EDGE - 260, bold=True)
    below = folded(line, _size(line), WIDTH - 2 * EDGE)
    height = TITLE * 1.25 * (head.count("\n") + 1) + _size(line) * 1.3 * (below.count("\n") + 1 if line else 0)
    return head, below, EDGE - 12 + height + 22


def _size(line: str) -> float:
    return LINE if len(line) < 340 else 24
