# SPDX-License-Identifier: BSD-3-Clause
"""Message rate by variant and MPI: one panel a condition, so that clean and oversubscribed rows never share an axis."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from matplotlib.axes import Axes

from raddle.compare_points import placement
from raddle.model import ResultRow
from raddle.report import numbers
from raddle.report.data import Data
from raddle.report.figures.findings import most_telling
from raddle.report.figures.model import Figure, Panel, Table
from raddle.report.figures.ticks import axis_unit, log_limits
from raddle.report.figures.tracks import MARGINS, Reference, Track, TrackGroup, draw_tracks, height
from raddle.report.rows import Condition, condition, display_order, group, headline, size
from raddle.units import format_bytes


def build(data: Data) -> Figure | None:
    """The figure, or none when no message rate was measured."""
    rows = headline(data.rows, "msgrate")
    measured = [row for row in rows if row.mpi != "none"]
    if not measured:
        return None
    conditions = sorted(group(measured, condition))
    return Figure(
        name="message-rate",
        heading="Message rate",
        short="Rate",
        finding=most_telling(data, measured, "message rate"),
        how_to_read=(
            "Further right is better; the axis is logarithmic. Marker: median of the blocks. Bar: its 95 % interval; "
            "where n is too small for one, the marker is hollow. Ticks: the median of every block. Dashed line: what "
            "the machine allows without MPI."
        ),
        panels=[_panel(data, rows, each) for each in conditions],
        table=_table(data, measured),
        benchmarks=["msgrate"],
    )


def _panel(data: Data, rows: Sequence[ResultRow], each: Condition) -> Panel:
    here = [row for row in rows if row.mpi != "none" and condition(row) == each]
    limit = next(filter(None, map(data.limit, here)), None)
    groups = [
        TrackGroup(data.title(mpi), [_track(row) for row in sorted(own, key=display_order)])
        for mpi in data.mpis
        if (own := [row for row in here if row.mpi == mpi])
    ]
    best = max(here, key=lambda row: row.median)
    return Panel(
        title=f"{each.words}, {format_bytes(size(here[0]))}",
        draw=partial(_draw, groups=groups, rows=here, limit=None if each.shared else limit, shared=each.shared),
        description=f"Message rates of {len(here)} rows; the highest is {numbers.value(best)}, "
        f"{best.variant} on {data.title(best.mpi)}.",
        height=height(groups),
        margins=MARGINS,
        shared=each.shared,
    )


def _track(row: ResultRow) -> Track:
    where = f", {placement(row)}" if row.variant != "process" else ""
    return Track(
        variant=row.variant, label=f"{row.variant}{where}", centre=row.median, interval=row.ci95, dots=row.blocks,
        text=numbers.told(row),
    )  # fmt: skip


def _draw(
    axes: Axes, *, groups: Sequence[TrackGroup], rows: Sequence[ResultRow], limit: ResultRow | None, shared: bool
) -> None:
    values = [value for row in rows for value in row.blocks] + ([limit.median] if limit else [])
    unit, tick = axis_unit([row.median for row in rows], rows[0].unit)
    reference = Reference(limit.median, beyond=1, label=f"physical limit {numbers.told(limit)}") if limit else None
    room = 1.9 if limit else 1.25  # the field beyond the limit carries its name
    draw_tracks(
        axes, groups, limits=log_limits(values, 1.25, room), label=f"message rate ({unit})",
        tick=tick, reference=reference, shared=shared,
    )  # fmt: skip


def _table(data: Data, rows: Sequence[ResultRow]) -> Table:
    body = [
        [data.title(row.mpi), row.variant, placement(row), row.profile, str(condition(row).threads), numbers.value(row),
         numbers.interval(row), str(len(row.blocks)), str(len(row.samples))]
        for row in sorted(rows, key=lambda row: (condition(row), data.mpis.index(row.mpi), display_order(row)))
    ]  # fmt: skip
    return Table(
        ["MPI", "variant", "placement", "profile", "pairs", "median", "95 % interval", "blocks", "samples"],
        body,
        labels=4,
    )
