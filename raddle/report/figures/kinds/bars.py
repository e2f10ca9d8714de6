# SPDX-License-Identifier: BSD-3-Clause
"""Bars from zero, as the papers draw them: for values that lie within a decade, may be zero, or add up.

Laid out as the dot plot in `tracks.py` is, with the same marker, interval and hollow sign where n is too small.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from matplotlib.axes import Axes
from matplotlib.ticker import FuncFormatter, MaxNLocator

from raddle.report.figures.kinds.tracks import Track, TrackGroup, frame, point, rows
from raddle.report.style import color, variant_style

_THICK = 6.5  # points


@dataclass(frozen=True)
class Bar(Track):
    """A track that begins at zero. `part` is the share of it that is drawn dark; `marks` are values to hold it
    against."""

    part: float | None = None
    marks: Sequence[float] = ()


def bar_limits(bars: Iterable[Bar]) -> tuple[float, float]:
    """A linear axis that begins at zero, or below where a value does, and holds all that is drawn."""
    values = [0.0]
    for bar in bars:
        values += [bar.centre, *bar.marks, *(bar.interval or ())]
    known = [value for value in values if math.isfinite(value)]
    low, high = min(known), max(known)
    room = 0.06 * (high - low) or 1.0
    # Markers of what is zero need some room, too.
    return (low - room if low < 0 else -0.4 * room, high + room)


def draw_bars(
    axes: Axes,
    groups: Sequence[TrackGroup],
    *,
    limits: tuple[float, float],
    label: str,
    tick: Callable[[float], str],
) -> None:
    """Draw the groups from top to bottom on a linear axis with the given limits."""
    axes.xaxis.set_major_locator(MaxNLocator(5, steps=[1, 2, 2.5, 5, 10]))
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: tick(value)))
    frame(axes, groups, limits, label)
    for track, top in rows(axes, groups):
        _draw_bar(axes, track, top)


def _draw_bar(axes: Axes, track: Track, top: float) -> None:
    style = variant_style(track.variant)
    text, line = top + 0.115, top + 0.225
    across = axes.get_yaxis_transform()
    axes.text(0.0, text, track.label, transform=across, size=8, color=color("muted"))
    axes.text(1.0, text, track.text, transform=across, size=8, ha="right")
    axes.plot([0, track.centre], [line] * 2, color=style.light, linewidth=_THICK, alpha=0.32, solid_capstyle="butt")
    if isinstance(track, Bar):
        if track.part is not None:
            axes.plot(
                [0, track.part], [line] * 2, color=style.light, linewidth=_THICK, alpha=0.5, solid_capstyle="butt"
            )
        for mark in track.marks:
            axes.plot([mark] * 2, [line - 0.045, line + 0.055], color=color("ink"), linewidth=1.3, zorder=3.5)
    if track.interval is not None:
        axes.plot(track.interval, [line] * 2, color=style.light, linewidth=2, solid_capstyle="butt", zorder=3)
    point(axes, track, line)
