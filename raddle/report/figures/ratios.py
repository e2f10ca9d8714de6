# SPDX-License-Identifier: BSD-3-Clause
"""Every variant as a multiple of the best processes, with intervals: what the matrix says, drawn."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from matplotlib.axes import Axes

from raddle.judge.points import placement
from raddle.model import ResultRow
from raddle.report import numbers
from raddle.report.data import Data
from raddle.report.figures.model import Figure, Panel, Table
from raddle.report.figures.suite import ENDPOINTS, PAGES, PARTITIONED, SPARSE, TUTORIAL
from raddle.report.figures.ticks import log_limits, ratio_tick
from raddle.report.figures.tracks import MARGINS, Reference, Track, TrackGroup, draw_tracks, height
from raddle.report.rows import Condition, condition, display_order, size_words
from raddle.stats.ratio import Ratio

Compared = tuple[ResultRow, Ratio]


def build(data: Data) -> Figure | None:
    """The figure, or none when nothing can be compared with processes."""
    compared = [
        (row, ratio)
        for benchmark in _others(data)
        for row in data.headline(benchmark)
        if row.variant != "process" and (ratio := data.speed(row, data.rival(row))) is not None
    ]
    if not compared:
        return None
    panels = [
        _panel(data, each, benchmark, own)
        for each in sorted({condition(row) for row, _ in compared}, key=lambda each: (each.shared, each))
        for benchmark in _others(data)
        if (own := [pair for pair in compared if pair[0].benchmark == benchmark and condition(pair[0]) == each])
    ]
    return Figure(
        name="ratios",
        across=True,
        heading="Against processes",
        short="Against processes",
        finding=_finding([ratio for _, ratio in compared]),
        how_to_read=(
            "Speed as a multiple of the best processes of any MPI doing the same work: right of the line is faster, "
            "whatever the metric. Ratios are paired block by block. Marker: median. Bar: 95 % interval; where it "
            "touches the line, no difference is shown. Ticks: the ratio in every block."
        ),
        panels=panels,
        table=_table(data, compared),
        benchmarks=_others(data),
    )


def _others(data: Data) -> list[str]:
    """The benchmarks whose comparisons have no page of their own."""
    own = (*PAGES, *ENDPOINTS, *PARTITIONED, *SPARSE, *TUTORIAL)
    return [benchmark for benchmark in data.benchmarks if benchmark not in own]


def _finding(ratios: Sequence[Ratio]) -> str:
    known = [ratio for ratio in ratios if ratio.interval is not None]
    if not known:
        return f"n too small: none of {len(ratios)} comparisons with processes has an interval"
    faster = sum(ratio.shown and ratio.estimate > 1 for ratio in known)
    slower = sum(ratio.shown and ratio.estimate < 1 for ratio in known)
    return (
        f"Of {len(known)} comparisons with processes {slower} are slower, {faster} faster, the rest show no difference"
    )


def _panel(data: Data, each: Condition, benchmark: str, compared: Sequence[Compared]) -> Panel:
    groups = [
        TrackGroup(data.title(mpi), [_track(data, *pair) for pair in own])
        for mpi in data.mpis
        if (own := sorted((pair for pair in compared if pair[0].mpi == mpi), key=lambda pair: display_order(pair[0])))
    ]
    slowest = min(compared, key=lambda pair: pair[1].estimate)
    return Panel(
        title=", ".join(filter(None, [benchmark, size_words(compared[0][0]), each.words])),
        draw=partial(_draw, groups=groups),
        description=f"{len(compared)} ratios; the lowest is {numbers.ratio_text(slowest[1])}, "
        f"{slowest[0].variant} on {data.title(slowest[0].mpi)}.",
        height=height(groups),
        margins=MARGINS,
        shared=each.shared,
    )


def _track(data: Data, row: ResultRow, ratio: Ratio) -> Track:
    return Track(
        variant=row.variant, label=f"{row.variant}, {placement(row)}", centre=ratio.estimate, interval=ratio.interval,
        text=numbers.ratio_text(ratio), dots=data.speed_by_block(row, data.rival(row)),
    )  # fmt: skip


def _draw(axes: Axes, *, groups: Sequence[TrackGroup]) -> None:
    tracks = [track for each in groups for track in each.tracks]
    values = [1.0, *(value for track in tracks for value in (track.centre, *track.dots, *(track.interval or ())))]
    draw_tracks(
        axes, groups, limits=log_limits(values, 1.15, 1.15), label="speed as a multiple of the best processes",
        tick=ratio_tick, reference=Reference(1.0),
    )  # fmt: skip


def _table(data: Data, compared: Sequence[Compared]) -> Table:
    body = [
        [row.benchmark, size_words(row) or "-", data.title(row.mpi), row.variant, placement(row), row.profile,
         str(condition(row).threads), numbers.ratio_value(ratio), numbers.ratio_interval(ratio), str(ratio.n),
         ratio.words]
        for row, ratio in compared
    ]  # fmt: skip
    header = [
        "benchmark",
        "size",
        "MPI",
        "variant",
        "placement",
        "profile",
        "pairs",
        "speed",
        "95 % interval",
        "blocks",
        "",
    ]
    return Table(header, body, labels=6)
