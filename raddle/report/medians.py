# SPDX-License-Identifier: BSD-3-Clause
"""The medians at the headline sizes, laid out like the matrix: variant x MPI, one unit a part."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from raddle.judge.points import placement
from raddle.model import NO_MPI, PHYSICAL, ResultRow
from raddle.report.data import Data
from raddle.report.numbers import pretty_unit, scaled
from raddle.report.params import series, way
from raddle.report.rows import Condition, condition, display_order, work_words
from raddle.results.row_states import in_state
from raddle.units import Scale, scale_for


@dataclass(frozen=True)
class Line:
    """One variant or other way; cells run parallel to `Data.mpis`. `series` is what it looks like in figures."""

    label: str
    series: str
    cells: list[str]


@dataclass(frozen=True)
class Part:
    """The lines of one benchmark under one condition in one placement."""

    heading: str
    shared: bool
    lines: list[Line]


def medians(data: Data, state: str = "") -> list[Part]:
    """All parts, clean ones first; of one state of the machine where it was in several."""
    parts = [
        _part(data, benchmark, each, place, state)
        for benchmark in data.benchmarks
        for each in sorted({condition(row) for row in data.headline(benchmark)})
        for place in _places(data, benchmark, each)
    ]
    return sorted(parts, key=lambda part: part.shared)


def _places(data: Data, benchmark: str, each: Condition) -> list[str]:
    rows = [row for row in data.headline(benchmark) if condition(row) == each]
    return sorted({placement(row) for row in rows})


def _part(data: Data, benchmark: str, each: Condition, place: str, state: str) -> Part:
    rows = [row for row in data.headline(benchmark) if condition(row) == each]
    own = [row for row in rows if placement(row) == place]
    scale = scale_for(max(row.median for row in own), own[0].unit)
    lines = [
        Line(label, look, [_cell(own, mpi, label, scale, state) for mpi in data.mpis])
        for label, look in dict.fromkeys((way(row), series(row)) for row in sorted(own, key=display_order))
    ]
    told = [work_words(own[0])] if place in each.words else [work_words(own[0]), place]
    heading = f"{benchmark} {', '.join(filter(None, told))} ({pretty_unit(scale.label)})"
    limit = None if each.shared or data.mpis == [NO_MPI] else next(filter(None, map(data.limit, own)), None)
    if limit is not None and (limit := in_state(limit, state)) is not None:
        heading += f", {PHYSICAL} {scaled(limit, scale)}"
    return Part(heading, each.shared, lines)


def _cell(rows: Sequence[ResultRow], mpi: str, label: str, scale: Scale, state: str) -> str:
    row = next((row for row in rows if (row.mpi, way(row)) == (mpi, label)), None)
    own = in_state(row, state) if row else None
    return scaled(own, scale) if own else "-"
