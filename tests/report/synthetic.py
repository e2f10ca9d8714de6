# SPDX-License-Identifier: BSD-3-Clause
"""A made-up run on a two-core machine, in the documented format: what the report is tested on without any MPI."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

SIZES = [0, 1, 8, 64, 512, 4096, 16384, 65536, 262144, 1048576, 4194304]


@dataclass(frozen=True)
class Cost:
    """What one variant of one MPI costs: latency of an empty message, rate, copy speed, price of a rendezvous."""

    latency_us: float
    rate: float
    bandwidth: float
    rendezvous_us: float = 1.0


# Near DESIGN.md section 7, so that the picture in the tests looks like the one on a real machine.
COSTS: dict[str, dict[tuple[str, str], Cost]] = {
    "mpich": {
        ("process", "node"): Cost(0.95, 2.2e6, 7400),
        ("thread", "one-process"): Cost(3.5, 0.9e6, 5100, 4),
        ("lane", "one-process"): Cost(2.1, 1.9e6, 6100, 3),
        ("threadcomm", "one-process"): Cost(0.75, 1.9e6, 6900),
        ("thread", "node"): Cost(4.4, 0.55e6, 4200, 5),
        ("lane", "node"): Cost(1.5, 1.75e6, 6600),
    },
    "openmpi": {
        ("process", "node"): Cost(0.45, 6.2e6, 8300),
        ("thread", "one-process"): Cost(1.5, 1.5e6, 6000, 2),
        ("lane", "one-process"): Cost(1.45, 1.55e6, 6000, 2),
        ("thread", "node"): Cost(1.9, 1.1e6, 5600, 2),
        ("lane", "node"): Cost(1.85, 1.15e6, 5650, 2),
    },
    "intel": {
        ("process", "node"): Cost(0.38, 5.0e6, 9100),
        ("thread", "one-process"): Cost(8.2, 1.0e6, 4800, 6),
        ("lane", "one-process"): Cost(1.1, 3.1e6, 8000, 2),
        ("thread", "node"): Cost(9.5, 0.8e6, 4500, 6),
        ("lane", "node"): Cost(0.8, 3.6e6, 8300, 2),
    },
    # A distribution's, of which only processes are measured.
    "openmpi-debian": {("process", "node"): Cost(0.22, 8.0e6, 9500)},
    "none": {("physical", "one-process"): Cost(0.19, 100e6, 10200, 0)},
}
TITLES = {
    "mpich": ("MPICH", "5.0.2", "MPICH Version: 5.0.2\nMPICH Device: ch4:ofi"),
    "openmpi": ("Open MPI", "5.0.11", "Open MPI v5.0.11, package: Open MPI, ident: 5.0.11"),
    "openmpi-debian": ("Open MPI", "4.1.4", "Open MPI v4.1.4, package: Debian OpenMPI, ident: 4.1.4"),
    "intel": ("Intel MPI", "2021.18", "Intel(R) MPI Library 2021.18 for Linux* OS"),
}
METRICS = {
    "msgrate": ("rate", "msg/s", "higher"),
    "latency": ("latency", "us", "lower"),
    "bandwidth": ("bandwidth", "MB/s", "higher"),
}
LANE_ENV = {
    "mpich": {"MPIR_CVAR_CH4_NUM_VCIS": "3"},
    "openmpi": {},
    "intel": {"I_MPI_THREAD_SPLIT": "1", "I_MPI_THREAD_RUNTIME": "generic"},
}
SHARED_ENV = {
    "mpich": {"MPIR_CVAR_POLLS_BEFORE_YIELD": "1"},
    "openmpi": {"OMPI_MCA_mpi_yield_when_idle": "true"},
    "openmpi-debian": {"OMPI_MCA_mpi_yield_when_idle": "true"},
    "intel": {"I_MPI_THREAD_YIELD": "2"},
}
WINDOWS = {"msgrate": 64, "bandwidth": 8}
SKIPPED = [
    {"mpi": mpi, "variant": "threadcomm", "placements": ["node", "one-process"], "points": 3, "reason": "MPICH's own"}
    for mpi in ("openmpi", "intel")
]


@dataclass
class Recipe:
    """Which run to make up."""

    blocks: int = 9
    seed: int = 20261121
    mpis: list[str] = field(default_factory=lambda: ["mpich", "openmpi", "intel"])
    samples: int = 24
    sizes: list[int] = field(default_factory=lambda: list(SIZES))
    # The run was killed after this many launches, in the middle of a line.
    killed_after: int | None = None
    # The machine was probed, and a hypervisor moved its CPUs now and then.
    moving: bool = False


NEAR_NS, FAR_NS = 75.0, 300.0


@dataclass(frozen=True)
class Launch:
    """One `mpiexec`, with the variants that it can measure together."""

    block: int
    mpi: str
    placement: str
    variants: tuple[str, ...]
    threads: int

    @property
    def profile(self) -> str:
        return "shared" if self.threads > 1 else "clean"

    @property
    def name(self) -> str:
        return f"b{self.block}-{self.mpi}-{self.placement}-{self.variants[0]}-x{self.threads}"

    @property
    def level(self) -> str:
        return "single" if self.variants == ("process",) else "multiple"

    @property
    def processes(self) -> int:
        if self.mpi == "none" or self.placement == "one-process":
            return 1
        return 2 * self.threads if self.variants == ("process",) else 2


def launches(recipe: Recipe) -> list[Launch]:
    """The plan: every block repeats all launches, so that blocks can be paired."""
    plan: list[Launch] = []
    for block in range(recipe.blocks):
        plan.append(Launch(block, "none", "one-process", ("physical",), 1))
        for mpi in recipe.mpis:
            plan += [Launch(block, mpi, "node", ("process",), threads) for threads in (1, 2)]
            here = [variant for variant, place in COSTS[mpi] if place == "one-process"]
            if not here:
                continue
            plan += [
                Launch(block, mpi, "one-process", tuple(here), 1),
                Launch(block, mpi, "node", ("thread", "lane"), 1),
                Launch(block, mpi, "node", ("thread",), 2),
                Launch(block, mpi, "node", ("lane",), 2),
            ]
    return plan


def points(launch: Launch, sizes: list[int]) -> Iterator[tuple[str, str, int, float]]:
    """Benchmark, variant, bytes and true value of every point of a launch."""
    for variant in launch.variants:
        cost = COSTS[launch.mpi][variant, launch.placement]
        # Four busy contexts on two cores: processes that yield lose least.
        slow = 1.0 if launch.threads == 1 else (1.3 if variant == "process" else 2.4)
        yield "msgrate", variant, 8, cost.rate / slow
        for size in sizes:
            rendezvous = cost.rendezvous_us if size > 16384 else 0.0
            cold = 1.0 + 0.35 * (size > 1 << 19)  # out of the second-level cache
            copy = size / cost.bandwidth * cold
            if launch.threads == 1:
                if launch.mpi != "none" or size <= 65536:
                    yield "latency", variant, size, cost.latency_us + rendezvous + copy
                if size:
                    overhead = 0.02 if launch.mpi == "none" else 1e6 / cost.rate
                    yield "bandwidth", variant, size, size / (overhead + copy)


def _row(launch: Launch, point: tuple[str, str, int, float], rng: np.random.Generator, samples: int) -> dict[str, Any]:
    benchmark, variant, size, truth = point
    metric, unit, better = METRICS[benchmark]
    params: dict[str, Any] = {"bytes": size, "threads": launch.threads, "processes": launch.processes}
    if benchmark != "latency":
        params["window"] = WINDOWS[benchmark]
    params["placement"] = launch.placement
    centre = truth * float(np.exp(rng.normal(0, 0.03)))
    values = centre * np.exp(rng.normal(0, 0.02 if launch.profile == "clean" else 0.12, samples))
    rare = rng.random(samples) < 0.02  # a daemon woke up: time only ever gets longer
    values[rare] *= 0.4 if better == "higher" else 2.7
    contexts = 2 * launch.threads if launch.variants == ("process",) else launch.processes * launch.threads
    return {
        "type": "row", "launch": launch.name, "block": launch.block, "benchmark": benchmark, "variant": variant,
        "params": params, "metric": metric, "unit": unit, "better": better,
        "samples": [float(f"{value:.5g}") for value in values],
        "switches": [int(mark) for mark in rare], "iterations": 1000, "warmup_samples": 4,
        "converged": not (variant == "thread" and launch.mpi == "intel"),
        "validated_bytes": size * 64, "cpus": [[0], [1]] * launch.threads, "busy_contexts": contexts,
        "flags": (["oversubscribed"] if launch.profile == "shared" else []) + (["preempted"] if rare.sum() > 1 else []),
        "extra": {},
    }  # fmt: skip


def probed(number: int, recipe: Recipe) -> tuple[float, float] | None:
    """From core to core before and after the launch of that number: in every third stretch of time farther apart."""
    if not recipe.moving:
        return None
    before, after = (FAR_NS if moment // 15.5 % 3 == 1 else NEAR_NS for moment in (number, number + 0.9))
    noise = np.random.default_rng([recipe.seed, number]).uniform(0.96, 1.04, 2)
    return before * float(noise[0]), after * float(noise[1])


def launch_lines(launch: Launch, recipe: Recipe, probe: tuple[float, float] | None = None) -> Iterator[dict[str, Any]]:
    """Everything that one launch leaves in `launches.jsonl`, from `start` to `exit`, or what the probe found."""
    rng = np.random.default_rng([recipe.seed, launch.block, len(launch.name), *launch.name.encode()])
    env = dict(LANE_ENV.get(launch.mpi, {})) if "lane" in launch.variants else {}
    if launch.profile == "shared":
        env |= SHARED_ENV[launch.mpi]
    program = "raddle-probe" if launch.mpi == "none" else "raddle-bench"
    argv = [program, "--plan", f"{launch.name}.json"]
    if launch.mpi != "none":
        argv = ["mpiexec", "-n", str(launch.processes), argv[0], "--level", launch.level, *argv[1:]]
    yield {"type": "start", "launch": launch.name, "argv": argv, "env": env, "time": "2026-11-21T20:30:00+00:00"}
    yield {
        "type": "launch", "launch": launch.name, "block": launch.block, "seed": recipe.seed, "mpi": launch.mpi,
        "profile": launch.profile, "library_version": TITLES.get(launch.mpi, ("", "", ""))[2],
        "standard": "" if launch.mpi == "none" else "4.1",
        "level_requested": "" if launch.mpi == "none" else launch.level,
        "level_provided": "" if launch.mpi == "none" else launch.level,
        "clock": {"source": "CLOCK_MONOTONIC", "resolution_ns": 1, "cost_ns": 21},
        "ranks": [{"rank": rank, "host": "n1", "pid": 4000 + rank, "cpus": [0, 1]} for rank in range(launch.processes)],
        "cvars": {"MPIR_CVAR_CH4_NUM_VCIS": env.get("MPIR_CVAR_CH4_NUM_VCIS", "1"), "MPIR_CVAR_DEBUG": "0"}
        if launch.mpi == "mpich" else {},
        "build": {"compiler": "g++ 12.2.0", "flags": "-O3", "type": "Release", "version": "0.1.0"}, "steal_s": 0.0,
    }  # fmt: skip
    rows = 0
    for point in points(launch, recipe.sizes):
        made = _row(launch, point, rng, recipe.samples)
        if probe and probe[0] > 2 * NEAR_NS and made["metric"] != "bandwidth":
            times = 2.5 if made["metric"] == "latency" else 1 / 1.8
            made["samples"] = [float(f"{value * times:.5g}") for value in made["samples"]]
        yield made
        rows += 1
    yield {"type": "end", "launch": launch.name, "seconds": 1.4, "steal_s": 0.01, "rows": rows, "errors": 0}
    yield {"type": "exit", "launch": launch.name, "status": 0, "signal": 0, "seconds": 1.7, "log": []}
    if probe:
        before, after = ({"cpus": [[0, 1]], "core_to_core_ns": each, "copy_mb_s": 10200.0} for each in probe)
        yield {"type": "probe", "launch": launch.name, "before": before, "after": after}


def environment(recipe: Recipe) -> dict[str, Any]:
    """`environment.json` of the made-up machine."""
    mpis = [
        {"name": name, "title": TITLES[name][0], "version": TITLES[name][1], "library_version": TITLES[name][2],
         "prefix_kind": "distribution" if name.endswith("-debian") else "wheel",
         "distribution": "Debian" if name.endswith("-debian") else ""} for name in recipe.mpis
    ]  # fmt: skip
    return {
        "schema": 1, "created": "2026-11-21T20:30:00+00:00", "seed": recipe.seed,
        "command": ["raddle", "run", "--out", "results/demo", "--seed", str(recipe.seed)],
        "commit": "ec2b87e0c0ffee0123456789abcdef0123456789",
        "host": {"cpu": "Intel(R) Xeon(R) Platinum 8481C CPU @ 2.70GHz", "cores": 2, "allowed_cpus": [0, 1],
                 "kernel": "6.1.0-37-cloud-amd64", "os": "Debian GNU/Linux 12 (bookworm)", "memory_gib": 7.8,
                 "governor": "performance", "smt": False, "numa_nodes": 1},
        "compiler": "g++ 12.2.0", "python": "3.11.7", "raddle": "0.1.0", "mpis": mpis,
        "settings": {"OMP_NUM_THREADS": "2", "RADDLE_LOG": "info"},
        "notices": [{"name": "variant-skipped", "detail": f"{each['mpi']}: no threadcomm"} for each in SKIPPED],
    }  # fmt: skip


def write_run(directory: Path, recipe: Recipe | None = None) -> Path:
    """Write plan.json, launches.jsonl and environment.json of a made-up run; return the directory."""
    recipe = recipe or Recipe()
    directory.mkdir(parents=True, exist_ok=True)
    plan = launches(recipe)
    (directory / "environment.json").write_text(json.dumps(environment(recipe), indent=2))
    planned = [{"schema": 1, "launch": item.name, "block": item.block, "seed": recipe.seed, "mpi": item.mpi,
                "profile": item.profile, "sets": []} for item in plan]  # fmt: skip
    (directory / "plan.json").write_text(json.dumps({"seed": recipe.seed, "launches": planned, "skipped": SKIPPED}))
    with (directory / "launches.jsonl").open("w") as out:
        for number, launch in enumerate(plan[: recipe.killed_after]):
            for line in launch_lines(launch, recipe, probed(number, recipe)):
                out.write(json.dumps(line) + "\n")
        if recipe.killed_after is not None and recipe.killed_after < len(plan):
            cut = [json.dumps(line) for line in launch_lines(plan[recipe.killed_after], recipe)]
            out.write("\n".join(cut[:3]) + "\n" + cut[3][:40])
    return directory
