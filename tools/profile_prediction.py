# SPDX-License-Identifier: BSD-3-Clause
"""Do the bounds of a profile hold? Profiles programs, applies each remedy, and measures what that brought.

    .venv/bin/python tools/profile_prediction.py --blocks 8 --out results/profile-prediction

The programs are the tutorial's, of which step 0 is profiled, and a kernel of messages that is bound by their number,
by their bytes, or by what is computed between them. In a block each is profiled, run as it is, and run with each
remedy, in random order; what a remedy brought is the difference of two launches of a block, and is compared with the
bound of the same block's profile. Writes environment.json, readings.jsonl line by line, and readings.json, of which
tools/write_tables.py makes the table of docs/use/profile.md.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import msgspec
from attempts import Key, keep, printed
from tables.profiles import AS_IT_IS, PROFILE, predictions

from raddle.environment import environment
from raddle.launchers import launcher_for
from raddle.mpi.find import Mpi, find
from raddle.native import build

TIME_LIMIT = 120.0


@dataclass(frozen=True)
class Case:
    """A program as it is, and changed: the remedy's name, and the words of its command."""

    name: str
    words: tuple[str, ...]
    remedies: Mapping[str, tuple[str, ...]]
    processes: int = 1
    spins: bool = False  # as it is, the MPI is not told to yield while it waits


class Found(msgspec.Struct):
    """Seconds of a launch, or of a profile: bounds in seconds by name of a remedy."""

    seconds: float
    bounds: dict[str, float] = {}


def cases() -> list[Case]:
    kernel = {
        "message-bound": ("8", "0", "300000"),
        "bandwidth-bound": ("1000000", "0", "1500"),
        "compute-bound": ("8", "100000", "3000"),
    }
    slow = ("slow", "2", "400")
    steps = {name: (name, *slow[1:]) for name in ("lanes", "endpoints", "partitioned", "sparse")}
    return [
        Case("tutorial as installed", slow, {"settings": slow}, processes=2, spins=True),
        Case("tutorial", slow, steps, processes=2),
        *(Case(name, ("shared", *size), {"endpoints": ("endpoints", *size)}) for name, size in kernel.items()),
    ]


def main() -> None:
    options = _options()
    mpis = find([word for word in options.mpi.split(",") if word])
    options.out.mkdir(parents=True, exist_ok=True)
    environment(sys.argv, options.seed, {mpi.label: mpi for mpi in mpis}).save(options.out)
    order = random.Random(options.seed)
    load = [os.getloadavg()[0]]
    with tempfile.TemporaryDirectory() as place:
        programs = {mpi: Programs(mpi, Path(place) / mpi.name) for mpi in mpis}
        launches: list[tuple[Key, Callable[[], object]]] = [
            ({"mpi": mpi.title, "case": case.name, "block": block, "way": way}, partial(programs[mpi].run, case, way))
            for block in range(options.blocks)
            for mpi in order.sample(mpis, len(mpis))
            for case in cases()
            for way in order.sample(ways(case), len(ways(case)))
        ]
        lines = keep(options.out / "readings.jsonl", launches)
    load.append(os.getloadavg()[0])
    (options.out / "readings.json").write_bytes(msgspec.json.encode({"load": load, "readings": lines}) + b"\n")
    print(f"load {load[0]:.2f} before, {load[1]:.2f} after; medians and 95 % intervals over blocks")
    print("\n".join(predictions(lines)))


def ways(case: Case) -> list[str]:
    return [PROFILE, AS_IT_IS, *case.remedies]


@dataclass
class Programs:
    """The programs of one MPI, and how they are started."""

    mpi: Mpi
    place: Path
    kernel: Path = field(init=False)
    tutorial: Path = field(init=False)

    def __post_init__(self) -> None:
        self.place.mkdir()
        examples = build(self.mpi, targets=["raddle", "raddle-profile", "exchange", "tutorial"]) / "examples"
        self.tutorial, self.kernel = (
            next(path for path in examples.rglob(name) if path.is_file()) for name in ("tutorial", "exchange")
        )

    def run(self, case: Case, way: str) -> Found:
        program = self.tutorial if case.name.startswith("tutorial") else self.kernel
        words = [str(program), *(case.remedies.get(way, case.words))]
        settings = {"OMP_WAIT_POLICY": "passive"}
        if case.processes > 1 and not (case.spins and way in (PROFILE, AS_IT_IS)):  # four threads on two cores
            settings |= self.mpi.family.profile_env("shared")
        launcher = launcher_for(self.mpi)
        launch = launcher.command(self.mpi, words, processes=case.processes, env=settings, oversubscribe=True)
        env = {**os.environ, **launcher.environment(self.mpi, settings)}
        if way != PROFILE:
            began = time.monotonic()
            printed(launch, env, TIME_LIMIT)
            return Found(time.monotonic() - began)
        out = self.place / "profile"
        raddle = [sys.executable, "-m", "raddle", "profile", "--out", str(out), "--"]
        printed([*raddle, *launch], env, TIME_LIMIT)
        summary = msgspec.json.decode((out / "summary.json").read_bytes())
        shutil.rmtree(out)
        return Found(summary["seconds"], {one["name"]: one["most"] for one in summary["remedies"]})


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--mpi", default="", help="families or paths, by commas; all that are installed by default")
    parser.add_argument("--blocks", type=int, default=8)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=Path("results") / "profile-prediction")
    return parser.parse_args()


if __name__ == "__main__":
    main()
