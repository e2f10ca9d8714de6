# SPDX-License-Identifier: BSD-3-Clause
"""A value against message size: a line a series, its interval as a band, the physical limit as the edge of a field."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from matplotlib.axes import Axes
from matplotlib.ticker import FixedLocator, FuncFormatter

from raddle.model import PHYSICAL
from raddle.report.figures.kinds.ticks import set_log_ticks
from raddle.report.style import color, variant_style
from raddle.units import format_bytes

DASHED = (0, (3.2, 1.6))


@dataclass(frozen=True)
class Point:
    """One size of a series; no interval means that n is too small for one."""

    size: int
    centre: float
    interval: tuple[float, float] | None


@dataclass(frozen=True)
class Line:
    """One series, smallest size first. Between processes it is solid, within one process dashed."""

    variant: str
    points: Sequence[Point]
    dashed: bool = False


@dataclass(frozen=True)
class Limit:
    """What the machine allows; `side` says where the impossible lies: +1 above the line, -1 below it."""

    points: Sequence[Point]
    side: int


def size_name(size: int) -> str:
    """As a tick has room for it: `8 B`, `64 K`."""
    return format_bytes(size).replace("iB", "")


@dataclass(frozen=True)
class Scene:
    """What all panels of a figure have in common, so that they can be compared by eye."""

    sizes: Sequence[int]
    limits: tuple[float, float]
    label: str
    tick: Callable[[float], str]
    # What stands along the other axis, and how its values are written.
    across: str = "message size"
    name: Callable[[int], str] = size_name
    # A value that is drawn all across, and in whose colour.
    rule: tuple[float, str] | None = None


def draw_lines(axes: Axes, scene: Scene, lines: Sequence[Line], limit: Limit | None = None) -> None:
    """Draw the series; both axes are logarithmic, with a place of its own for size 0."""
    axes.set_yscale("log")
    axes.set_ylim(*scene.limits)
    _size_axis(axes, scene)
    set_log_ticks(axes.yaxis, scene.limits, scene.tick)
    axes.set_ylabel(scene.label)
    if limit is not None and limit.points:
        _draw_limit(axes, limit, scene)
    for line in lines:
        _draw_line(axes, line, scene.sizes)
    if scene.rule is not None:
        value, whose = scene.rule
        axes.axhline(value, color=color(whose), linewidth=1.0, linestyle=(0, (1, 1.2)), zorder=1.5)


def position(size: int, sizes: Sequence[int]) -> float:
    """Where a size stands: its binary logarithm; 0 B one step left of the smallest other size."""
    if size > 0:
        return math.log2(size)
    return math.log2(min((each for each in sizes if each > 0), default=1)) - 1.6


def _draw_line(axes: Axes, line: Line, sizes: Sequence[int]) -> None:
    style = variant_style(line.variant)
    xs = [position(point.size, sizes) for point in line.points]
    ys = [point.centre for point in line.points]
    known = [(x, point.interval) for x, point in zip(xs, line.points, strict=True) if point.interval]
    if len(known) > 1:
        axes.fill_between(
            [x for x, _ in known], [low for _, (low, _) in known], [high for _, (_, high) in known],
            color=style.light, alpha=0.22, linewidth=0, zorder=2,
        )  # fmt: skip
    for x, (low, high) in known:
        axes.plot([x, x], [low, high], color=style.light, linewidth=1.1, zorder=3)
    (drawn,) = axes.plot(
        xs, ys, marker=style.marker, color=style.light, linestyle=DASHED if line.dashed else "-", zorder=4,
        # Hollow where there is no interval: the same sign as in every other figure.
        markerfacecolor=style.light if len(known) == len(xs) else color("paper"), markeredgewidth=1.0,
    )  # fmt: skip
    drawn.set_gid(f"series:{line.variant}")


def _draw_limit(axes: Axes, limit: Limit, scene: Scene) -> None:
    xs = [position(point.size, scene.sizes) for point in limit.points]
    ys = [point.centre for point in limit.points]
    far = scene.limits[1] if limit.side > 0 else scene.limits[0]
    axes.fill_between(xs, ys, [far] * len(xs), color=color("limit"), linewidth=0, zorder=0.5)
    style = variant_style(PHYSICAL)
    (drawn,) = axes.plot(
        xs, ys, color=style.light, linewidth=1.3, linestyle=(0, (1, 1.2)), marker=style.marker, zorder=2.5
    )
    drawn.set_gid("series:physical")


def _size_axis(axes: Axes, scene: Scene) -> None:
    """Every size has a tick, every other one or fewer a label: about six fit a narrow panel."""
    places = [position(size, scene.sizes) for size in scene.sizes]
    axes.set_xlim(places[0] - 0.8, places[-1] + 0.8)
    apart = (places[-1] - places[0]) / 6.5
    axes.xaxis.set_major_locator(FixedLocator(_spread(places, apart)))
    names = dict(zip(places, scene.sizes, strict=True))
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: scene.name(names.get(value, 0))))
    axes.xaxis.set_minor_locator(FixedLocator(places))
    axes.tick_params(axis="x", which="minor", size=2)
    axes.grid(axis="x", visible=False)
    axes.set_xlabel(scene.across)


def _spread(places: Sequence[float], fewest_apart: float) -> list[float]:
    """A selection of places far enough apart for their labels, the first and the last always among them."""
    chosen = [places[0]]
    for place in places[1:-1]:
        if place - chosen[-1] >= fewest_apart and places[-1] - place >= fewest_apart:
            chosen.append(place)
    return chosen + ([places[-1]] if len(places) > 1 else [])
