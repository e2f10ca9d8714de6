# SPDX-License-Identifier: BSD-3-Clause
"""Titles that state what was found, from the data: the comparison that tells most, with its interval."""

from __future__ import annotations

import math
from collections.abc import Sequence

from raddle.compare_points import placement, ratio
from raddle.model import ResultRow
from raddle.report.data import Data
from raddle.report.rows import condition, size
from raddle.stats.ratio import Ratio
from raddle.units import format_bytes
from raddle.wording import alternative, compared

Found = tuple[Ratio, ResultRow]


def most_telling(data: Data, rows: Sequence[ResultRow], what: str) -> str:
    """Where threads on one communicator differ most surely from processes, and what lanes make of it there.

    Clean rows come first: a title must not rest on what the scheduler of an oversubscribed machine did.
    """
    clean = [row for row in rows if not condition(row).shared] or list(rows)
    found = _against_processes(data, clean, "thread")
    if not found:
        return f"{what.capitalize()} by variant and MPI"
    its, row = max(found, key=lambda pair: _surely(pair[0]))
    if not its.shown:
        too_small = all(each.interval is None for each, _ in found)
        return f"{what.capitalize()}: {'n too small to show a difference' if too_small else 'no difference shown'}"
    sentence = f"At {format_bytes(size(row))} {compared('threads', 'processes', what, row.better, its)}"
    for lanes, other in _against_processes(data, clean, "lane"):
        if (other.mpi, other.params) == (row.mpi, row.params):
            sentence += f"; {alternative('lanes', 'take' if row.better == 'lower' else 'bring', lanes)}"
    return f"{sentence} ({data.title(row.mpi)}, {placement(row)})"


def _against_processes(data: Data, rows: Sequence[ResultRow], variant: str) -> list[Found]:
    """Every row of a variant as a multiple, as measured, of processes doing the same work."""
    own = [(row, data.process(row)) for row in rows if row.variant == variant]
    return [(its, row) for row, process in own if process is not None and (its := ratio(row, process)) is not None]


def _surely(its: Ratio) -> float:
    """How far from 1 the near end of the interval is: a wide interval far away tells less than a narrow one nearby."""
    if not its.shown or its.interval is None:
        return 0.0
    return min(abs(math.log(end)) for end in its.interval)
