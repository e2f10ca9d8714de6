# SPDX-License-Identifier: BSD-3-Clause
"""A figure as slides: as many of its panels on each as can be read from afar, clean and oversubscribed ones apart."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from matplotlib.figure import Figure as Canvas

from raddle.report.draw import handle, place
from raddle.report.figures.kinds.tracks import MARGINS, TrackGroup, height
from raddle.report.figures.model import Figure, Panel
from raddle.report.slides.sheet import HEIGHT, SMALLEST, Room, Sheet, points, room
from raddle.report.style import RC

_LEGEND, _LEGEND_TEXT = 44.0, 25.0  # pixels a line, and of its text
_NAME = 0.42  # inches for a panel's title
_GAP = 0.15  # inches between panels
# Pixels an inch of a panel: text of a panel is never smaller than what can be read, and need not be huge.
_FEWEST, _MOST = SMALLEST * 72 / RC["font.size"], 330.0
_ACROSS = 3
# An axis that runs from left to right may be this much shorter than on the page; labels above tracks may not.
_NARROW = 0.75


def figure_slides(figure: Figure, foot: str) -> Iterator[Sheet]:
    """One slide or more, numbered where there are more."""
    space = room(figure.heading, figure.finding)
    legend = _LEGEND * _legend_lines(figure, space)
    high = (space.height - legend) / _FEWEST - _NAME
    heaps = [
        heap
        for shared in (False, True)
        for heap in _heaps(
            [part for each in figure.panels if each.shared == shared for part in _parts(each, high)], space
        )
    ]
    for number, heap in enumerate(heaps, start=1):
        title = figure.heading if len(heaps) == 1 else f"{figure.heading} ({number} of {len(heaps)})"
        tall = max(panel.height for panel in heap) + _NAME
        scale = min((space.height - legend) / tall, space.width / _narrowest(heap), _MOST)
        draw = partial(_draw, figure=figure, panels=heap, scale=scale)
        yield Sheet(title, figure.finding, foot, draw, heap[0].shared, scale)


def _parts(panel: Panel, high: float) -> Iterator[Panel]:
    """The panel, or where it is too high to be read and made of groups of tracks, a few of these each time."""
    draw: Any = panel.draw
    groups: Sequence[TrackGroup] = panel.draw.keywords.get("groups", ()) if isinstance(panel.draw, partial) else ()
    if panel.height <= high or len(groups) < 2:
        yield panel
        return
    few: list[TrackGroup] = []
    for group in [*(replace(each, space=0.0) for each in groups), None]:
        if few and (group is None or height([*few, group]) > high):
            yield replace(panel, draw=partial(draw, groups=few), height=height(few))
            few = []
        if group is not None:
            few = [*few, group]


def _heaps(panels: Sequence[Panel], space: Room) -> Iterator[list[Panel]]:
    """Panels that go on one slide: as many as stay large enough."""
    heap: list[Panel] = []
    for panel in panels:
        if heap and (len(heap) == _ACROSS or _narrowest([*heap, panel]) * _FEWEST > space.width):
            yield heap
            heap = []
        heap.append(panel)
    if heap:
        yield heap


def _narrowest(panels: Sequence[Panel]) -> float:
    return _total(panels, _NARROW)


def _width(panel: Panel, share: float) -> float:
    return panel.width if panel.margins == MARGINS else panel.width * share


def _total(panels: Sequence[Panel], share: float) -> float:
    return sum(_width(panel, share) for panel in panels) + _GAP * (len(panels) - 1)


def _draw(canvas: Canvas, space: Room, *, figure: Figure, panels: Sequence[Panel], scale: float) -> None:
    # As wide as on the page, or wider, where there is room.
    share = next((each for each in (1.35, 1.2, 1.0, 0.9, 0.82) if _total(panels, each) * scale <= space.width), _NARROW)
    left = (space.left + (space.width - _total(panels, share) * scale) / 2) / scale
    tall = (max(panel.height for panel in panels) + _NAME) * scale
    spare = max(0.0, space.height - _LEGEND * _legend_lines(figure, space) - tall)
    top = (HEIGHT - space.top - spare / 2) / scale
    for panel in panels:
        width = _width(panel, share)
        axes = place(canvas, replace(panel, width=width), left, top - _NAME - panel.height)
        name = textwrap.fill(panel.title, round(width * 13))
        axes.set_title(name, loc="left", weight="bold", x=(0.05 - panel.margins.left) / width)
        left += width + _GAP
    if figure.legend:
        lines = _legend_lines(figure, space)
        canvas.legend(
            handles=[handle(series) for series in figure.legend], loc="lower center", frameon=False, borderaxespad=0.1,
            fontsize=points(_LEGEND_TEXT, canvas), ncols=-(-len(figure.legend) // lines), labelspacing=0.3,
            bbox_to_anchor=(0.5, 1 - space.bottom / HEIGHT),
        )  # fmt: skip


def _legend_lines(figure: Figure, space: Room) -> int:
    """How many lines the legend needs."""
    wide = sum(_LEGEND_TEXT * (4.5 + 0.55 * len(series.label)) for series in figure.legend)
    return math.ceil(wide / space.width)
