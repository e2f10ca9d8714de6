# SPDX-License-Identifier: BSD-3-Clause
"""Numbers that pages quote from runs in docs/results are those of the runs."""

from __future__ import annotations

import sys
from collections import Counter
from functools import cache
from pathlib import Path

from raddle.judge.points import speed
from raddle.report.data import Data
from raddle.report.load import load

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "tools"))


DOCS = ROOT / "docs"
SUITE = "2026-11-26-thakur-gropp-2core"


@cache
def run(name: str) -> Data:
    return load(DOCS / "results" / name)


def test_lanes_are_told_of_at_every_point_that_has_both() -> None:
    rows = {(row.benchmark, row.mpi, row.profile, str(sorted(row.params.items())), row.variant): row
            for row in run(SUITE).rows}  # fmt: skip
    pairs = [(row, rows.get((*key[:-1], "thread"))) for key, row in rows.items() if key[-1] == "lane"]
    found = [(its, row) for row, other in pairs if other is not None and (its := speed(row, other)) is not None]
    shown = [its.estimate for its, _ in found if its.shown]
    faster, slower = sum(each > 1 for each in shown), sum(each < 1 for each in shown)
    counts = Counter(its.words for its, _ in found)
    said = " ".join((DOCS / "use" / "lanes.md").read_text(encoding="utf-8").split())
    assert f"has {len(found)} points with both" in said
    assert f"At {faster} of them lanes are shown to be faster, at {slower} slower" in said
    assert f"At {counts['no difference shown']} no difference is shown, and {counts['n too small']} have" in said
