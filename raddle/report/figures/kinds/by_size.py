# SPDX-License-Identifier: BSD-3-Clause
"""A value against message size: a panel for every MPI and condition, all with the same axes.

With one size there is nothing to draw a line through, and all would stand on top of each other: then it is dots."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from raddle.judge.points import placement
from raddle.model import NO_MPI, PHYSICAL, ResultRow
from raddle.report import numbers
from raddle.report.data import Data
from raddle.report.figures.kinds.dots import dots_panel, groups_by_mpi
from raddle.report.figures.kinds.line_panels import Lines, own_median
from raddle.report.figures.kinds.lines import Limit, Point
from raddle.report.figures.kinds.ticks import axis_unit
from raddle.report.figures.kinds.tracks import Reference, Track, TrackGroup
from raddle.report.figures.model import Panel, Series
from raddle.report.figures.suite import Chosen, Rows, everything, legend_of, physical
from raddle.report.params import series
from raddle.report.rows import Condition, condition, display_order, group, size, size_words
from raddle.units import format_bytes


@dataclass(frozen=True)
class BySize:
    """Lines of the rows of one benchmark, where they are of several sizes."""

    what: str
    of: Chosen = everything

    def __call__(self, data: Data, rows: Rows) -> list[Panel]:
        """The panels; none where there is one size."""
        own = self.of(data, rows)
        return size_panels(data, own, physical(data, own[0].benchmark), self.what) if several_sizes(own) else []


def several_sizes(rows: Iterable[ResultRow]) -> bool:
    """Whether there is anything to draw a line through."""
    return len({size(row) for row in rows}) > 1


def size_panels(data: Data, measured: Rows, physical: Rows, what: str) -> list[Panel]:
    """A panel for every MPI and condition of one benchmark; each profile has axes of its own, alike in all panels."""
    lines = Lines(what)
    clean = [row for row in measured if not condition(row).shared]
    shared = [row for row in measured if condition(row).shared]
    scenes = {flag: lines.scene(own) for flag, own in ((False, [*clean, *physical]), (True, shared)) if own}
    found = []
    for each in sorted(group(measured, condition)):
        for mpi in data.mpis:
            if own := [row for row in measured if row.mpi == mpi and condition(row) == each]:
                title = data.title(mpi) if each.words in ("", "1 pair") else f"{data.title(mpi)}, {each.words}"
                small = min(own, key=lambda row: (size(row), row.median))
                over = (
                    f"{len({size(row) for row in own})} sizes; "
                    f"at {format_bytes(size(small))} {series(small)} stands at {numbers.value(small)}."
                )
                limit = None if each.shared else _limit(data, own)
                found.append(lines.panel(title, scenes[each.shared], own, over, limit))
    return found


def _limit(data: Data, rows: Rows) -> Limit:
    bounds = {size(row): bound for row in rows if (bound := data.limit(row)) is not None}
    points = [Point(at, *own_median(bounds[at])) for at in sorted(bounds)]
    return Limit(points, side=1 if rows[0].better == "higher" else -1)


HOW_TO_READ_DOTS = (
    "the axis is logarithmic. Marker: median of the blocks. Bar: its 95 % interval; where n is too small for one, the "
    "marker is hollow. Ticks: the median of every block."
)


def panels_at_one_size(data: Data, rows: Rows, what: str) -> list[Panel]:
    """Of rows of one benchmark that have the same size; clean and oversubscribed rows never share an axis."""
    return [_dots(data, rows, each, what) for each in sorted(group(rows, condition))]


def _dots(data: Data, rows: Rows, each: Condition, what: str) -> Panel:
    here = [row for row in rows if condition(row) == each and row.mpi != NO_MPI]
    # A limit is measured with the machine to itself: it bounds nothing where threads wait for a CPU.
    limit = None if each.shared else next(filter(None, map(data.limit, rows)), None)
    shown = [*here, limit] if limit else here
    least = shown[0].better == "lower"
    best = (min if least else max)(shown, key=lambda row: row.median)
    unit, tick = axis_unit([row.median for row in shown], shown[0].unit)
    return dots_panel(
        ", ".join(filter(None, [each.words, size_words(shown[0])])),
        [*([TrackGroup("No MPI", [_track(limit)])] if limit else []), *groups_by_mpi(data, here, _track)],
        f"{what[:1].upper()}{what[1:]} in {len(shown)} rows; the {'lowest' if least else 'highest'} is "
        f"{numbers.value(best)}, {best.variant} on {data.title(best.mpi)}.",
        label=f"{what} ({unit})", tick=tick, room=(1.25, 1.35), shared=each.shared,
        reference=Reference(limit.median, beyond=-1 if least else 1) if limit else None,
    )  # fmt: skip


def _track(row: ResultRow) -> Track:
    where = f", {placement(row)}" if row.variant not in ("process", PHYSICAL) else ""
    return Track(row.variant, f"{row.variant}{where}", row.median, row.ci95, numbers.told(row), row.blocks)


def legend(rows: Sequence[ResultRow]) -> list[Series]:
    """The series of these rows, in the order of display; with their placement where lines differ by it.

    Processes are never in one; other placements than that have panels of their own.
    """
    differ = any(placement(row) == "one-process" for row in rows if row.variant != PHYSICAL)

    def entry(row: ResultRow) -> Series:
        return Series(series(row), placement(row) if differ and row.variant not in ("process", PHYSICAL) else "")

    return legend_of(rows, display_order, entry)
