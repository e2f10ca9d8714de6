# SPDX-License-Identifier: BSD-3-Clause
"""Numbers that pages quote from runs in docs/results are those of the runs."""

from __future__ import annotations

from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from raddle.compare_points import speed
from raddle.model import ResultRow
from raddle.report import numbers
from raddle.report.data import Data
from raddle.report.load import load
from raddle.report.params import way, way_rank
from raddle.stats.ratio import Ratio

DOCS = Path(__file__).parents[2] / "docs"
TUTORIAL = "2026-11-23-tutorial-2core"
SUITE = "2026-11-22-thakur-gropp-2core"
STEPS = ("slow", "settings", "lanes", "endpoints", "partitioned", "sparse")


@cache
def run(name: str) -> Data:
    return load(DOCS / "results" / name)


def steps(mpi: str) -> list[ResultRow]:
    found = sorted((row for row in run(TUTORIAL).rows if row.mpi == mpi), key=way_rank)
    assert tuple(map(way, found)) == STEPS
    return found


def told(its: Ratio | None) -> str:
    assert its is not None
    return numbers.ratio_text(its) + ("" if its.shown else f", {its.words}")


def lines(page: str, first: str) -> list[list[str]]:
    """Tables of the page, line by line, whose first cell begins so."""
    text = (DOCS / page).read_text(encoding="utf-8")
    return [line.strip("| ").split(" | ") for line in text.splitlines() if line.startswith(f"| {first}, ")]


@pytest.mark.parametrize("number", range(len(STEPS)))
def test_the_tutorials_tables_are_those_of_its_run(number: int) -> None:
    """The first has times and speeds to step 0, the second speeds to the step before."""
    mpis = ("intel", "mpich", "openmpi")
    first, *second = lines("tutorial.md", f"{number}")
    times = {mpi: numbers.told(steps(mpi)[number]) for mpi in mpis}
    if number == 0:
        assert first == ["0, slow", *times.values()]
        assert second == []
        return
    to_first = {mpi: told(speed(steps(mpi)[number], steps(mpi)[0])) for mpi in mpis}
    before = [told(speed(steps(mpi)[number], steps(mpi)[number - 1])) for mpi in mpis]
    assert first[1:] == [f"{times[mpi]}; {to_first[mpi]}" for mpi in mpis]
    assert [each[1:] for each in second] == [before]


def test_lanes_are_told_of_at_every_point_that_has_both() -> None:
    rows = {(row.benchmark, row.mpi, row.profile, str(sorted(row.params.items())), row.variant): row
            for row in run(SUITE).rows}  # fmt: skip
    pairs = [(row, rows.get((*key[:-1], "thread"))) for key, row in rows.items() if key[-1] == "lane"]
    found = [(its, row) for row, other in pairs if other is not None and (its := speed(row, other)) is not None]
    faster = [row.mpi for its, row in found if its.shown and its.estimate > 1]
    counts = Counter(its.words for its, _ in found)
    said = " ".join((DOCS / "lanes.md").read_text(encoding="utf-8").split())
    assert f"has {len(found)} points with both" in said
    assert f"At {len(faster)} of them lanes are shown to be faster, at {faster.count('intel')} of these" in said
    assert counts["difference shown"] == len(faster) + 1
    assert f"At {counts['no difference shown']} no difference is shown, and {counts['n too small']} have" in said
