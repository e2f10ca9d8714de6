# SPDX-License-Identifier: BSD-3-Clause
"""Titles that state what was found, from the data: the comparison that tells most, with its interval."""

from __future__ import annotations

import math
from collections.abc import Sequence

from raddle.compare_points import placement
from raddle.model import ResultRow
from raddle.report.data import Data
from raddle.report.numbers import ratio_text
from raddle.report.rows import condition, size
from raddle.stats.ratio import Ratio
from raddle.units import format_bytes

Found = tuple[Ratio, ResultRow]


def most_telling(data: Data, rows: Sequence[ResultRow], what: str) -> str:
    """Where threads on one communicator differ most from processes, and what lanes make of it there.

    Clean rows come first: a title must not rest on what the scheduler of an oversubscribed machine did.
    """
    clean = [row for row in rows if not condition(row).shared] or list(rows)
    found = _against_processes(data, clean, "thread")
    if not found:
        return f"{what.capitalize()} by variant and MPI"
    shown = [pair for pair in found if pair[0].shown]
    if not shown:
        too_small = any(ratio.interval is None for ratio, _ in found)
        return f"{what.capitalize()}: {'n too small to show a difference' if too_small else 'no difference shown'}"
    ratio, row = max(shown, key=lambda pair: abs(math.log(pair[0].estimate)))
    where = f"{data.title(row.mpi)}, {placement(row)}"
    sentence = f"At {format_bytes(size(row))} threads {_compared(ratio, row, what)} ({where})"
    for lanes, other in _against_processes(data, clean, "lane"):
        if (other.mpi, other.params) == (row.mpi, row.params):
            return f"{sentence}; with lanes {ratio_text(_as_told(lanes, other))}"
    return sentence


def _against_processes(data: Data, rows: Sequence[ResultRow], variant: str) -> list[Found]:
    """Speed of every row of a variant as a multiple of processes doing the same work."""
    own = [row for row in rows if row.variant == variant]
    return [(ratio, row) for row in own if (ratio := data.speed(row, data.process(row))) is not None]


def _compared(ratio: Ratio, row: ResultRow, what: str) -> str:
    told = ratio_text(_as_told(ratio, row))
    if row.better == "lower":
        return f"take {told} as long as processes"
    return f"reach {told} of the {what} of processes"


def _as_told(speed: Ratio, row: ResultRow) -> Ratio:
    """A sentence about a time compares times, although tables compare speeds."""
    return speed.inverse() if row.better == "lower" else speed
