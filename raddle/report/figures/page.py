# SPDX-License-Identifier: BSD-3-Clause
"""A page of a suite as data: of what it is, how that is drawn, what is said of it, and which numbers stand below."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from raddle.report.data import Data
from raddle.report.figures.model import Figure, Front, Panel, Series, Table
from raddle.report.figures.suite import Rows, at_headline, measured
from raddle.report.figures.tables import Column, suite_table

# What makes panels of some of a page's rows: `Bars`, `Flows`, `BySize`, or a function where there is no such kind.
Drawing = Callable[[Data, Rows], Iterable[Panel]]


@dataclass(frozen=True)
class Page:
    """All functions are given every row of the benchmarks but the limits; `finding` those at the headline sizes."""

    benchmarks: Sequence[str]
    name: str
    heading: str
    # Said of the headline rows, where it depends on them.
    how_to_read: str | Callable[[Rows], str]
    finding: Callable[[Data, Rows], str]
    panels: Sequence[Drawing]
    # What lists call it; if empty, what stands before the first point of its heading.
    short: str = ""
    columns: Sequence[Column] = ()
    table: Callable[[Data, Rows, Sequence[Column]], Table] = suite_table
    legend: Callable[[Data, Rows], list[Series]] = lambda data, rows: []
    fronts: Callable[[Data, Rows], Iterable[Front]] = lambda data, rows: []

    def build(self, data: Data) -> Figure | None:
        """The figure, or none when nothing of it was measured."""
        rows = [row for name in self.benchmarks for row in measured(data, name)]
        if not rows:
            return None
        shown = at_headline(data, rows)
        return Figure(
            name=self.name,
            heading=self.heading,
            short=self.short or self.heading.partition(".")[0],
            finding=self.finding(data, shown),
            how_to_read=self.how_to_read if isinstance(self.how_to_read, str) else self.how_to_read(shown),
            panels=[panel for draw in self.panels for panel in draw(data, rows)],
            table=self.table(data, rows, self.columns),
            benchmarks=list(dict.fromkeys(row.benchmark for row in rows)),
            legend=self.legend(data, rows),
            fronts=list(self.fronts(data, rows)),
        )


@dataclass(frozen=True)
class Made:
    """A page that a function makes, where what it says has no such form."""

    benchmarks: Sequence[str]
    build: Callable[[Data], Figure | None]
