# SPDX-License-Identifier: BSD-3-Clause
"""Single times one after the other, as many as there are: spikes are what to look for, so none is lost."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator

from raddle.report.figures.kinds.ticks import set_log_ticks
from raddle.report.style import variant_style

# A panel has about so many pixels across: of what falls into one, the lowest and the highest say all.
BINS = 320
FEW = 40


@dataclass(frozen=True)
class Trace:
    """The times of one series in order."""

    variant: str
    times: Sequence[float]


def draw_traces(
    axes: Axes,
    *,
    traces: Sequence[Trace],
    limits: tuple[float, float],
    label: str,
    tick: Callable[[float], str],
) -> None:
    """Draw them over each other, the one with most variation first, so that it hides none."""
    axes.set_yscale("log")
    axes.set_ylim(*limits)
    set_log_ticks(axes.yaxis, limits, tick)
    for each in sorted(traces, key=lambda trace: -float(np.std(trace.times))):
        places, times = envelope(each.times)
        style = variant_style(each.variant)
        # A library that makes short messages wait may leave but one: a line needs two.
        marker = "." if len(times) < FEW else ""
        (drawn,) = axes.plot(places, times, color=style.light, marker=marker, linewidth=0.8)
        drawn.set_gid(f"series:{each.variant}")
    axes.set_xlabel("iteration")
    axes.set_ylabel(label)
    axes.xaxis.set_major_locator(MaxNLocator(5, integer=True))
    axes.grid(axis="x", visible=False)


def envelope(times: Sequence[float]) -> tuple[list[int], list[float]]:
    """Places and times of at most the lowest and the highest in each bin, in order."""
    kept: set[int] = set()
    for own in np.array_split(np.arange(len(times)), min(BINS, len(times))):
        values = np.asarray(times, dtype=float)[own]
        kept |= {int(own[int(values.argmin())]), int(own[int(values.argmax())])}
    places = sorted(kept)
    return places, [times[place] for place in places]
