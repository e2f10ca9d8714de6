# SPDX-License-Identifier: BSD-3-Clause
"""A benchmark against message size: a panel for every MPI and condition, all with the same axes.

With one size there is nothing to draw a line through, and all would stand on top of each other: then it is dots."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from raddle.judge.points import placement
from raddle.model import NO_MPI, PHYSICAL, ResultRow
from raddle.report import numbers
from raddle.report.data import Data
from raddle.report.figures.at_one_size import HOW_TO_READ, panels_at_one_size
from raddle.report.figures.findings import most_telling
from raddle.report.figures.lines import Limit, Line, Point, Scene, draw_lines
from raddle.report.figures.model import Figure, Panel, Series, Table
from raddle.report.figures.ticks import axis_unit, log_limits
from raddle.report.params import series
from raddle.report.rows import Condition, condition, display_order, group, size
from raddle.results.row_states import blocks_shown
from raddle.units import format_bytes


def by_size(
    data: Data, benchmark: str, *, name: str, heading: str, what: str, limit: str, short: str = ""
) -> Figure | None:
    """The figure of one benchmark; none without rows. `what` is the metric in words, `limit` what bounds it."""
    rows = [row for row in data.rows if row.benchmark == benchmark]
    measured = [row for row in rows if row.mpi in data.mpis]
    if not measured:
        return None
    physical = sorted((row for row in rows if row.variant == PHYSICAL and row not in measured), key=size)
    better = "lower" if measured[0].better == "lower" else "higher"
    if len({size(row) for row in measured}) == 1:
        panels = panels_at_one_size(data, measured, what)
        side = "left" if better == "lower" else "right"
        how_to_read = f"Further {side} is better; {HOW_TO_READ} Grey field: beyond {limit}, measured in the same run."
    else:
        panels = size_panels(data, measured, physical, what)
        how_to_read = (
            f"{better.capitalize()} is better; both axes are logarithmic. Line: median of the blocks. Band: its 95 % "
            "interval; where n is too small for one, markers are hollow. Solid: the two sides are processes of one "
            f"node; dashed: threads of one process. Grey field: beyond {limit}, measured in the same run."
        )
    return Figure(
        name=name,
        heading=heading,
        short=short or heading,
        finding=most_telling(data, data.headline(benchmark), what),
        how_to_read=how_to_read,
        panels=panels,
        table=_table(data, [*measured, *physical]),
        benchmarks=[benchmark],
        legend=legend([*measured, *physical]),
    )


def size_panels(data: Data, measured: Sequence[ResultRow], physical: Sequence[ResultRow], what: str) -> list[Panel]:
    """A panel for every MPI and condition of one benchmark; each profile has axes of its own, alike in all panels."""
    clean = [row for row in measured if not condition(row).shared]
    shared = [row for row in measured if condition(row).shared]
    scenes = {flag: _scene(own, what) for flag, own in ((False, [*clean, *physical]), (True, shared)) if own}
    return [
        _panel(data, scenes[each.shared], mpi, each, own)
        for each in sorted(group(measured, condition))
        for mpi in data.mpis
        if (own := [row for row in measured if row.mpi == mpi and condition(row) == each])
    ]


def _scene(rows: Sequence[ResultRow], what: str) -> Scene:
    values = [value for row in rows for value in (row.median, *(row.ci95 or ()))]
    unit, tick = axis_unit([row.median for row in rows], rows[0].unit)
    return Scene(
        sizes=sorted({size(row) for row in rows}),
        limits=log_limits(values, 1.3, 1.3),
        label=f"{what} ({unit})",
        tick=tick,
    )


def _panel(data: Data, scene: Scene, mpi: str, each: Condition, rows: Sequence[ResultRow]) -> Panel:
    lines = [
        Line(name, [_point(row) for row in own], dashed=place == "one-process")
        for (name, place), own in group(
            sorted(rows, key=display_order), lambda row: (series(row), placement(row))
        ).items()
    ]
    bounds = {size(row): bound for row in rows if (bound := data.limit(row)) is not None}
    limit = Limit([_point(bounds[at]) for at in sorted(bounds)], side=1 if rows[0].better == "higher" else -1)
    small = min(rows, key=lambda row: (size(row), row.median))
    return Panel(
        title=data.title(mpi) if each.words in ("", "1 pair") else f"{data.title(mpi)}, {each.words}",
        draw=partial(draw_lines, scene=scene, lines=lines, limit=None if each.shared else limit),
        description=f"{len(lines)} series over {len({size(row) for row in rows})} sizes; "
        f"at {format_bytes(size(small))} {series(small)} stands at {numbers.value(small)}.",
        shared=each.shared,
    )


def _point(row: ResultRow) -> Point:
    return Point(size(row), row.median, row.ci95)


def legend(rows: Sequence[ResultRow]) -> list[Series]:
    """The series of these rows, in the order of display; with their placement where lines differ by it.

    Processes are never in one; other placements than that have panels of their own.
    """
    differ = any(placement(row) == "one-process" for row in rows if row.variant != PHYSICAL)
    found: dict[tuple[str, str], None] = {}
    for row in sorted(rows, key=display_order):
        found[series(row), placement(row) if differ and row.variant not in ("process", PHYSICAL) else ""] = None
    return [Series(name, place) for name, place in found]


def _table(data: Data, rows: Sequence[ResultRow]) -> Table:
    places = {mpi: place for place, mpi in enumerate([*data.mpis, NO_MPI])}
    body = [
        [data.title(row.mpi), row.variant, placement(row), row.profile, str(condition(row).threads),
         format_bytes(size(row)), numbers.value(row), numbers.interval(row),
         str(len(blocks_shown(row))), str(len(row.samples))]
        for row in sorted(rows, key=lambda row: (condition(row), places[row.mpi], display_order(row)))
    ]  # fmt: skip
    header = ["MPI", "variant", "placement", "profile", "pairs", "size", "median", "95 % interval", "blocks", "samples"]
    return Table(header, body, labels=4)
