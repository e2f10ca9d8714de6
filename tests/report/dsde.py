# SPDX-License-Identifier: BSD-3-Clause
"""A made-up study of sparse exchange, as docs/evidence/sparse-study.md describes it, with a known truth."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from raddle.model import WAYS, ResultRow
from raddle.report.data import Data
from tests.report.suite import run_of, suite_row

# Time of an exchange among four ranks (us).
TIMES: Mapping[str, float] = {
    "native-alltoallv": 16.0,
    "alltoallv": 20.0,
    "pex": 12.0,
    "pcx": 10.0,
    "rsx": 14.0,
    "nbx": 18.0,
    "nary": 25.0,
    "locality": 40.0,
    "shared": 12.0,
    "auto": 11.0,
}
# What is chosen, and what others are held against, is exact.
EXACT = ("auto", "nbx")


def sparse(benchmark: str, algorithm: str, value: float, ranks: int, **keys: Any) -> ResultRow:
    """A row; the choice tells of what it was made."""
    variant = keys.pop("variant", "process")
    chosen = {"chosen": WAYS["algorithm"].index(keys.pop("chosen", "pcx"))} if algorithm == "auto" else {}
    keys = {"profile": "shared" if ranks > 2 else "clean", "spread": algorithm not in EXACT, "extra": chosen} | keys
    return suite_row(
        benchmark, variant, value, algorithm=algorithm, ranks=ranks,
        processes=ranks if variant == "process" else 1, **keys,
    )  # fmt: skip


def census(algorithm: str, value: float, ranks: int = 16, **keys: Any) -> ResultRow:
    return sparse("dsde_census", algorithm, value, ranks, **keys)


def grid(algorithm: str, value: float, ranks: int = 4, **keys: Any) -> ResultRow:
    return sparse("dsde_algorithms", algorithm, value, ranks, **keys)


def endpoints(algorithm: str, value: float, ranks: int = 4, **keys: Any) -> ResultRow:
    return sparse("dsde_endpoints", algorithm, value, ranks, **keys)


def study(mpi: str, plain: float = 1.0) -> Iterator[ResultRow]:
    """All of one MPI, whose plain census takes so many times as long as Raddle's."""
    yield census("native-alltoallv", 400.0, mpi=mpi)
    yield census("native-nbx", 300.0 * plain, mpi=mpi)
    yield census("nbx", 300.0, mpi=mpi)
    yield census("auto", 200.0, mpi=mpi)
    yield census("native-nbx", 90000.0, mpi=mpi, waiting="default")
    yield census("nbx", 300.0, mpi=mpi, waiting="default")
    for ranks in (2, 4, 16):
        for name, time in TIMES.items():
            yield grid(name, time * ranks / 4, ranks, mpi=mpi)
    for pattern in ("clustered", "skewed", "nearest", "empty"):
        for name, time in TIMES.items():
            yield grid(name, time, mpi=mpi, pattern=pattern)
    for size in (8, 65536):
        for name, time in TIMES.items():
            yield grid(name, time * (1 + size / 9000), mpi=mpi, bytes=size)
    for name in ("nbx", "auto"):
        yield endpoints(name, TIMES[name], mpi=mpi)
        for place, factor in (("one-process", 0.25), ("node", 0.5)):
            yield endpoints(name, TIMES[name] * factor, mpi=mpi, variant="endpoint-direct", placement=place)


def sparse_data() -> Data:
    """Three MPIs, one of which never gives a CPU away unless it is told."""
    rows = [row for mpi, plain in (("mpich", 3.0), ("openmpi", 1.1), ("intel", 200.0)) for row in study(mpi, plain)]
    return run_of(rows)
