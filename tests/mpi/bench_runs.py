# SPDX-License-Identifier: BSD-3-Clause
"""Writes the plans of the launches that try benchmarks as their files say (`[test]`), and prints calls of the functions
in tests/mpi/bench.cmake, which runs this."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import product
from pathlib import Path

import msgspec

from raddle.catalogue import Benchmark, Catalogue, Rule, read
from raddle.model import PHYSICAL, TUNED, Params, Plan, Sampling, Value
from raddle.plan.launches import LIBRARY, PRELOAD, PROGRAMS, Group, group
from raddle.plan.points import Point

SHORT = Sampling(
    min_samples=3, max_samples=5, batch=2, half_width=0.5, min_sample_seconds=1e-4, max_seconds=0.2, warmup_seconds=0.02
)
PLACES = ("node", "one-process")
PLACED = ("variant", "placement")
DAMAGED_BYTES = 1000  # what tests/mpi/corrupt.cpp damages
TARGETS = {f"{LIBRARY}/libraddle.so": "$<TARGET_FILE:raddle>", f"{PROGRAMS}/libraddle_locks.so": "${locks}"}


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("directory", type=Path, help="where to write plans")
    options.add_argument("suites", type=Path, help="the folder of suites")
    given = options.parse_args()
    given.directory.mkdir(parents=True, exist_ok=True)
    known = read(given.suites)
    for suite in sorted(given.suites.iterdir()):
        names = [name for name in known.benchmarks if (suite / f"{name}.toml").exists()]
        runs = [point for name in names for point in tried(name, known)]
        for threads in sorted({point.threads for point in runs}):
            for one in group([point for point in runs if point.threads == threads], {}, known):
                print(call("raddle_add_bench_launch", suite.name, one, given.directory))
                if threads == 2 and one.processes > 1 and one.env.get("RADDLE_ENGINE") == "direct":
                    apart = replace(one, name=f"{one.name}-network", env=one.env | {"RADDLE_NODE": "rank"})
                    print(call("raddle_add_bench_launch", suite.name, apart, given.directory))
        for name in names:
            told = {param for case in known.benchmarks[name].test.damaged for param in case}
            for point in damaged(name, known):
                words = [
                    str(value) for param, value in point.params.items() if param in told and isinstance(value, str)
                ]
                for one in group([point], {}, known):
                    print(call("raddle_add_damaged_launch", ".".join([name, *words]), one, given.directory))


def tried(name: str, known: Catalogue) -> Iterator[Point]:
    """Each case in all variants and placements, with one thread and with two."""
    benchmark = known.benchmarks[name]
    for params, where in cases(benchmark, benchmark.test.runs, threads=[1, 2]):
        for variant, about in known.variants.items():
            busy = about.proxies and int(params.get("threads", 1)) > 1  # as many processes again as threads
            for placement in about.placements if variant not in (TUNED, PHYSICAL) and not busy else ():
                wanted = placement in PLACES and is_one_of(where, variant, placement)
                runs = benchmark.runs(variant, placement, about.common)
                if wanted and runs and benchmark.suits(variant, placement, params, params):
                    yield Point("test", name, variant, placement, params, "shared")


def damaged(name: str, known: Catalogue) -> Iterator[Point]:
    """Each case as processes, or in the first variant, where the case does not name others."""
    benchmark = known.benchmarks[name]
    usual = "process" if benchmark.runs("process", "node") else benchmark.variants[0]
    for params, where in cases(benchmark, benchmark.test.damaged, threads=[1]):
        for variant in where.get("variant", [usual]):
            sized = {**params, "bytes": DAMAGED_BYTES} if "bytes" in params else params
            yield Point("test", name, str(variant), "node", sized, "shared")


def cases(
    benchmark: Benchmark, declared: Iterable[Rule], threads: list[Value]
) -> Iterator[tuple[Params, dict[str, list[Value]]]]:
    """All combinations of values, and where they are tried; `threads` where neither case nor benchmark wants others."""
    for case in declared:
        lists = {name: value if isinstance(value, list) else [value] for name, value in case.items()}
        where: dict[str, list[Value]] = {name: lists.pop(name) for name in PLACED if name in lists}
        if "threads" in benchmark.params and benchmark.params["threads"].default == 1:
            lists.setdefault("threads", threads)
        values = [lists.get(name, [param.default]) for name, param in benchmark.params.items()]
        for combination in product(*values):
            yield dict(zip(benchmark.params, combination, strict=True)), where


def is_one_of(where: Mapping[str, list[Value]], variant: str, placement: str) -> bool:
    return variant in where.get("variant", [variant]) and placement in where.get("placement", [placement])


def call(function: str, title: str, one: Group, directory: Path) -> str:
    """One that starts the launch. What it tries is not the MPI where processes are few, or one thread is the master."""
    name = f"{title}.{one.name.removeprefix('test-')}"
    path = directory / f"{name}.json"
    plan = Plan(launch=name, block=0, seed=1, mpi="test", profile="shared", sets=one.sets, sampling=SHORT)
    path.write_bytes(msgspec.json.format(msgspec.json.encode(plan), indent=1))
    env = {**one.env}
    if PRELOAD in env:
        env[PRELOAD] = ":".join(TARGETS[library] for library in env[PRELOAD].split(":"))
    started = one.processes * (1 + one.proxies)
    once = one.level == "funneled" or (one.level == "single" and started < 4) or (one.proxies and one.processes == 1)
    seconds = 60 + 2 * sum(len(each.variants) for each in one.sets)
    words = [f'"{name}"', "PROCESSES", str(started), "LEVEL", one.level, "PLAN", f'"{path}"', "TIMEOUT", str(seconds)]
    words += ["ENV", *(f'"{key}={value}"' for key, value in env.items())] if env else []
    words += ["ONCE"] if once else []
    return f"{function}({' '.join(words)})"


if __name__ == "__main__":
    main()
