# SPDX-License-Identifier: BSD-3-Clause
"""From panels to pictures: one panel for the page, or a whole figure as SVG and PNG for slides and papers."""

from __future__ import annotations

import io
import textwrap
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from typing import Any

from matplotlib import font_manager, rc_context
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure as Canvas
from matplotlib.lines import Line2D

from raddle.model import PHYSICAL
from raddle.report.figures.kinds.lines import DASHED
from raddle.report.figures.model import Figure, Panel, Series
from raddle.report.style import FONTS, RC, color, variant_style
from raddle.report.text import without_controls

PNG_DPI = 150
_ACROSS = 11.6  # inches that a row of panels may fill
_LINE = 0.24  # inches a line of the figure's title
_TITLE = 0.42  # inches for a panel's title, of up to two lines
_EDGE = 0.12  # inches


def panel_svg(panel: Panel) -> str:
    """One panel on no background, without title: the page sets that as text of its own."""
    with looks():
        canvas = blank(panel.width, panel.height)
        place(canvas, panel, 0, 0)
        return _svg(canvas)


def figure_files(figure: Figure) -> dict[str, bytes]:
    """The whole figure by file name, `name.svg` and `name.png`: white background, title, legend, panels in rows."""
    with looks():
        canvas = _compose(figure)
        png = io.BytesIO()
        # Compressing harder takes seconds for the figures of a run, and saves a tenth.
        canvas.savefig(png, format="png", dpi=PNG_DPI, metadata={"Software": None}, pil_kwargs={"compress_level": 4})
        return {f"{figure.name}.svg": _svg(canvas).encode(), f"{figure.name}.png": png.getvalue()}


def _compose(figure: Figure) -> Canvas:
    rows = list(_rows(figure.panels))
    width = max(sum(panel.width for panel in row) for row in rows) + 2 * _EDGE
    title = textwrap.wrap(figure.finding, round(width * 10.5))
    heights = [max(panel.height for panel in row) + _TITLE for row in rows]
    columns = _columns(figure.legend, width)
    lines = -(-len(figure.legend) // columns)
    head, foot = _LINE * len(title) + 0.15, 0.1 + 0.25 * lines
    canvas = blank(width, head + sum(heights) + foot)
    canvas.set_facecolor(color("paper"))
    total = canvas.get_figheight()
    canvas.text(_EDGE / width, 1 - 0.1 / total, "\n".join(title), size=11, weight="bold", va="top")
    top = total - head
    for row, height in zip(rows, heights, strict=True):
        left = _EDGE
        for panel in row:
            axes = place(canvas, panel, left, top - _TITLE - panel.height)
            label = f"{panel.title} (oversubscribed)" if panel.shared else panel.title
            words = textwrap.fill(label, round(panel.width * 13))
            axes.set_title(words, loc="left", weight="bold", x=(0.05 - panel.margins.left) / panel.width)
            left += panel.width
        top -= height
    if figure.legend:
        handles = [handle(series) for series in figure.legend]
        canvas.legend(handles=handles, loc="lower left", ncols=columns, frameon=False)
    return canvas


def _columns(legend: Sequence[Series], width: float) -> int:
    """How many entries of a legend fit beside each other: all of them, or as many as the longest one allows."""
    inches = [0.62 + 0.058 * len(series.label) for series in legend] or [width]
    return len(inches) if sum(inches) <= width else max(1, int(width / max(inches)))


def place(canvas: Canvas, panel: Panel, left: float, bottom: float) -> Axes:
    """Draw a panel whose lower left corner is that many inches from the canvas's."""
    width, height = canvas.get_size_inches()
    around = panel.margins
    axes = canvas.add_axes(
        (
            (left + around.left) / width,
            (bottom + around.bottom) / height,
            (panel.width - around.left - around.right) / width,
            (panel.height - around.bottom - around.top) / height,
        )
    )
    if panel.shared:
        axes.set_facecolor(color("oversubscribed"))
    panel.draw(axes)
    return axes


def _rows(panels: list[Panel]) -> Iterator[list[Panel]]:
    """Panels side by side as long as they fit."""
    row: list[Panel] = []
    for panel in panels:
        if row and sum(each.width for each in row) + panel.width > _ACROSS:
            yield row
            row = []
        row.append(panel)
    if row:
        yield row


def handle(series: Series) -> Line2D:
    style = variant_style(series.variant)
    line: Any = (0, (1, 1.2)) if series.variant == PHYSICAL else DASHED if series.dashed else "-"
    return Line2D([], [], color=style.light, marker=style.marker, linestyle=line, label=series.label)


def blank(width: float, height: float) -> Canvas:
    """A canvas of that many inches, without pyplot: its global state would make two threads disturb each other."""
    canvas = Canvas(figsize=(width, height))
    FigureCanvasAgg(canvas)
    return canvas


def _svg(canvas: Canvas) -> str:
    """Without the date, so that the same data give the same bytes."""
    out = io.StringIO()
    canvas.savefig(out, format="svg", metadata={"Date": None})
    return without_controls(out.getvalue())


@contextmanager
def looks() -> Iterator[None]:
    settings: Any = {**RC, "font.family": _fonts()}
    with rc_context(settings), warnings.catch_warnings():
        # A name may hold any character; where no font has it a box is drawn, and in SVG the browser finds one.
        warnings.filterwarnings("ignore", r"Glyph \d+ .* missing from font")
        yield


@cache
def _fonts() -> list[str]:
    """Those of our list that this machine has: Matplotlib warns about every other one."""
    known = set(font_manager.get_font_names())
    return [name for name in FONTS if name in known] or ["DejaVu Sans"]
