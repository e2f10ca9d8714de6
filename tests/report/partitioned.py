# SPDX-License-Identifier: BSD-3-Clause
"""A made-up study of partitioned communication (docs/evidence/partitioned-study.md), with a known truth."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from raddle.model import ResultRow
from raddle.report.data import Data
from tests.report.suite import run_of, suite_row

BUFFER = 8 << 20
SIZES = (512, 128 << 10, BUFFER)
ORDERS = ("linear", "random")
# Of each mechanism what it reaches at each size of partition (MB/s), and its tail (us).
SPEEDS: Mapping[str, tuple[float, float, float]] = {
    "bulk": (8000, 8000, 8000),
    "isend": (400, 4000, 8000),
    "psend": (20, 2000, 4000),
    "raddle-auto": (8800, 8800, 8000),
}
TAILS: Mapping[str, float] = {"bulk": 1000.0, "isend": 20.0, "psend": 800.0, "raddle-auto": 40.0}
EXACT = "raddle-auto"


def bandwidth(mechanism: str, partition_bytes: int, **keys: Any) -> ResultRow:
    """A row of partitioned_bandwidth; Raddle's are exact, so that ratios to them have a known interval."""
    value = keys.pop("value", SPEEDS[mechanism][SIZES.index(partition_bytes)])
    about = {"perceived": value, "tail": 900.0, "ready": 12.0, "messages": 0.0, "wait": 950.0}
    return suite_row(
        "partitioned_bandwidth", "thread", value, spread=mechanism != EXACT, mechanism=mechanism,
        partition_bytes=partition_bytes, **({"extra": about} | keys),
    )  # fmt: skip


def tail(mechanism: str, **keys: Any) -> ResultRow:
    """A row of partitioned_tail with its timeline of four partitions, the last of which is ready after 8 ms."""
    value = keys.pop("value", TAILS[mechanism])
    ready = [2000.0, 4000.0, 6000.0, 8000.0]
    moments = [*ready, *([8000.0 + value] * 4 if mechanism == "bulk" else [each + value for each in ready])]
    about = {"perceived": BUFFER / value, "messages": 64.0, "wait": value, "trace": {"us": moments}}
    return suite_row(
        "partitioned_tail", "thread", value, spread=mechanism != EXACT, mechanism=mechanism,
        **({"extra": about} | keys),
    )  # fmt: skip


def ready(mechanism: str, value: float, **keys: Any) -> ResultRow:
    """A row of partitioned_ready."""
    return suite_row("partitioned_ready", "thread", value, spread=mechanism == "psend", mechanism=mechanism, **keys)


def study(mpi: str) -> Iterator[ResultRow]:
    """All of one MPI."""
    for mechanism in SPEEDS:
        for size in SIZES:
            for order in ORDERS:
                yield bandwidth(mechanism, size, order=order, mpi=mpi)
        yield tail(mechanism, mpi=mpi)
    for size, messages in zip(SIZES, (32.0, 64.0, 1.0), strict=True):
        yield bandwidth(EXACT, size, direct="no", mpi=mpi, value=6000.0, extra={"messages": messages})
    yield tail(EXACT, direct="no", mpi=mpi, value=100.0)
    for threads in (1, 2):
        profile = "clean" if threads == 1 else "shared"
        yield ready("psend", 24.0 * threads, mpi=mpi, threads=threads, profile=profile)
        yield ready("raddle-bulk", 6.0, mpi=mpi, threads=threads, profile=profile)


def partitioned_data() -> Data:
    """Three MPIs."""
    rows = [row for mpi in ("mpich", "openmpi", "intel") for row in study(mpi)]
    return run_of(rows)
