# SPDX-License-Identifier: BSD-3-Clause
"""How far every variant is from what the machine allows without any MPI. Clean rows only: a limit has no scheduler."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from matplotlib.axes import Axes

from raddle.judge.points import placement
from raddle.model import PHYSICAL, ResultRow
from raddle.report import numbers
from raddle.report.data import Data
from raddle.report.figures.model import Figure, Panel, Table
from raddle.report.figures.ticks import log_limits, ratio_tick
from raddle.report.figures.tracks import MARGINS, Reference, Track, TrackGroup, draw_tracks, height
from raddle.report.rows import Condition, condition, display_order, size
from raddle.stats.ratio import Ratio
from raddle.units import format_bytes

Distance = tuple[ResultRow, Ratio]


def build(data: Data) -> Figure | None:
    """The figure, or none when the physical probe has no row for the same work."""
    distances = [
        (row, speed.inverse())
        for benchmark in data.benchmarks
        for row in data.headline(benchmark)
        if row.variant != PHYSICAL and not condition(row).shared
        if (speed := data.speed(row, data.limit(row))) is not None
    ]
    if not distances:
        return None
    nearest = min(distances, key=lambda pair: pair[1].estimate)
    panels = [
        _panel(data, benchmark, each, own)
        for benchmark in data.benchmarks
        for each in sorted({condition(row) for row, _ in distances})
        if (own := [pair for pair in distances if pair[0].benchmark == benchmark and condition(pair[0]) == each])
    ]
    return Figure(
        name="distance-to-physical",
        across=True,
        heading="Distance to physical",
        short="Distance to physical",
        finding=f"Nearest to physical: {nearest[0].variant} on {data.title(nearest[0].mpi)} in "
        f"{nearest[0].benchmark}, {numbers.ratio_text(nearest[1])} as long"
        f"{'' if nearest[1].shown or nearest[1].interval is None else ', no difference shown'}",
        how_to_read=(
            "How many times slower than physical, the same work without an MPI, measured in the same run and paired "
            "block by block: left is better. Bandwidth may be faster than the memcpy of one core, where two copy at "
            "once. The axis is logarithmic; bars are 95 % intervals."
        ),
        panels=panels,
        table=_table(data, distances),
        benchmarks=list(dict.fromkeys(row.benchmark for row, _ in distances)),
    )


def _panel(data: Data, benchmark: str, each: Condition, distances: Sequence[Distance]) -> Panel:
    groups = [
        TrackGroup(data.title(mpi), [_track(row, ratio) for row, ratio in own])
        for mpi in data.mpis
        if (own := sorted((pair for pair in distances if pair[0].mpi == mpi), key=lambda pair: display_order(pair[0])))
    ]
    farthest = max(distances, key=lambda pair: pair[1].estimate)
    return Panel(
        title=f"{benchmark}, {format_bytes(size(distances[0][0]))}, {each.words}",
        draw=partial(_draw, groups=groups),
        description=f"{len(distances)} distances; the largest is {numbers.ratio_text(farthest[1])}, "
        f"{farthest[0].variant} on {data.title(farthest[0].mpi)}.",
        height=height(groups),
        margins=MARGINS,
    )


def _track(row: ResultRow, ratio: Ratio) -> Track:
    where = "" if row.variant == "process" else f", {placement(row)}"
    return Track(row.variant, f"{row.variant}{where}", ratio.estimate, ratio.interval, numbers.ratio_text(ratio))


def _draw(axes: Axes, *, groups: Sequence[TrackGroup]) -> None:
    tracks = [track for each in groups for track in each.tracks]
    values = [1.0, *(value for track in tracks for value in (track.centre, *(track.interval or ())))]
    draw_tracks(
        axes, groups, limits=log_limits(values, 1.25, 1.15), label="times slower than physical",
        tick=ratio_tick, reference=Reference(1.0, beyond=-1),
    )  # fmt: skip


def _table(data: Data, distances: Sequence[Distance]) -> Table:
    body = [
        [row.benchmark, format_bytes(size(row)), data.title(row.mpi), row.variant, placement(row),
         str(condition(row).threads), numbers.ratio_value(ratio), numbers.ratio_interval(ratio), str(ratio.n)]
        for row, ratio in distances
    ]  # fmt: skip
    header = ["benchmark", "size", "MPI", "variant", "placement", "pairs", "times slower", "95 % interval", "blocks"]
    return Table(header, body, labels=5)
