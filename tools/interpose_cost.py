# SPDX-License-Identifier: BSD-3-Clause
"""Measures what the interception layer costs a call that has nothing to do with endpoints (docs/interception.md).

    .venv/bin/python tools/interpose_cost.py --blocks 12 --out results/interpose-cost

A block is one launch of one process on each MPI, in shuffled order; in it, calls to the MPI itself and through the
layer take turns. The difference is taken within a launch, its median and interval over blocks (docs/results.md). Writes
environment.json and readings.json.
"""

from __future__ import annotations

import argparse
import os
import random
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

import msgspec

from raddle.environment import environment
from raddle.launchers import launcher_for
from raddle.mpi.find import Mpi, find
from raddle.native import build
from raddle.stats.order import median, median_interval

TIME_LIMIT = 120.0


class Reading(msgspec.Struct):
    """One function in one launch, nanoseconds a call; `beside`: through the layer, with an endpoint in the process."""

    call: str
    native: float
    wrapped: float
    beside: float


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--mpi", default="", help="families or paths, by commas; all that are installed by default")
    parser.add_argument("--blocks", type=int, default=12)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=Path("results/interpose-cost"))
    options = parser.parse_args()
    mpis = find([word for word in options.mpi.split(",") if word])
    programs = {mpi: build(mpi, targets=["raddle-interpose-cost"]) / "bin" / "raddle-interpose-cost" for mpi in mpis}
    options.out.mkdir(parents=True, exist_ok=True)
    environment(sys.argv, options.seed, {mpi.label: mpi for mpi in mpis}).save(options.out)
    load = [os.getloadavg()[0]]
    readings: dict[str, list[list[Reading]]] = defaultdict(list)
    order = random.Random(options.seed)
    for _ in range(options.blocks):
        for mpi in order.sample(mpis, len(mpis)):
            readings[mpi.label].append(launch(mpi, programs[mpi]))
    load.append(os.getloadavg()[0])
    print(f"load {load[0]:.2f} before, {load[1]:.2f} after; nanoseconds a call, median and 95 % interval")
    for label, launches in readings.items():
        for of_call in zip(*launches, strict=True):
            print(line(label, of_call))
    document = {"load": load, "readings": readings}
    (options.out / "readings.json").write_bytes(msgspec.json.format(msgspec.json.encode(document), indent=1) + b"\n")


def launch(mpi: Mpi, program: Path) -> list[Reading]:
    launcher = launcher_for(mpi)
    command = launcher.command(mpi, [str(program)], processes=1, env={}, oversubscribe=False)
    env = launcher.environment(mpi, {})
    done = subprocess.run(command, env=env, capture_output=True, text=True, timeout=TIME_LIMIT, check=True)
    return [msgspec.json.decode(text, type=Reading) for text in done.stdout.splitlines() if text.startswith("{")]


def line(label: str, launches: tuple[Reading, ...]) -> str:
    native = f"{median([one.native for one in launches]):.1f}"
    through = difference([one.wrapped - one.native for one in launches])
    beside = difference([one.beside - one.native for one in launches])
    return f"{label}: {launches[0].call}: {native} by itself, through the layer {through}, with an endpoint {beside}"


def difference(values: list[float]) -> str:
    interval = median_interval(values)
    words = f"[{interval.lo:+.2f}, {interval.hi:+.2f}]" if interval else "(n too small)"
    return f"{median(values):+.2f} {words}"


if __name__ == "__main__":
    main()
