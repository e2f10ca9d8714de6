# SPDX-License-Identifier: BSD-3-Clause
"""Model, simulation and measurement of the same exchange, side by side."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from raddle.model import ResultRow
from raddle.results.rows import read_results, results_file
from raddle.scale.prediction import Prediction
from raddle.scale.simulate import Simulated
from raddle.scale.workload import Workload


def overlap(
    prediction: Prediction, simulated: Sequence[Simulated], measured: Path | None, mpi: str | None
) -> list[dict[str, Any]]:
    """A row for each exchange that was also simulated or measured; seconds."""
    rows = read_results(results_file(measured)) if measured else []
    found = []
    for work, costs in zip(prediction.works, prediction.costs, strict=True):
        for name, cost in costs.items():
            row: dict[str, Any] = {"ranks": work.ranks, "algorithm": name, "model": cost.seconds}
            for one in simulated:
                if (one.ranks, one.algorithm) == (work.ranks, name):
                    row["simulation"] = one.seconds if one.seconds is not None else one.problem
            # One of several MPIs, that of --mpi if it is named; fewer rows than one tell nothing.
            same = [one for one in rows if _is_same(one, name, work) and mpi in (None, one.mpi)]
            if same:
                row["measurement"] = same[0].median * 1e-6
            if len(row) > 3:
                found.append(row)
    return found


def _is_same(row: ResultRow, algorithm: str, work: Workload) -> bool:
    params = row.params
    return (
        (row.benchmark, row.variant, row.unit, params.get("algorithm"))
        == ("dsde_algorithms", "process", "us", algorithm)
        and (params.get("ranks"), params.get("bytes")) == (work.ranks, work.payload)
        and math.isclose(max(1.0, float(params.get("fraction", 0)) * work.ranks), work.out, abs_tol=0.5)
        and params.get("pattern", "random") == "random"
    )
