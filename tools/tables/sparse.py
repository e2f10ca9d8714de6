# SPDX-License-Identifier: BSD-3-Clause
"""Sparse exchange: docs/evidence/sparse-study.md."""

from __future__ import annotations

from raddle.model import ResultRow
from tables.cells import Run, Where, fastest, run

RUN = "2026-11-26-sparse-2core"
OF_32 = "2026-11-26-sparse-census-32-2core"


def ways() -> list[str]:
    """Raddle's against the MPIs' collectives and a census written by hand; endpoints against processes."""
    few, many = run(RUN), run(OF_32)
    if few.mpis != many.mpis:
        raise ValueError(f"{RUN} and {OF_32} are of different MPIs")
    lines = [*few.head("speed"), *_census(few, 16), *_census(many, 32)]
    for algorithm in ("nbx", "auto"):
        where: Where = {"benchmark": "dsde_endpoints", "algorithm": algorithm}
        processes, own = (
            {mpi: few.fastest(**where, mpi=mpi, variant=variant, placement=placement) for mpi in few.mpis}
            for variant, placement in (("process", "node"), ("endpoint-direct", "one-process"))
        )
        name = f"4 endpoints of a process / 4 processes, both `{algorithm}`"
        lines.append(few.ratios(name, of=own, to=processes))
        lines.append(few.ratios("the same / the best processes of any MPI", of=own, to=fastest(processes)))
    return lines


def _census(its: Run, ranks: int) -> list[str]:
    def found(algorithm: str) -> dict[str, ResultRow | None]:
        where: Where = {"benchmark": "dsde_census", "algorithm": algorithm, "ranks": ranks, "waiting": "told"}
        return {mpi: its.one(**where, mpi=mpi) for mpi in its.mpis}

    auto, nbx, collectives, census = map(found, ("auto", "nbx", "native-alltoallv", "native-nbx"))
    rivals = {f"{name} {mpi}": row for name, rows in (("a", collectives), ("b", census)) for mpi, row in rows.items()}
    return [
        its.ratios(f"`auto` / `native-alltoallv` of the same MPI, {ranks} ranks", of=auto, to=collectives),
        its.ratios("`auto` / the fastest collectives or census of any MPI", of=auto, to=fastest(rivals)),
        its.ratios("`auto` / `native-nbx`", of=auto, to=census),
        its.ratios("`nbx` / `native-nbx`", of=nbx, to=census),
        its.ratios("`nbx` / `native-alltoallv`", of=nbx, to=collectives),
    ]
