# SPDX-License-Identifier: BSD-3-Clause
"""What a figure is: a finding, some panels that can be drawn anywhere, the numbers in them, the command behind them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from matplotlib.axes import Axes

# Where Raddle's partitioned sends are kept from the receiver's buffer: stands for a placement.
IN_MESSAGES = "in messages"


@dataclass(frozen=True)
class Series:
    """One line of the legend: a variant, and where its two sides live when that tells two series apart."""

    variant: str
    placement: str = ""

    @property
    def dashed(self) -> bool:
        return self.placement in ("one-process", IN_MESSAGES)

    @property
    def label(self) -> str:
        return f"{self.variant}, {self.placement}" if self.placement else self.variant


@dataclass(frozen=True)
class Margins:
    """Inches around the axes, for ticks and labels. Given and not computed: axes side by side line up, and Matplotlib's
    layout engines would draw everything twice to find out what a look at the figure tells."""

    left: float = 0.6
    bottom: float = 0.47
    right: float = 0.08
    top: float = 0.06


@dataclass(frozen=True)
class Panel:
    """One set of axes. The page lays panels out by its width, the files in `plots/` put them side by side."""

    title: str
    draw: Callable[[Axes], None]
    # What a person who cannot see the panel is told instead.
    description: str
    # Inches. Text is 8.5 points at this width, so a narrow panel is what a phone can show.
    width: float = 3.7
    height: float = 2.9
    # Profile 'shared' is never on one axis with 'clean', and says what it is.
    shared: bool = False
    margins: Margins = Margins()


@dataclass(frozen=True)
class Table:
    """The numbers of a figure; the first `labels` columns are words, the others are aligned right."""

    header: list[str]
    rows: list[list[str]]
    labels: int


@dataclass(frozen=True)
class Front:
    """A table that is part of the finding and not only its numbers: shown open, above the panels."""

    caption: str
    table: Table


@dataclass(frozen=True)
class Figure:
    """One finding. `name` is unique, a file name and an HTML id."""

    name: str
    heading: str
    # The heading in one word, for the page's navigation.
    short: str
    finding: str
    how_to_read: str
    panels: list[Panel]
    table: Table
    benchmarks: list[str]
    legend: list[Series] = field(default_factory=list)
    fronts: list[Front] = field(default_factory=list)
    # It holds benchmarks against each other: where a run has several, it has a page of its own.
    across: bool = False
