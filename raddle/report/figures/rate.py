# SPDX-License-Identifier: BSD-3-Clause
"""Message rate by variant and MPI: one panel a condition, so that clean and oversubscribed rows never share an axis."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from matplotlib.axes import Axes

from raddle.compare_points import placement
from raddle.model import NO_MPI, PHYSICAL, ResultRow
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
    rows = data.headline("msgrate")
    if not rows:
        return None
    conditions = sorted(group(rows, condition))
    return Figure(
        name="message-rate",
        heading="Message rate",
        short="Rate",
        finding=most_telling(data, rows, "message rate"),
        how_to_read=(
            "Further right is better; the axis is logarithmic. Marker: median of the blocks. Bar: its 95 % interval; "
            "where n is too small for one, the marker is hollow. Ticks: the median of every block. Grey field: "
            "more than the machine allows without MPI."
        ),
        panels=[_panel(data, rows, each) for each in conditions],
        table=_table(data, [*rows, *(row for row in headline(data.rows, "msgrate") if row not in rows)]),
        benchmarks=["msgrate"],
    )


def _panel(data: Data, rows: Sequence[ResultRow], each: Condition) -> Panel:
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
    best = max(shown, key=lambda row: row.median)
    return Panel(
        title=f"{each.words}, {format_bytes(size(shown[0]))}",
        draw=partial(_draw, groups=groups, rows=shown, limit=limit, shared=each.shared),
        description=f"Message rates of {len(shown)} rows; the highest is {numbers.value(best)}, "
        f"{best.variant} on {data.title(best.mpi)}.",
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
    axes: Axes, *, groups: Sequence[TrackGroup], rows: Sequence[ResultRow], limit: ResultRow | None, shared: bool
) -> None:
    unit, tick = axis_unit([row.median for row in rows], rows[0].unit)
    draw_tracks(
        axes, groups, limits=log_limits((value for row in rows for value in row.blocks), 1.25, 1.35), tick=tick,
        label=f"message rate ({unit})", reference=Reference(limit.median, beyond=1) if limit else None, shared=shared,
    )  # fmt: skip


def _table(data: Data, rows: Sequence[ResultRow]) -> Table:
    places = {mpi: place for place, mpi in enumerate([*data.mpis, NO_MPI])}
    body = [
        [data.title(row.mpi), row.variant, placement(row), row.profile, str(condition(row).threads), numbers.value(row),
         numbers.interval(row), str(len(row.blocks)), str(len(row.samples))]
        for row in sorted(rows, key=lambda row: (condition(row), places[row.mpi], display_order(row)))
    ]  # fmt: skip
    return Table(
        ["MPI", "variant", "placement", "profile", "pairs", "median", "95 % interval", "blocks", "samples"],
        body,
        labels=4,
    )
