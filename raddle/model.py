# SPDX-License-Identifier: BSD-3-Clause
"""What travels between `raddle`, `raddle-bench` and a results directory.

docs/use/results.md and docs/build/bench-protocol.md describe it.
"""

from __future__ import annotations

from typing import Any

import msgspec

from raddle import sparse_algorithms

SCHEMA = 1
# Of a row whose `median` and `ci95` are those of one of several states: who does not know it would take them for all.
STATES_SCHEMA = 2
Value = int | float | str
Params = dict[str, Value]
# What stands for the MPI of launches and rows that have none, and the variant that needs none: the machine's limit.
NO_MPI = "none"
PHYSICAL = "physical"
# The variants that the others are held against: processes, and the same with the best settings that their MPI has.
PROCESS = "process"
TUNED = "tuned"
# Thread levels of MPI, rising.
LEVELS = ("single", "funneled", "serialized", "multiple")
# Parameters that say, as a variant does, how work is done and not what is done: rows that differ in them share an axis
# and are compared with each other. Values stand in the order of display; the first is what the others are held against.
WAYS: dict[str, tuple[str, ...]] = {
    "level": LEVELS,
    "progress": ("none", "library", "thread", "probe", "proxy"),
    "mechanism": (
        *("bulk", "send", "send-persistent", "isend", "win", "psend"),
        *("raddle-auto", "raddle-fixed", "raddle-none", "raddle-bulk"),
    ),
    "direct": ("yes", "no"),
    "algorithm": ("native-alltoallv", "native-nbx", *sparse_algorithms.NAMES, "auto"),
    "step": ("slow", "settings", "lanes", "endpoints", "partitioned", "sparse"),
}


class Sampling(msgspec.Struct, frozen=True, kw_only=True):
    """When a point has been sampled enough; times in seconds, `half_width` as a fraction of the median."""

    min_samples: int = 20
    max_samples: int = 400
    batch: int = 10
    half_width: float = 0.05
    min_sample_seconds: float = 1e-3
    max_seconds: float = 2.0
    warmup_seconds: float = 0.4


class PointSet(msgspec.Struct, frozen=True, kw_only=True):
    """One piece of work done in several variants, interleaved sample by sample."""

    benchmark: str
    placement: str
    variants: list[str]
    params: Params


class Plan(msgspec.Struct, frozen=True, kw_only=True):
    """One launch of `raddle-bench` or `raddle-probe`."""

    launch: str
    block: int
    seed: int
    mpi: str
    profile: str
    sets: list[PointSet]
    sampling: Sampling = Sampling()
    pin: str = "compact"
    patience: float = 30.0  # seconds without any move after which the watchdog ends the launch
    schema: int = SCHEMA


class RowLine(msgspec.Struct, kw_only=True):
    """One point as one launch measured it: a `row` line of `launches.jsonl`."""

    launch: str
    block: int
    benchmark: str
    variant: str
    params: Params
    metric: str
    unit: str
    better: str
    samples: list[float]
    switches: list[int] = []
    iterations: int = 1
    converged: bool = True
    validated_bytes: int = 0
    cpus: list[list[int]] = []
    busy_contexts: int = 0
    flags: list[str] = []
    extra: dict[str, Any] = {}


class Reading(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What the probe of the machine's state found at one moment; `error` says why it could not."""

    cpus: list[tuple[int, int]] = []  # the pairs whose distance it is
    core_to_core_ns: float = 0.0
    copy_mb_s: float = 0.0
    error: str = ""


class Probe(msgspec.Struct, frozen=True, kw_only=True):
    """A `probe` line of `launches.jsonl`: the state of the machine before and after a launch."""

    before: Reading
    after: Reading

    @property
    def whole(self) -> bool:
        """Both found something, on the same CPUs."""
        return min(self.core_to_core_ns) > 0 and self.before.cpus == self.after.cpus

    @property
    def core_to_core_ns(self) -> tuple[float, float]:
        return self.before.core_to_core_ns, self.after.core_to_core_ns

    @property
    def error(self) -> str:
        return self.before.error or self.after.error


class StateFigures(msgspec.Struct, frozen=True, kw_only=True):
    """One state of the machine in a row: its part of the run, and what the point amounts to in it."""

    state: str
    core_to_core_ns: float
    share: float  # of the launches of the whole run
    blocks: int
    median: float | None
    ci95: tuple[float, float] | None


class ResultRow(msgspec.Struct, kw_only=True):
    """One row of `results.jsonl`: a point merged over launches (docs/use/results.md)."""

    schema: int = SCHEMA
    benchmark: str
    variant: str
    mpi: str
    mpi_version: str
    profile: str
    params: Params
    metric: str
    unit: str
    better: str
    samples: list[float]
    block_ids: list[int]
    block_sizes: list[int]
    blocks: list[float]
    median: float
    ci95: tuple[float, float] | None
    p50: float
    p90: float
    p99: float
    max: float
    min: float
    mad: float
    autocorrelation: float | None
    outliers: int
    flags: list[str]
    extra: dict[str, Any]
    launches: list[str]
    # Of machines whose state was probed (docs/use/results.md).
    state: str = ""
    block_states: list[str] = []
    block_limits: list[float | None] = []
    states: list[StateFigures] = []
