# SPDX-License-Identifier: BSD-3-Clause
"""A value at one message size: one panel a condition, so that clean and oversubscribed rows never share an axis."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from matplotlib.axes import Axes

from raddle.judge.points import placement
from raddle.model import NO_MPI, PHYSICAL, ResultRow
from raddle.report import numbers
from raddle.report.data import Data
from raddle.report.figures.model import Panel
from raddle.report.figures.ticks import axis_unit, log_limits
from raddle.report.figures.tracks import MARGINS, Reference, Track, TrackGroup, draw_tracks, height
from raddle.report.rows import Condition, condition, display_order, group, size_words

HOW_TO_READ = (
    "the axis is logarithmic. Marker: median of the blocks. Bar: its 95 % interval; where n is too small for one, the "
    "marker is hollow. Ticks: the median of every block."
)


def panels_at_one_size(data: Data, rows: Sequence[ResultRow], what: str) -> list[Panel]:
    """Of rows of one benchmark that have the same size; `what` is the metric in words."""
    return [_panel(data, rows, each, what) for each in sorted(group(rows, condition))]


def _panel(data: Data, rows: Sequence[ResultRow], each: Condition, what: str) -> Panel:
    here = [row for row in rows if condition(row) == each and row.mpi != NO_MPI]
    # A limit is measured with the machine to itself: it bounds nothing where threads wait for a CPU.
    limit = None if each.shared else next(filter(None, map(data.limit, rows)), None)
    groups = [TrackGroup("No MPI", [_track(limit)])] if limit else []
    groups += [
        TrackGroup(data.title(mpi), [_track(row) for row in sorted(own, key=display_order)])
        for mpi in data.mpis
        if (own := [row for row in here if row.mpi == mpi])
    ]
    shown = [*here, limit] if limit else here
    least = shown[0].better == "lower"
    best = (min if least else max)(shown, key=lambda row: row.median)
    return Panel(
        title=", ".join(filter(None, [each.words, size_words(shown[0])])),
        draw=partial(_draw, groups=groups, rows=shown, limit=limit, what=what),
        description=f"{what[:1].upper()}{what[1:]} in {len(shown)} rows; the {'lowest' if least else 'highest'} is "
        f"{numbers.value(best)}, {best.variant} on {data.title(best.mpi)}.",
        height=height(groups),
        margins=MARGINS,
        shared=each.shared,
    )


def _track(row: ResultRow) -> Track:
    where = f", {placement(row)}" if row.variant not in ("process", PHYSICAL) else ""
    return Track(
        variant=row.variant, label=f"{row.variant}{where}", centre=row.median, interval=row.ci95, dots=row.blocks,
        text=numbers.told(row),
    )  # fmt: skip


def _draw(
    axes: Axes,
    *,
    groups: Sequence[TrackGroup],
    rows: Sequence[ResultRow],
    limit: ResultRow | None,
    what: str,
) -> None:
    unit, tick = axis_unit([row.median for row in rows], rows[0].unit)
    values = [value for row in rows for value in (*row.blocks, *(row.ci95 or ()))]
    beyond = -1 if rows[0].better == "lower" else 1
    draw_tracks(
        axes, groups, limits=log_limits(values, 1.25, 1.35), tick=tick, label=f"{what} ({unit})",
        reference=Reference(limit.median, beyond=beyond) if limit else None,
    )  # fmt: skip
