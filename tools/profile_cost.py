# SPDX-License-Identifier: BSD-3-Clause
"""Measures what `raddle profile` costs a call: an 8 B ping-pong of two processes, as it is and profiled.

    .venv/bin/python tools/profile_cost.py --blocks 12 --out results/profile-cost

In a block each MPI runs it three times, in random order: as it is, with the library preloaded and nothing asked of it,
and profiled. Differences are taken within a block. Writes environment.json, readings.jsonl line by line, and
readings.json.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import sys
import tempfile
from collections import defaultdict
from collections.abc import Callable
from functools import partial
from pathlib import Path

import msgspec
from attempts import Key, keep
from blocks import told
from crosscheck_sides import PingPong, Work

from raddle.environment import environment
from raddle.mpi.find import Mpi, find
from raddle.native import build
from raddle.profile import preload
from raddle.profile.model import Process
from raddle.profile.read import read
from raddle.stats.order import median

WAYS = ("plain", "preloaded", "profiled")
_WORK = Work(
    name="ping-pong", unit="us", level="single", benchmark="latency", variant="process", params={"bytes": 8}, imb=(),
    column=0, samples=400, batch=500,
)  # fmt: skip


class Reading(msgspec.Struct):
    """One launch: half a round trip in us, and what the process itself found that recording a call costs, in ns."""

    half_round_trip: float
    call_cost: float = 0.0


def main() -> None:
    options = _options()
    mpis = find([word for word in options.mpi.split(",") if word])
    options.out.mkdir(parents=True, exist_ok=True)
    environment(sys.argv, options.seed, {mpi.label: mpi for mpi in mpis}).save(options.out)
    libraries = {mpi: preload.library(build(mpi, targets=[preload.TARGET])) for mpi in mpis}
    order = random.Random(options.seed)
    load = [os.getloadavg()[0]]
    with tempfile.TemporaryDirectory() as place:
        launches: list[tuple[Key, Callable[[], object]]] = [
            (
                {"mpi": mpi.label, "block": block, "way": way},
                partial(_launch, mpi, libraries[mpi], way, block, Path(place)),
            )
            for block in range(options.blocks)
            for mpi in order.sample(mpis, len(mpis))
            for way in order.sample(WAYS, len(WAYS))
        ]
        lines = keep(options.out / "readings.jsonl", launches)
    load.append(os.getloadavg()[0])
    readings: dict[str, dict[int, dict[str, Reading]]] = defaultdict(lambda: defaultdict(dict))
    for line in lines:
        readings[line["mpi"]][line["block"]][line["way"]] = msgspec.convert(line["found"], Reading)
    whole = {mpi: [each for each in found.values() if len(each) == len(WAYS)] for mpi, found in readings.items()}
    (options.out / "readings.json").write_bytes(msgspec.json.encode({"load": load, "readings": whole}) + b"\n")
    print(f"load {load[0]:.2f} before, {load[1]:.2f} after; medians and 95 % intervals over blocks")
    for mpi, blocks in whole.items():
        if blocks:
            print(_line(mpi, blocks))


def _line(mpi: str, blocks: list[dict[str, Reading]]) -> str:
    """What is added to half a round trip, in which one process sends and the other one receives, in ns."""
    plain = median([each["plain"].half_round_trip for each in blocks])
    added = {
        way: told([1e3 * (each[way].half_round_trip - each["plain"].half_round_trip) for each in blocks], "+.1f")
        for way in WAYS[1:]
    }
    cost = told([each["profiled"].call_cost for each in blocks], ".1f")
    return (
        f"{mpi}: half a round trip {1e3 * plain:.0f} ns; preloaded {added['preloaded']} ns, profiled "
        f"{added['profiled']} ns; as processes measure it a call costs {cost} ns"
    )


def _launch(mpi: Mpi, library: Path, way: str, block: int, place: Path) -> Reading:
    env = {} if way == "plain" else {"LD_PRELOAD": str(library)}
    recorded = place / "recorded"
    if way == "profiled":
        recorded.mkdir()
        env |= preload.environment(recorded)
    try:
        found = PingPong(mpi, place, env).measure(_WORK, block)
        records = read(recorded) if way == "profiled" else []
    finally:
        shutil.rmtree(recorded, ignore_errors=True)
    costs = [1e9 * each.call_cost for each in records if isinstance(each, Process)]
    return Reading(found.median or found.mean, median(costs) if costs else 0.0)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--mpi", default="", help="families or paths, by commas; all that are installed by default")
    parser.add_argument("--blocks", type=int, default=12)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=Path("results") / "profile-cost")
    return parser.parse_args()


if __name__ == "__main__":
    main()
