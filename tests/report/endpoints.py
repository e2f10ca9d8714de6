# SPDX-License-Identifier: BSD-3-Clause
"""A made-up evaluation of endpoints, as docs/evidence/evaluation.md describes it, with a known truth."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from raddle.model import ResultRow
from raddle.report.data import Data
from tests.report.suite import run_of, suite_row

# Of each variant what it adds to an operation (us), and its throughput as a share of that of processes.
VARIANTS = {
    "process": (0.0, 1.0),
    "thread": (0.9, 0.026),
    "lane": (0.6, 0.5),
    "endpoint-direct": (-0.2, 20.0),
    "endpoint-proxy": (0.24, 0.72),
}


def overhead(variant: str, partner: str, *, added: float | None = None, **keys: Any) -> ResultRow:
    """A row of ep_overhead; processes take exactly 0.5 us, and what is added lies within 4 % of it."""
    more = VARIANTS[variant][0] if added is None else added
    row = suite_row("ep_overhead", variant, more, spread=variant != "process", partner=partner, **keys)
    return _moved(row, 0.5)


def throughput(variant: str, threads: int, **keys: Any) -> ResultRow:
    """A row of ep_throughput; `threads` processes reach exactly 100 MB/s each."""
    share = VARIANTS[variant][1]
    return suite_row(
        "ep_throughput", variant, 100.0 * threads * share, spread=variant != "process", threads=threads, **keys
    )


def evaluation(mpi: str, cpus: int) -> Iterator[ResultRow]:
    """All of one MPI, on so many CPUs."""
    for variant in VARIANTS:
        proxied = 2 if variant == "endpoint-proxy" else 1
        for partner, contexts in (("other", 2), ("self", 1)):
            profile = "clean" if contexts * proxied <= cpus else "shared"
            for size in (8, 1024):
                yield overhead(variant, partner, mpi=mpi, profile=profile, bytes=size)
        for threads in (1, 2, 4):
            profile = "clean" if 2 * threads * proxied <= cpus else "shared"
            yield throughput(variant, threads, mpi=mpi, profile=profile)
            for size in (64, 4096):
                yield suite_row(
                    "fft_exchange", variant, size * VARIANTS[variant][1], mpi=mpi, profile=profile, bytes=size,
                    threads=threads,
                )  # fmt: skip


def limits() -> Iterator[ResultRow]:
    """What the machine allows."""
    for size in (8, 1024):
        yield suite_row("ep_overhead", "physical", 0.1, mpi="none", bytes=size, placement="one-process", processes=1)
    for threads in (1, 2):
        yield suite_row(
            "ep_throughput", "physical", 6000.0 * threads, spread=False, mpi="none", threads=threads,
            placement="one-process", processes=1,
        )  # fmt: skip


def endpoints_data(cpus: int = 8) -> Data:
    """Three MPIs and the machine's limits."""
    rows = [row for mpi in ("mpich", "openmpi", "intel") for row in evaluation(mpi, cpus)]
    return run_of([*rows, *limits()])


def _moved(row: ResultRow, by: float) -> ResultRow:
    """The same row, all of its values so much higher."""
    assert row.ci95 is not None or len(row.blocks) < 6
    values = {name: getattr(row, name) + by for name in ("median", "p50", "p90", "p99", "max", "min")}
    return msgspec.structs.replace(
        row,
        samples=[each + by for each in row.samples],
        blocks=[each + by for each in row.blocks],
        ci95=(row.ci95[0] + by, row.ci95[1] + by) if row.ci95 else None,
        **values,
    )
