# SPDX-License-Identifier: BSD-3-Clause
"""Lines of `launches.jsonl` and rows of `results.jsonl`, made up for the tests."""

from __future__ import annotations

import json
from typing import Any

from raddle.model import ResultRow
from raddle.results.launch_log import parse_launches
from raddle.results.merge import merge
from raddle.stats.order import median, median_interval

LIBRARY = {
    "mpich": "MPICH Version:      5.0.2\nMPICH Release date: ...",
    "openmpi": "Open MPI v5.0.11, package: Open MPI root@x Distribution, ident: 5.0.11, repo rev: v5.0.11",
    "intel": "Intel(R) MPI Library 2021.18 for Linux* OS\n",
    "none": "",
}
BENCHMARKS = {
    "msgrate": ("rate", "msg/s", "higher"),
    "latency": ("latency", "us", "lower"),
    "bandwidth": ("bandwidth", "MB/s", "higher"),
    "blocking_receive": ("cpu", "%", "lower"),
}


def row_line(launch: str, block: int, samples: list[float], **keys: Any) -> dict[str, Any]:
    """A `row` line as a dict; keywords replace its keys."""
    params = {"bytes": 8, "threads": 1, "window": 64, "placement": "node", "processes": 2}
    described = {"benchmark": "msgrate", "variant": "thread", "metric": "rate", "unit": "msg/s", "better": "higher"}
    return {"type": "row", "launch": launch, "block": block, "params": params, **described, "samples": samples} | keys


def launch_lines(launch: str, records: list[dict[str, Any]], **keys: Any) -> list[str]:
    """The lines of one whole launch as text: start, launch, `records`, end, exit; keywords go to `launch`.

    With `probe`, nanoseconds from core to core before and after, or two readings, what the probe found as well.
    """
    mpi, env, probe = keys.pop("mpi", "mpich"), keys.pop("env", {}), keys.pop("probe", None)
    about = {"launch": launch, "block": 0, "mpi": mpi, "profile": keys.pop("profile", "clean")}
    spoken = {"library_version": LIBRARY[mpi], "level_requested": "multiple", "level_provided": "multiple"} | keys
    lines = [
        {"type": "start", **about, "argv": ["mpiexec"], "env": env, "time": "2026-11-21T00:00:00.000+00:00"},
        {"type": "launch", **about, "steal_s": 1000.0, **spoken},
        *records,
        {"type": "end", "launch": launch, "seconds": 2.0, "steal_s": 0.0, "rows": len(records), "errors": 0},
        {"type": "exit", "launch": launch, "status": 0, "signal": 0, "seconds": 2.1, "log": []},
    ]
    if probe:
        before, after = (reading(each) for each in probe)
        lines.append({"type": "probe", "launch": launch, "before": before, "after": after})
    return [json.dumps(line) for line in lines]


def reading(found: float | dict[str, Any]) -> dict[str, Any]:
    """What the probe of the machine's state says: so many nanoseconds from core to core, or what is given."""
    return found if isinstance(found, dict) else {"cpus": [[0, 1]], "core_to_core_ns": found, "copy_mb_s": 10000.0}


def result_row(benchmark: str, variant: str, blocks: list[float], **keys: Any) -> ResultRow:
    """A finished row with these medians of blocks 0, 1, ...; keywords go to `params` or replace keys."""
    metric, unit, better = BENCHMARKS[benchmark]
    mpi = keys.pop("mpi", "none" if variant == "physical" else "mpich")
    params: dict[str, int | float | str] = {"bytes": 8, "threads": 1, "placement": "node", "processes": 2}
    params |= {name: keys.pop(name) for name in list(keys) if name in (*params, "window")}
    interval, middle = median_interval(blocks), median(blocks)
    described: dict[str, Any] = {
        "mpi_version": {"mpich": "5.0.2", "openmpi": "5.0.11", "intel": "2021.18"}.get(mpi, ""),
        "profile": "clean",
        "samples": blocks,
        "block_ids": list(range(len(blocks))),
        "block_sizes": [1] * len(blocks),
        "ci95": tuple(interval) if interval else None,
        "autocorrelation": None,
        "flags": [],
        "extra": {},
        "launches": [],
    } | keys
    return ResultRow(
        benchmark=benchmark, variant=variant, mpi=mpi, params=params, metric=metric, unit=unit, better=better,
        blocks=blocks, median=middle, p50=middle, p90=max(blocks), p99=max(blocks), max=max(blocks), min=min(blocks),
        mad=0.0, outliers=0, **described,
    )  # fmt: skip


def merge_lines(lines: list[str]) -> list[ResultRow]:
    """The rows that lines of `launches.jsonl` amount to."""
    return merge(parse_launches(lines).launches)
