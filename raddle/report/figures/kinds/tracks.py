# SPDX-License-Identifier: BSD-3-Clause
"""The dot plot: one labelled track a value, with its interval, its blocks, and its number in words.

Labels stand above their track instead of beside it, so that data get the whole width and a phone can show it. Dots
and not bars, since bars must start at zero and rates span two decades.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from matplotlib.axes import Axes

from raddle.report.figures.kinds.ticks import set_log_ticks
from raddle.report.figures.model import Margins, Panel
from raddle.report.style import color, variant_style

ROW = 0.33  # inches a track
HEAD = 0.30  # inches a group's heading
MARGINS = Margins(left=0.04, right=0.04, top=0.04)


@dataclass(frozen=True)
class Track:
    """One value. `interval` is None where n is too small: then the marker is hollow. `text` tells the number."""

    variant: str
    label: str
    centre: float
    interval: tuple[float, float] | None
    text: str
    dots: Sequence[float] = ()


@dataclass(frozen=True)
class TrackGroup:
    """Tracks under one heading; `space` are inches left below them, so that panels side by side line up."""

    heading: str
    tracks: Sequence[Track]
    space: float = 0.0


@dataclass(frozen=True)
class Reference:
    """A value that others are compared with; `beyond` shades what lies on that side of it: +1, -1 or 0 for none."""

    at: float
    beyond: int = 0


def height(groups: Sequence[TrackGroup]) -> float:
    """Inches that a panel of these groups needs."""
    return MARGINS.top + MARGINS.bottom + inside(groups)


def inside(groups: Sequence[TrackGroup]) -> float:
    """Inches between its axes."""
    return sum((HEAD if group.heading else 0) + ROW * len(group.tracks) + group.space for group in groups)


def tracks_panel(
    title: str, draw: Callable[..., None], groups: Sequence[TrackGroup], description: str, *, shared: bool = False
) -> Panel:
    """A panel as high as its groups, which `draw` is given: slides draw a few of them at a time."""
    return Panel(
        title=title,
        draw=partial(draw, groups=groups),
        description=description,
        height=height(groups),
        margins=MARGINS,
        shared=shared,
    )


def draw_tracks(
    axes: Axes,
    groups: Sequence[TrackGroup],
    *,
    limits: tuple[float, float],
    label: str,
    tick: Callable[[float], str],
    reference: Reference | None = None,
) -> None:
    """Draw the groups from top to bottom on a logarithmic axis with the given limits."""
    axes.set_xscale("log")
    set_log_ticks(axes.xaxis, limits, tick)
    frame(axes, groups, limits, label)
    if reference is not None and reference.beyond:
        _draw_field(axes, reference, limits)
    for track, top in rows(axes, groups):
        _draw_track(axes, track, top)
        if reference is not None and track.centre != reference.at:
            _draw_reference(axes, reference, top)


def frame(axes: Axes, groups: Sequence[TrackGroup], limits: tuple[float, float], label: str) -> None:
    """Axes for these groups: values across, nothing but words at the left."""
    axes.set_xlim(*limits)
    axes.set_ylim(inside(groups), 0)
    axes.set_yticks([])
    axes.spines["left"].set_visible(False)
    axes.grid(axis="y", visible=False)
    axes.set_xlabel(label)


def rows(axes: Axes, groups: Sequence[TrackGroup]) -> Iterator[tuple[Track, float]]:
    """Each track, and how far down its row begins; a group's heading is drawn on the way."""
    top = 0.0
    for group in groups:
        if group.heading:
            axes.text(0.0, top + 0.21, group.heading, transform=axes.get_yaxis_transform(), weight="bold", size=8.5)
            top += HEAD
        for track in group.tracks:
            yield track, top
            top += ROW


def point(axes: Axes, track: Track, line: float) -> None:
    """The median, hollow where it has no interval. Its gid becomes a class, by which tests find what was drawn."""
    style = variant_style(track.variant)
    (drawn,) = axes.plot(
        [track.centre], [line], style.marker, color=style.light, zorder=4, markersize=5, markeredgewidth=1.1,
        markerfacecolor=color("paper") if track.interval is None else style.light,
    )  # fmt: skip
    drawn.set_gid(f"series:{track.variant}")


def _draw_track(axes: Axes, track: Track, top: float) -> None:
    style = variant_style(track.variant)
    text, line = top + 0.115, top + 0.215
    across = axes.get_yaxis_transform()
    axes.text(0.0, text, track.label, transform=across, size=8, color=color("muted"))
    axes.text(1.0, text, track.text, transform=across, size=8, ha="right")
    axes.plot([0, 1], [line, line], transform=across, color=color("grid"), linewidth=0.7, zorder=1)
    if track.interval is not None:
        axes.plot(track.interval, [line, line], color=style.light, linewidth=2.6, solid_capstyle="butt", zorder=3)
    if len(track.dots):
        axes.plot(
            track.dots, [line] * len(track.dots), "|", color=style.light, markersize=6, markeredgewidth=0.9, alpha=0.55,
            zorder=2,
        )  # fmt: skip
    point(axes, track, line)


def _draw_field(axes: Axes, reference: Reference, limits: tuple[float, float]) -> None:
    far = limits[1] if reference.beyond > 0 else limits[0]
    axes.axvspan(*sorted((reference.at, far)), color=color("limit"), linewidth=0, zorder=0)


def _draw_reference(axes: Axes, reference: Reference, top: float) -> None:
    """The line is drawn at the tracks only: it would run through the words above them."""
    axes.plot([reference.at] * 2, [top + 0.165, top + 0.265], color=color("ink"), linewidth=1.1, zorder=3.5)
