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
from raddle.report.figures.kinds.bars import Bar, bar_limits, draw_bars
from raddle.report.figures.kinds.ticks import axis_unit, log_limits
from raddle.report.figures.kinds.tracks import TrackGroup, draw_tracks, height, tracks_panel
from raddle.report.figures.model import Panel
from raddle.report.figures.suite import Chosen, Rows, Strand, everything, flows, strands
from raddle.report.params import series, way, work_rank
from raddle.report.rows import condition, display_order, group, size

# Above it the short bars are too short to tell from nothing.
_DECADE = 12


def placed(row: ResultRow) -> str:
    """How it was done, and that it was done in one process where it was."""
    return f"{way(row)}, in one process" if placement(row) == "one-process" else way(row)


def plain_bar(data: Data, row: ResultRow, label: Callable[[ResultRow], str] = placed) -> Bar:
    """The row's own median."""
    return Bar(series(row), label(row), row.median, row.ci95, numbers.told(row))


@dataclass(frozen=True)
class Bars:
    """How rows become bars. `unit` is that of what `bar` makes of a row, if that is not the row's value."""

    label: str
    heading: Callable[[ResultRow], str] = flows
    bar: Callable[[Data, ResultRow], Bar | None] = plain_bar
    unit: str | None = None
    # Parameters that may differ on one axis.
    beside: Sequence[str] = ()
    # Also where some are too short to be seen, because they are made of parts.
    from_zero: bool = False
    of: Chosen = everything

    def __call__(self, data: Data, rows: Rows) -> Iterator[Panel]:
        """A panel for every strand and MPI, its bars grouped under headings; all panels of a strand have one axis."""
        for strand in strands(self.of(data, rows), self.beside):
            bars = {id(row): bar for row in strand.rows if (bar := self.bar(data, row)) is not None}
            drawn = sorted((row for row in strand.rows if id(row) in bars), key=_order)
            grouped = {
                mpi: [
                    TrackGroup(name, [bars[id(row)] for row in some]) for name, some in group(own, self.heading).items()
                ]
                for mpi in data.mpis
                if (own := [row for row in drawn if row.mpi == mpi])
            }
            if not grouped:
                continue
            draw = self.drawing(list(bars.values()), strand)
            tall = max(map(height, grouped.values()))
            for mpi, groups in grouped.items():
                yield bars_panel(strand.title(data.title(mpi)), groups, draw, strand, tall)

    def drawing(self, bars: Sequence[Bar], strand: Strand) -> Callable[..., None]:
        """From zero if that leaves every bar long enough to be seen, else as dots on a logarithmic axis."""
        unit = strand.rows[0].unit if self.unit is None else self.unit
        unit, tick = axis_unit([abs(bar.centre) for bar in bars], unit)
        label = f"{self.label} ({unit})" if unit else self.label
        values = [value for bar in bars for value in (bar.centre, *bar.marks, *(bar.interval or ()))]
        if min(values) > 0 and max(values) > _DECADE * min(values) and not self.from_zero:
            return partial(draw_tracks, limits=log_limits(values, 1.25, 1.25), label=label, tick=tick)
        return partial(draw_bars, limits=bar_limits(bars), label=label, tick=tick)


def bars_panel(
    title: str, groups: Sequence[TrackGroup], draw: Callable[..., None], strand: Strand, tall: float
) -> Panel:
    """A panel of bars or dots, so many inches high, which says in words all that it shows."""
    last = replace(groups[-1], space=max(0.0, tall - height(groups)))
    words = " ".join(
        f"{group.heading}: {', '.join(f'{track.label} {track.text}' for track in group.tracks)}." for group in groups
    )
    panel = tracks_panel(title, draw, [*groups[:-1], last], words, shared=strand.condition.shared)
    # All of a row are of exactly one height: sums of the same parts are not.
    return replace(panel, height=max(tall, height(groups)))


def _order(row: ResultRow) -> tuple[object, ...]:
    return (condition(row).threads, work_rank(row), size(row), display_order(row))
