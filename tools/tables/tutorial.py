# SPDX-License-Identifier: BSD-3-Clause
"""What the steps of the tutorial bring: docs/use/tutorial.md."""

from __future__ import annotations

from typing import Any

from raddle.model import ResultRow
from raddle.report.params import way
from raddle.stats.order import median, median_interval
from raddle.units import format_ratio
from tables.cells import Rows, line, run
from tables.profiles import AS_IT_IS, PREDICTION, nested, readings

STEPS = "2026-11-25-tutorial-2core"
_STORY = {  # program, remedy: what the page calls it
    ("message-bound", "endpoints"): "endpoints, 8 B",
    ("bandwidth-bound", "endpoints"): "endpoints, 1 MB",
    ("compute-bound", "endpoints"): "endpoints, 8 B, and much to compute between them",
    ("tutorial as installed", "settings"): "settings, four threads on two cores",
}
_NAMES = ("slow", "settings", "lanes", "endpoints", "partitioned", "sparse")


def story() -> list[str]:
    """How many times as fast a program is after a step, its start and end included: pairs of launches of a block."""
    found = nested(readings(PREDICTION), "case", "mpi", "block", "way")
    mpis = sorted({mpi for cases in found.values() for mpi in cases})
    lines = [line("step", *mpis), "|" + "---|" * (1 + len(mpis))]
    for (case, remedy), name in _STORY.items():
        lines.append(line(name, *(_gain(found[case][mpi], remedy) for mpi in mpis)))
    return lines


def plate() -> list[str]:
    """Time of a step in time of the plate, and how many times as fast as by the way before."""
    its = run(STEPS)
    rows: dict[str, Rows] = {name: {mpi: _step(mpi, name) for mpi in its.mpis} for name in _NAMES}
    lines = its.head("time, and speed to the line above")
    previous: Rows | None = None
    for name, own in rows.items():
        lines.append(its.figures(name, of=own))
        if previous is not None:
            lines.append(its.ratios("", of=own, to=previous))
        previous = own
    return lines


def _step(mpi: str, name: str) -> ResultRow | None:
    found = [row for row in run(STEPS).find(mpi=mpi) if way(row) == name]
    return found[0] if found else None


def _gain(blocks: dict[int, dict[str, Any]], remedy: str) -> str:
    ratios = [
        each[AS_IT_IS]["seconds"] / each[remedy]["seconds"]
        for each in blocks.values()
        if AS_IT_IS in each and remedy in each
    ]
    interval = median_interval(ratios)
    value = format_ratio(median(ratios))
    if interval is None:
        return f"{value}, n too small"
    shown = "" if interval.lo > 1 or interval.hi < 1 else ", no difference shown"
    return f"{value} [{interval.lo:.2f}, {interval.hi:.2f}]{shown}"
