# SPDX-License-Identifier: BSD-3-Clause
"""When enough blocks have been measured: every ratio that a verdict rests on has a narrow interval."""

from __future__ import annotations

from collections.abc import Iterable

from raddle.model import ResultRow
from raddle.plan.points import NO_MPI
from raddle.stats.ratio import Ratio, paired_ratio

_REFERENCE = "process"


def headline_ratios(rows: Iterable[ResultRow]) -> list[Ratio | None]:
    """Each variant against processes doing the same work on the same MPI (or against the first, without processes).

    None stands for a ratio that cannot be told yet, since no block has both.
    """
    works: dict[tuple[object, ...], list[ResultRow]] = {}
    for row in rows:
        if row.mpi != NO_MPI:
            work = tuple((name, row.params[name]) for name in ("bytes", "threads", "window") if name in row.params)
            works.setdefault((row.mpi, row.benchmark, row.profile, row.metric, work), []).append(row)
    ratios: list[Ratio | None] = []
    for same in works.values():
        reference = next((row for row in same if row.variant == _REFERENCE), same[0])
        others = (row for row in same if row is not reference)
        ratios += [paired_ratio(_by_block(row), _by_block(reference)) for row in others]
    return ratios


def is_narrow(ratio: Ratio | None, half_width: float) -> bool:
    """Whether the ratio is known to `half_width` of itself."""
    if ratio is None or ratio.interval is None:
        return False
    lo, hi = ratio.interval
    return hi - lo <= 2 * half_width * ratio.estimate


def _by_block(row: ResultRow) -> dict[int, float]:
    return dict(zip(row.block_ids, row.blocks, strict=True))
