# SPDX-License-Identifier: BSD-3-Clause
"""Panels of bars as the papers draw them: a panel for every MPI, headings in it, a bar for every variant."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

from raddle.judge.points import placement
from raddle.model import ResultRow
from raddle.report import numbers
from raddle.report.data import Data
from raddle.report.figures.bars import Bar, bar_limits, draw_bars
from raddle.report.figures.model import Panel
from raddle.report.figures.suite import Strand, strands
from raddle.report.figures.ticks import axis_unit, log_limits
from raddle.report.figures.tracks import MARGINS, TrackGroup, draw_tracks, height
from raddle.report.params import series, way, work_rank
from raddle.report.rows import condition, display_order, group, size

# Above it the short bars are too short to tell from nothing.
_DECADE = 12


@dataclass(frozen=True)
class Bars:
    """How rows become bars. `unit` is that of what `bar` makes of a row, if that is not the row's value."""

    label: str
    heading: Callable[[ResultRow], str]
    bar: Callable[[ResultRow], Bar | None]
    unit: str | None = None
    beside: Sequence[str] = ()
    # Also where some are too short to be seen, because they are made of parts.
    from_zero: bool = False


def bar_panels(data: Data, rows: Sequence[ResultRow], how: Bars) -> Iterator[Panel]:
    """A panel for every strand and MPI, its bars grouped under headings; all panels of a strand have one axis."""
    for strand in strands(rows, how.beside):
        bars = {id(row): bar for row in strand.rows if (bar := how.bar(row)) is not None}
        own = {mpi: [row for row in strand.rows if row.mpi == mpi and id(row) in bars] for mpi in data.mpis}
        grouped = {
            mpi: [TrackGroup(name, [bars[id(row)] for row in some]) for name, some in group(rows, how.heading).items()]
            for mpi, found in own.items()
            if (rows := sorted(found, key=_order))
        }
        if not grouped:
            continue
        draw = drawing(list(bars.values()), how, strand)
        tall = max(map(height, grouped.values()))
        for mpi, groups in grouped.items():
            yield tracks_panel(strand.title(data.title(mpi)), groups, draw, strand, tall)


def tracks_panel(
    title: str, groups: Sequence[TrackGroup], draw: Callable[..., None], strand: Strand, tall: float = 0.0
) -> Panel:
    """A panel of bars or dots, at least so many inches high."""
    last = replace(groups[-1], space=max(0.0, tall - height(groups)))
    return Panel(
        title=title,
        draw=partial(draw, groups=[*groups[:-1], last]),
        description=described(groups),
        height=max(tall, height(groups)),
        margins=MARGINS,
        shared=strand.condition.shared,
    )


def drawing(bars: Sequence[Bar], how: Bars, strand: Strand) -> Callable[..., None]:
    """From zero if that leaves every bar long enough to be seen, else as dots on a logarithmic axis."""
    unit, tick = axis_unit([abs(bar.centre) for bar in bars], strand.rows[0].unit if how.unit is None else how.unit)
    label = f"{how.label} ({unit})" if unit else how.label
    values = [value for bar in bars for value in (bar.centre, *bar.marks, *(bar.interval or ()))]
    if min(values) > 0 and max(values) > _DECADE * min(values) and not how.from_zero:
        return partial(draw_tracks, limits=log_limits(values, 1.25, 1.25), label=label, tick=tick)
    return partial(draw_bars, limits=bar_limits(bars), label=label, tick=tick)


def plain_bar(row: ResultRow) -> Bar:
    """The row's own median."""
    return Bar(series(row), placed(row), row.median, row.ci95, numbers.told(row))


def placed(row: ResultRow) -> str:
    """How it was done, and that it was done in one process where it was."""
    return f"{way(row)}, in one process" if placement(row) == "one-process" else way(row)


def described(groups: Sequence[TrackGroup]) -> str:
    """All that a panel of bars or dots says, for those who cannot see it."""
    return " ".join(
        f"{group.heading}: {', '.join(f'{track.label} {track.text}' for track in group.tracks)}." for group in groups
    )


def _order(row: ResultRow) -> tuple[object, ...]:
    return (condition(row).threads, work_rank(row), size(row), display_order(row))
