# SPDX-License-Identifier: BSD-3-Clause
"""A value against the number of flows: lines where a machine has room for several numbers, bars in any case."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from raddle.judge.points import whole
from raddle.model import ResultRow
from raddle.report.data import Data
from raddle.report.figures.kinds.bar_panels import Bars
from raddle.report.figures.kinds.line_panels import Lines
from raddle.report.figures.model import Panel
from raddle.report.figures.suite import Chosen, Rows, Strand, everything, strands


@dataclass(frozen=True)
class Flows:
    """Lines over the number of flows; where only one number was measured, bars or, without `bars`, nothing."""

    label: str
    bars: bool = True
    of: Chosen = everything

    def __call__(self, data: Data, rows: Rows) -> Iterator[Panel]:
        """The panels of one strand after those of another."""
        for strand in strands(self.of(data, rows)):
            lines = list(self._lines(data, strand))
            yield from lines or (Bars(self.label)(data, strand.rows) if self.bars else ())

    def _lines(self, data: Data, strand: Strand) -> Iterator[Panel]:
        across = strand.condition.nouns
        lines = Lines(self.label, at=_flows, across=across, name=str)
        scene = lines.scene(strand.rows)
        if len(scene.sizes) < 2:
            return
        over = f"{', '.join(map(str, scene.sizes))} {across}."
        for mpi in data.mpis:
            if own := [row for row in strand.rows if row.mpi == mpi]:
                yield lines.panel(strand.title(data.title(mpi)), scene, own, over)


def _flows(row: ResultRow) -> int:
    return whole(row, "threads", 1)
