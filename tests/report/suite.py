# SPDX-License-Identifier: BSD-3-Clause
"""A made-up run of the Thakur-Gropp suite, row by row (docs/evidence/thakur-gropp.md), with a known truth."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import msgspec
import numpy as np

from raddle.catalogue import catalogue
from raddle.environment import Environment
from raddle.model import Params, ResultRow
from raddle.report.data import Data
from raddle.stats.order import median, median_interval
from tests.report.synthetic import Recipe, environment

_SPARSE: dict[str, int | float | str] = {"bytes": 1024, "fraction": 0.1, "pattern": "random", "seed": 1}
OWN: dict[str, dict[str, int | float | str]] = {
    "thread_overhead": {"level": "single"},
    "lock_operations": {"level": "single"},
    "concurrent_bandwidth": {"window": 25, "bytes": 8 << 20},
    "message_rate": {"mode": "published", "window": 256, "bytes": 0},
    "short_long": {"long_bytes": 4 << 20, "bytes": 128, "threads": 2},
    "overlap": {"neighbours": 1, "ratio": 1, "progress": "none", "bytes": 1 << 20},
    "concurrent_collectives": {"collective": "allreduce", "parties": 2, "bytes": 2048},
    "collective_compute": {"kernel": "cache", "yield": 0, "bytes": 1 << 20},
    "blocking_receive": {"wait_ms": 20},
    "liveness": {"threads": 2},
    "ep_overhead": {"partner": "other"},
    "ep_throughput": {"bytes": 64, "window": 64},
    "partitioned_bandwidth": {
        "bytes": 8 << 20, "order": "linear", "completion": "wait", "direct": "yes", "stride": 128,
    },
    "partitioned_tail": {
        "bytes": 8 << 20, "partition_bytes": 128 << 10, "noise": "none", "direct": "yes", "spread_ms": 8,
    },
    "partitioned_ready": {"bytes": 8 << 20, "partition_bytes": 4096, "direct": "yes"},
    "dsde_census": _SPARSE | {"waiting": "told"},
    "dsde_algorithms": _SPARSE,
    "dsde_endpoints": _SPARSE,
}  # fmt: skip
BLOCKS = 9
# Of nine, the second smallest is 0.97 and the second largest 1.03: those are the ends of the interval.
SPREAD = (1.0, 0.96, 1.04, 0.97, 1.03, 0.98, 1.02, 0.99, 1.01)


def suite_row(benchmark: str, variant: str, value: float, *, spread: bool = True, **keys: Any) -> ResultRow:
    """A row around `value` of three samples a block; two rows of which one is not spread have an exact ratio.

    `extra` maps names to a number, of which each sample gets one. Other keywords are parameters or replace keys.
    """
    about = catalogue().benchmarks[benchmark]
    blocks = [value * each if spread else value for each in SPREAD][: keys.pop("blocks", BLOCKS)]
    samples = [each for each in blocks for _ in range(3)]
    extra: Mapping[str, Any] = keys.pop("extra", {})
    described = {name: keys.pop(name) for name in ("mpi", "profile", "flags") if name in keys}
    params: Params = {"bytes": 8, "threads": 1, "processes": 2, "placement": "node"}
    params |= OWN.get(benchmark, {})
    params |= keys
    interval, middle = median_interval(blocks), median(blocks)
    return ResultRow(
        benchmark=benchmark, variant=variant, mpi=described.get("mpi", "mpich"), mpi_version="5.0.2",
        profile=described.get("profile", "clean"), params=params, metric=about.metric, unit=about.unit,
        better=about.better, samples=samples, block_ids=list(range(len(blocks))), block_sizes=[3] * len(blocks),
        blocks=blocks, median=middle, ci95=(interval.lo, interval.hi) if interval else None, p50=middle,
        p90=max(samples), p99=max(samples), max=max(samples), min=min(samples), mad=0.0, autocorrelation=None,
        outliers=0, flags=described.get("flags", []),
        extra={name: each if isinstance(each, (dict, str)) else [float(each)] * len(samples)
               for name, each in extra.items()},
        launches=[],
    )  # fmt: skip


def suite_rows(mpi: str = "mpich", slow: float = 1.0) -> Iterator[ResultRow]:
    """All eight tests of one MPI on two cores, so that more than one flow is oversubscribed."""
    yield from _overhead(mpi, slow)
    yield from _flows(mpi, slow)
    yield from _short_long(mpi, slow)
    yield from _overlap(mpi, slow)
    yield from _collectives(mpi, slow)
    variants = ["thread", "lane", *(["threadcomm"] if mpi == "mpich" else [])]
    for variant in ("process", "thread"):
        cpu = 99.6 if mpi != "intel" else 1.5
        yield suite_row("blocking_receive", variant, cpu, mpi=mpi, bytes=8, extra={"wake_up": 3.1})
    for variant in variants:
        yield suite_row("liveness", variant, 12.0, mpi=mpi)


def _overhead(mpi: str, slow: float) -> Iterator[ResultRow]:
    for place, level in enumerate(("single", "funneled", "serialized", "multiple")):
        dear = 1 + 0.02 * place * slow if level != "multiple" else 1 + 0.35 * slow
        for size in (0, 8, 64, 256, 1024, 4096):
            yield suite_row(
                "thread_overhead", "process", (0.5 + size / 9000) * dear, spread=level != "single", mpi=mpi, bytes=size,
                level=level,
            )  # fmt: skip
        yield suite_row(
            "lock_operations", "process", 4.0 * slow if level == "multiple" else 0.0, spread=False, mpi=mpi,
            level=level, extra={"instructions": 812 * dear, "path": "memory"},
        )  # fmt: skip


def _flows(mpi: str, slow: float) -> Iterator[ResultRow]:
    costs = {"process": 1.0, "thread": 1 + slow, "lane": 1 + 0.2 * slow}
    if mpi == "mpich":
        costs["threadcomm"] = 1.1
    for threads in (1, 2):
        profile = "clean" if threads == 1 else "shared"
        for variant, cost in costs.items():
            about: dict[str, Any] = {
                "mpi": mpi, "threads": threads, "profile": profile, "spread": variant != "process",
                "processes": 2 * threads if variant == "process" else 2,
            }  # fmt: skip
            dear = cost ** (threads if variant == "thread" else 1)
            yield suite_row("concurrent_bandwidth", variant, 7400 * threads / dear, **about, extra={"flow_rate": 7300})
            for size in (0, 8, 64, 1024):
                extra = {"slowest_flow": dear, "p99": 3 * dear, "max": 200 * dear, "path": "memory"}
                value = (0.5 + size / 9000) * dear * threads**3
                yield suite_row("concurrent_latency", variant, value, **about, bytes=size, extra=extra)
            for mode in ("published", "windowed", "unexpected"):
                yield suite_row(
                    "message_rate", variant, 2e6 * threads / dear, **about, mode=mode, extra={"flow_rate": 2e6}
                )


def _short_long(mpi: str, slow: float) -> Iterator[ResultRow]:
    rng = np.random.default_rng(1)
    for variant in ("process", "thread", "lane"):
        for long_bytes in (0, 4 << 20):
            disturbed = bool(long_bytes) and variant == "thread"
            times = 1.2 * np.exp(rng.normal(0, 0.1, 900)) * (1.6 if disturbed else 1.0)
            times[rng.random(900) < (0.02 if disturbed else 0.002)] *= 300 * slow
            yield suite_row(
                "short_long", variant, float(np.median(times)), spread=variant != "process", mpi=mpi, profile="shared",
                long_bytes=long_bytes, processes=4,
                extra={"p99": float(np.percentile(times, 99)), "max": float(times.max()),
                       "delayed": float((times > 12).mean()), "long_bandwidth": 3200 if long_bytes else 0,
                       "trace": {"us": [float(f"{time:.4g}") for time in times]}},
            )  # fmt: skip


def _overlap(mpi: str, slow: float) -> Iterator[ResultRow]:
    for ratio in (0.25, 1, 4):
        for variant, progress, hidden in (
            ("process", "none", 0.1), ("process", "library", 0.5), ("thread", "none", 0.05), ("thread", "thread", 0.9),
            ("thread", "probe", 0.85),
        ):  # fmt: skip
            if mpi == "openmpi" and progress == "library":
                continue
            hid = min(0.95, hidden / slow)
            value = 1 + ratio - hid * min(1.0, ratio)
            yield suite_row(
                "overlap", variant, value, spread=progress != "none", mpi=mpi, ratio=ratio, progress=progress,
                profile="clean" if variant == "process" and progress == "none" else "shared",
                extra={"exchange": 210.0, "compute": 210.0 * ratio, "total": 210.0 * value, "overlap": hid},
            )  # fmt: skip


def _collectives(mpi: str, slow: float) -> Iterator[ResultRow]:
    for threads in (1, 2):
        profile = "clean" if threads == 1 else "shared"
        for variant, cost in (("process", 1.0), ("thread", 1 + slow), ("lane", 1.3)):
            about: dict[str, Any] = {
                "mpi": mpi, "threads": threads, "profile": profile, "spread": variant != "process",
            }  # fmt: skip
            for collective, base in (("allreduce", 1.4), ("barrier", 0.9), ("bcast", 0.7), ("alltoall", 1.9)):
                value = base * cost**threads * threads
                yield suite_row("concurrent_collectives", variant, value, **about, collective=collective,
                                extra={"slowest_flow": value * 1.1})  # fmt: skip
    for variant, left in (("process", 0.5), ("thread", 0.42 / slow)):
        for kernel in ("cache", "memory"):
            for yields in (0, 1):
                yield suite_row(
                    "collective_compute", variant, left + 0.3 * yields, mpi=mpi, profile="shared", kernel=kernel,
                    spread=variant != "process", **{"yield": yields},
                    extra={"kernels_with": 20000 * left, "kernels_without": 20000, "collective_with": 900.0,
                           "collective_without": 300.0},
                )  # fmt: skip


def suite_data() -> Data:
    """Three MPIs, of which one pays twice for everything."""
    rows = [row for mpi, slow in (("mpich", 1.0), ("openmpi", 0.5), ("intel", 2.0)) for row in suite_rows(mpi, slow)]
    return run_of(rows)


def run_of(rows: Iterable[ResultRow]) -> Data:
    """These rows, measured on the made-up machine."""
    return Data(list(rows), msgspec.convert(environment(Recipe()), Environment))


def levels(multiple: float, **keys: Any) -> list[ResultRow]:
    """The latency under plain MPI_Init, exactly 0.5 us, and under MPI_THREAD_MULTIPLE."""
    return [
        suite_row("thread_overhead", "process", 0.5, spread=False, level="single", **keys),
        suite_row("thread_overhead", "process", 0.5 * multiple, level="multiple", **keys),
    ]


def flows(benchmark: str, thread: float, **keys: Any) -> list[ResultRow]:
    """Processes, exactly 1000 in whatever unit, and threads, so many times worse."""
    better = catalogue().benchmarks[benchmark].better
    return [
        suite_row(benchmark, "process", 1000.0, spread=False, **keys),
        suite_row(benchmark, "thread", 1000.0 * (thread if better == "lower" else 1 / thread), **keys),
    ]
