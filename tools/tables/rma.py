# SPDX-License-Identifier: BSD-3-Clause
"""One-sided operations on endpoints, beside processes and beside what the machine does itself."""

from __future__ import annotations

from tables.cells import Where, faster, fastest, line, run

RMA = "2026-11-27-rma-2core"
FILES = "2026-11-27-files-2core"
_WORKS: dict[str, Where] = {
    "put, 8 B": {"benchmark": "rma_put", "bytes": 8},
    "put, 1 MiB": {"benchmark": "rma_put", "bytes": 1 << 20},
    "get, 8 B": {"benchmark": "rma_get", "bytes": 8},
    "get, 1 MiB": {"benchmark": "rma_get", "bytes": 1 << 20},
    "fetch-and-op": {"benchmark": "rma_fetch_and_op"},
    "compare-and-swap": {"benchmark": "rma_compare_and_swap"},
    "rate of puts, 8 B": {"benchmark": "rma_put_rate", "bytes": 8},
    "bandwidth of puts, 1 MiB": {"benchmark": "rma_put_bandwidth", "bytes": 1 << 20},
    "bandwidth of gets, 1 MiB": {"benchmark": "rma_get_bandwidth", "bytes": 1 << 20},
    "counter, two ranks": {"benchmark": "rma_counter", "ranks": 2},
    "exclusive lock, two ranks": {"benchmark": "rma_lock", "ranks": 2},
    "fence, 8 B": {"benchmark": "rma_fence", "bytes": 8},
    "post, start, complete, wait, 8 B": {"benchmark": "rma_pscw", "bytes": 8},
}


def rma() -> list[str]:
    """Endpoints, as many times as fast as the best processes of any MPI, and as the machine."""
    its = run(RMA)
    mpis = [mpi for mpi in its.mpis if "debian" not in mpi]  # the engine is the same, and the table wide enough
    cells = ["", "of", "beside", *map(its.title, mpis)]
    lines = [line(*cells), "|" + "---|" * len(cells)]
    for name, work in _WORKS.items():
        best = fastest({mpi: its.one(**work, mpi=mpi, variant="process") for mpi in its.mpis})
        rivals = [] if best is None else [(f"processes, {its.title(best.mpi)}", best)]
        physical = its.one(**work, variant="physical")
        rivals += [] if physical is None else [("the machine", physical)]
        for place, words in (("one-process", "one process"), ("node", "two processes")):
            mine = {mpi: its.one(**work, mpi=mpi, variant="endpoint-direct", placement=place) for mpi in mpis}
            lines += [line(name, words, rival, *(faster(mine[mpi], row) for mpi in mpis)) for rival, row in rivals]
    return lines


def files() -> list[str]:
    """A collective write of four endpoints, as many times as fast as four processes of the same MPI."""
    its = run(FILES)
    lines = its.head("4 endpoints of")
    own = {mpi: its.one(mpi=mpi, variant="process") for mpi in its.mpis}
    for place, words in (("one-process", "one process"), ("node", "two processes")):
        mine = {mpi: its.one(mpi=mpi, variant="endpoint-direct", placement=place) for mpi in its.mpis}
        lines.append(its.ratios(words, of=mine, to=own))
    return lines
