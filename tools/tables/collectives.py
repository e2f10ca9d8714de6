# SPDX-License-Identifier: BSD-3-Clause
"""Collectives over all ranks: docs/results/README.md."""

from __future__ import annotations

from raddle.judge.points import ratio
from raddle.model import ResultRow
from raddle.stats.ratio import Ratio
from tables.cells import Where, fastest, line, run, span

RUN = "2026-11-29-collectives-2core"
_CALLS = {
    "barrier": "`MPI_Barrier`",
    "allreduce": "`MPI_Allreduce`",
    "bcast": "`MPI_Bcast`",
    "alltoall": "`MPI_Alltoall`",
}
_SIZES = {8: "8 B ", 1024: "1 KiB ", 65536: "64 KiB ", 1048576: "1 MiB "}
_PLACES = {
    ("one-process", 1): "2 endpoints in one process",
    ("one-process", 2): "4 endpoints in one process",
    ("node", 1): "2 processes x 1 endpoint",
    ("node", 2): "2 processes x 2 endpoints",
}


def over_all_ranks() -> list[str]:
    """Time with endpoints / with as many processes: of the fastest MPI, and of the same."""
    its = run(RUN)
    lines = [
        line("", "endpoints / the fastest MPI's processes", "which", "endpoints / the same MPI's processes"),
        "|---|---|---|---|",
    ]
    for (placement, threads), where in _PLACES.items():
        for call, name in _CALLS.items():
            for size, told in ({0: ""} if call == "barrier" else _SIZES).items():
                work: Where = {"benchmark": call, "bytes": size, "threads": threads}
                own, mine = (
                    {mpi: its.fastest(**work, mpi=mpi, variant=variant, placement=place) for mpi in its.mpis}
                    for variant, place in (("process", "node"), ("endpoint-direct", placement))
                )
                rival = fastest(own)
                lines.append(
                    line(
                        f"{where}, {told}{name}",
                        span(_ratio(row, rival) for row in mine.values()),
                        its.title(rival.mpi) if rival else "-",
                        span(_ratio(mine[mpi], own[mpi]) for mpi in its.mpis),
                    )
                )
    return lines


def _ratio(a: ResultRow | None, b: ResultRow | None) -> Ratio | None:
    return None if a is None or b is None else ratio(a, b)
