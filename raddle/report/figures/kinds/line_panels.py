# SPDX-License-Identifier: BSD-3-Clause
"""Panels of lines: a value of each row against another, a line for each series, one scene for what is compared."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from raddle.judge.points import placement
from raddle.model import ResultRow
from raddle.report.figures.kinds.lines import Limit, Line, Point, Scene, draw_lines, size_name
from raddle.report.figures.kinds.ticks import axis_unit, log_limits
from raddle.report.figures.model import Panel
from raddle.report.params import series
from raddle.report.rows import condition, display_order, group, size

# A value and its interval, if it has one.
Value = tuple[float, tuple[float, float] | None]


def own_median(row: ResultRow) -> Value:
    """The row's value."""
    return row.median, row.ci95


def in_one_process(row: ResultRow) -> bool:
    """Whether both sides are threads of one process."""
    return placement(row) == "one-process"


@dataclass(frozen=True)
class Lines:
    """How rows become lines: `value` against `at`, in the unit of the rows if no other is named."""

    label: str
    at: Callable[[ResultRow], int] = size
    value: Callable[[ResultRow], Value | None] = own_median
    unit: str | None = None
    # How a tick is written, where it is no value in a unit.
    tick: Callable[[float], str] | None = None
    across: str = "message size"
    name: Callable[[int], str] = size_name
    dashed: Callable[[ResultRow], bool] = in_one_process
    # Whether panels beside each other are of different quantities, so that their descriptions name it.
    named: bool = False
    # What lines are held against, and in whose colour that is drawn.
    rule: tuple[float, str] | None = None

    def scene(self, rows: Sequence[ResultRow]) -> Scene:
        """Axes that have room for all of these rows."""
        found = [value for row in rows if (value := self.value(row)) is not None]
        unit, tick = axis_unit([centre for centre, _ in found], rows[0].unit if self.unit is None else self.unit)
        drawn = [each for centre, interval in found for each in (centre, *(interval or ()))]
        return Scene(
            sizes=sorted({self.at(row) for row in rows}),
            limits=log_limits([*(self.rule or ())[:1], *drawn], 1.3, 1.3),
            label=self.label if self.tick or not unit else f"{self.label} ({unit})",
            tick=self.tick or tick,
            across=self.across,
            name=self.name,
            rule=self.rule,
        )

    def panel(
        self, title: str, scene: Scene, rows: Sequence[ResultRow], over: str, limit: Limit | None = None
    ) -> Panel:
        """One panel; `over` says in words what the lines run over, and what one of them has there."""
        lines = [
            Line(name, [Point(self.at(row), *value) for row in own if (value := self.value(row))], dashed=dashed)
            for (name, _, dashed), own in group(
                sorted(rows, key=lambda row: (display_order(row), self.at(row))),
                lambda row: (series(row), placement(row), self.dashed(row)),
            ).items()
        ]
        return Panel(
            title=title,
            draw=partial(draw_lines, scene=scene, lines=lines, limit=limit),
            description=f"{f'{self.label}, ' if self.named else ''}{len(lines)} series over {over}",
            shared=condition(rows[0]).shared,
        )
