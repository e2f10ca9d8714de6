# SPDX-License-Identifier: BSD-3-Clause
"""One round of partitions: when each became ready, and when it arrived."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator

from raddle.report.style import color, variant_style


@dataclass(frozen=True)
class Timeline:
    """Moments by partition, in us from the start of the round."""

    ready: Sequence[float]
    arrived: Sequence[float]

    @property
    def tail(self) -> float:
        """From when the last partition was ready until all had arrived."""
        return max(self.arrived) - max(self.ready)


def timeline_of(moments: Sequence[float]) -> Timeline | None:
    """As a trace has them: all that became ready, then all that arrived; none where the halves do not match."""
    half, odd = divmod(len(moments), 2)
    return Timeline(moments[:half], moments[half:]) if half and not odd else None


def draw_timeline(axes: Axes, timeline: Timeline, mechanism: str, end: float) -> None:
    """A line from ready to arrived for each partition; `end` is that of the longest round that is shown."""
    look = variant_style(mechanism).light
    places = range(len(timeline.ready))
    ready = [each / 1e3 for each in timeline.ready]
    arrived = [each / 1e3 for each in timeline.arrived]
    axes.hlines(list(places), ready, arrived, color=look, linewidth=0.8, alpha=0.45)
    (began,) = axes.plot(ready, places, linestyle="", marker="|", markersize=3.4, color=color("muted"))
    (ended,) = axes.plot(arrived, places, linestyle="", marker=".", markersize=3.4, color=look)
    began.set_gid("ready")
    ended.set_gid(f"series:{mechanism}")
    axes.axvline(max(ready), color=color("axis"), linewidth=0.8, linestyle=(0, (1, 1.2)), zorder=0.5)
    axes.set_xlim(0, end / 1e3 * 1.03)
    axes.set_ylim(-1, len(ready))
    axes.set_xlabel("time since the start (ms)")
    axes.set_ylabel("partition")
    axes.xaxis.set_major_locator(MaxNLocator(5))
    axes.yaxis.set_major_locator(MaxNLocator(4, integer=True))
