# SPDX-License-Identifier: BSD-3-Clause
"""E3: the exchange of an FFT, speed against one thread that communicates."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from raddle.model import ResultRow
from raddle.report import numbers
from raddle.report.data import Data
from raddle.report.figures.claims import claims
from raddle.report.figures.endpoints.master import ENDPOINTS, MASTER, to_master
from raddle.report.figures.endpoints.shares import shares_front
from raddle.report.figures.kinds.by_size import legend, size_panels
from raddle.report.figures.kinds.line_panels import Lines, Value
from raddle.report.figures.kinds.ticks import ratio_tick
from raddle.report.figures.model import Panel
from raddle.report.figures.page import Page
from raddle.report.figures.suite import Rows, at_headline
from raddle.report.figures.tables import ratio_column
from raddle.report.params import series
from raddle.report.rows import condition, size
from raddle.units import format_bytes

_BANDWIDTH = replace(
    ENDPOINTS, says="at {size} ({where}) endpoints multiply the bandwidth of a master thread by {ratios}"
)


def _compared(data: Data, rows: Rows) -> Rows:
    """The rows that can be held against a master; all where none can."""
    return [row for row in rows if to_master(data, row) is not None] or rows


def _panels(data: Data, rows: Rows) -> Iterator[Panel]:
    """One for every MPI and condition; each profile has axes of its own, alike in all panels."""
    ratios = {id(row): its for row in rows if (its := to_master(data, row)) is not None}
    if not ratios:
        yield from size_panels(data, rows, [], "bandwidth")
        return

    def speed(row: ResultRow) -> Value:
        its = ratios[id(row)]
        return its.estimate, its.interval

    lines = Lines("speed to master", value=speed, tick=ratio_tick, across="size of a block", rule=(1.0, MASTER))
    compared = [row for row in rows if id(row) in ratios]
    for each in sorted({condition(row) for row in compared}):
        scene = lines.scene([row for row in compared if condition(row).shared == each.shared])
        for mpi in data.mpis:
            if own := [row for row in compared if row.mpi == mpi and condition(row) == each]:
                best = max(own, key=lambda row: ratios[id(row)].estimate)
                over = (
                    f"{len({size(row) for row in own})} sizes; the highest is "
                    f"{numbers.ratio_text(ratios[id(best)])}, {series(best)} at {format_bytes(size(best))}."
                )
                yield lines.panel(f"{data.title(mpi)}, {each.words}", scene, own, over)


PAGE = Page(
    benchmarks=["fft_exchange"],
    name="e3-fft-exchange",
    heading="E3. Exchange of an FFT",
    how_to_read=(
        "A volume that stays the same goes from all contexts to all contexts, in blocks of each size. Speed as a "
        "multiple of what is reached where one thread of each process communicates for all (master, the line at 1): "
        "above it is faster. Ratios are paired block by block. Line: median; band: 95 % interval. Dashed: the contexts "
        "are threads of one process, and the master those of two. Without a master the bandwidth itself is drawn."
    ),
    finding=claims(_BANDWIDTH, otherwise="Bandwidth by variant"),
    panels=[_panels],
    columns=[ratio_column("speed to master", to_master)],
    legend=lambda data, rows: legend(_compared(data, rows)),
    fronts=lambda data, rows: shares_front(data, at_headline(data, rows)),
)
