# SPDX-License-Identifier: BSD-3-Clause
"""A value against the number of flows: lines where a machine has room for several numbers, bars in any case."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial

from raddle.judge.points import placement, whole
from raddle.model import ResultRow
from raddle.report.data import Data
from raddle.report.figures.bar_panels import Bars, bar_panels, plain_bar
from raddle.report.figures.bars import Bar
from raddle.report.figures.lines import Line, Point, Scene, draw_lines
from raddle.report.figures.model import Panel
from raddle.report.figures.suite import Strand, strands
from raddle.report.figures.ticks import axis_unit, log_limits
from raddle.report.params import series
from raddle.report.rows import condition, display_order, group


def flow_bars(
    data: Data, rows: Sequence[ResultRow], label: str, bar: Callable[[ResultRow], Bar] = plain_bar
) -> list[Panel]:
    """Variants side by side for every number of flows, as the paper draws them."""
    return list(bar_panels(data, rows, Bars(label, lambda row: condition(row).flows, bar)))


def flow_panels(data: Data, rows: Sequence[ResultRow], label: str) -> list[Panel]:
    """Lines where there are any, and bars for those rows that have none."""
    return [
        panel
        for strand in strands(rows)
        for panel in (flow_lines(data, strand.rows, label) or flow_bars(data, strand.rows, label))
    ]


def flow_lines(data: Data, rows: Sequence[ResultRow], label: str) -> list[Panel]:
    """Lines over the number of flows; a profile in which only one number was measured has none."""
    return [panel for strand in strands(rows) for panel in _panels(data, strand, label)]


def _panels(data: Data, strand: Strand, label: str) -> Iterator[Panel]:
    counts = sorted({whole(row, "threads", 1) for row in strand.rows})
    if len(counts) < 2:
        return
    unit, tick = axis_unit([row.median for row in strand.rows], strand.rows[0].unit)
    values = [value for row in strand.rows for value in (row.median, *(row.ci95 or ()))]
    across = strand.condition.nouns
    scene = Scene(counts, log_limits(values, 1.3, 1.3), f"{label} ({unit})", tick, across, str)
    for mpi in data.mpis:
        lines = [
            Line(name, [Point(whole(row, "threads", 1), row.median, row.ci95) for row in own], place == "one-process")
            for (name, place), own in group(
                sorted((row for row in strand.rows if row.mpi == mpi), key=_order),
                lambda row: (series(row), placement(row)),
            ).items()
        ]
        if lines:
            yield Panel(
                title=strand.title(data.title(mpi)),
                draw=partial(draw_lines, scene=scene, lines=lines),
                description=f"{len(lines)} series over {', '.join(map(str, counts))} {across}.",
                shared=strand.condition.shared,
            )


def _order(row: ResultRow) -> tuple[object, ...]:
    return (display_order(row), whole(row, "threads", 1))
