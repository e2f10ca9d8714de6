# SPDX-License-Identifier: BSD-3-Clause
"""Launches of a small program that measures, in shuffled blocks, for the tools beside this one.

A block is one launch of one process on each MPI. The program prints lines of JSON; what is told of them are medians
over blocks with their intervals (docs/use/results.md).
"""

from __future__ import annotations

import argparse
import os
import random
import sys
from collections import defaultdict
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TypeVar

import msgspec
from attempts import Key, keep, printed

from raddle.environment import environment
from raddle.errors import UserError
from raddle.launchers import launcher_for
from raddle.mpi.find import Mpi, find
from raddle.native import build
from raddle.stats.order import median, median_interval

TIME_LIMIT = 120.0

Reading = TypeVar("Reading", bound=msgspec.Struct)


def measure(target: str, reading: type[Reading], doc: str) -> dict[str, list[list[Reading]]]:
    """Does what the command line asks for: the readings of each launch, by MPI, also written to a directory.

    An MPI of which no launch succeeded has none.
    """
    options = _options(target, doc)
    mpis = find([word for word in options.mpi.split(",") if word])
    programs = {mpi: build(mpi, targets=[target]) / "bin" / target for mpi in mpis}
    options.out.mkdir(parents=True, exist_ok=True)
    environment(sys.argv, options.seed, {mpi.label: mpi for mpi in mpis}).save(options.out)
    load = [os.getloadavg()[0]]
    order = random.Random(options.seed)
    launches: list[tuple[Key, Callable[[], object]]] = [
        ({"mpi": mpi.label, "block": block}, partial(_launch, mpi, programs[mpi], reading))
        for block in range(options.blocks)
        for mpi in order.sample(mpis, len(mpis))
    ]
    readings: dict[str, list[list[Reading]]] = defaultdict(list)
    for line in keep(options.out / "readings.jsonl", launches):
        readings[line["mpi"]].append([msgspec.convert(each, reading) for each in line["found"]])
    load.append(os.getloadavg()[0])
    counts = ", ".join(f"{len(own)} of {label}" for label, own in readings.items())
    print(f"load {load[0]:.2f} before, {load[1]:.2f} after; medians and 95 % intervals over blocks: {counts or 'none'}")
    document = {"load": load, "readings": readings}
    (options.out / "readings.json").write_bytes(msgspec.json.encode(document) + b"\n")
    return readings


def told(values: Sequence[float], form: str) -> str:
    """A median with its interval, each number in this format."""
    interval = median_interval(values)
    words = f"[{format(interval.lo, form)}, {format(interval.hi, form)}]" if interval else "(n too small)"
    return f"{format(median(values), form)} {words}"


def _options(target: str, doc: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=doc.partition("\n")[0])
    parser.add_argument("--mpi", default="", help="families or paths, by commas; all that are installed by default")
    parser.add_argument("--blocks", type=int, default=12)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=Path("results") / target.removeprefix("raddle-"))
    return parser.parse_args()


def _launch(mpi: Mpi, program: Path, reading: type[Reading]) -> list[Reading]:
    launcher = launcher_for(mpi)
    command = launcher.command(mpi, [str(program)], processes=1, env={}, oversubscribe=False)
    env = launcher.environment(mpi, {})
    lines = [text for text in printed(command, env, TIME_LIMIT).splitlines() if text.startswith("{")]
    try:
        return [msgspec.json.decode(text, type=reading) for text in lines]
    except msgspec.DecodeError as error:
        raise UserError(f"{program.name} printed what cannot be read: {error}") from error
