# SPDX-License-Identifier: BSD-3-Clause
"""Measures what `raddle profile` costs: a call of an 8 B ping-pong of two processes, and the halo example.

    .venv/bin/python tools/profile_cost.py --blocks 12 --out results/profile-cost

In a block each MPI runs both three times, in random order: as they are, with the library preloaded and nothing asked
of it, and profiled. Differences and ratios are taken within a block. Writes environment.json, readings.jsonl line by
line, and readings.json, of which tools/write_tables.py makes the table of docs/use/profile.md.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))  # this checkout's raddle, whichever is installed

import msgspec  # noqa: E402
from attempts import Key, keep, printed  # noqa: E402
from crosscheck_sides import PingPong, Work  # noqa: E402
from tables.profiles import WAYS, costs  # noqa: E402

from raddle.environment import environment  # noqa: E402
from raddle.launchers import launcher_for  # noqa: E402
from raddle.mpi.find import Mpi, find  # noqa: E402
from raddle.native import build  # noqa: E402
from raddle.profile import preload  # noqa: E402
from raddle.profile.model import Process  # noqa: E402
from raddle.profile.read import read  # noqa: E402
from raddle.stats.order import median  # noqa: E402

TIME_LIMIT = 120.0
PROGRAMS = ("ping-pong", "halo")
HALO_STEPS = "40000"
_WORK = Work(
    name="ping-pong", unit="us", level="single", benchmark="latency", variant="process", params={"bytes": 8}, imb=(),
    column=0, samples=400, batch=500,
)  # fmt: skip


class Reading(msgspec.Struct):
    """One launch: half a round trip in us, or seconds of the halo example, and what the processes themselves found that
    recording a call costs, in ns."""

    time: float
    call_cost: float = 0.0


def main() -> None:
    options = _options()
    mpis = find([word for word in options.mpi.split(",") if word])
    options.out.mkdir(parents=True, exist_ok=True)
    environment(sys.argv, options.seed, {mpi.label: mpi for mpi in mpis}).save(options.out)
    order = random.Random(options.seed)
    load = [os.getloadavg()[0]]
    with tempfile.TemporaryDirectory() as place:
        each = {mpi: Programs(mpi, Path(place)) for mpi in mpis}
        launches: list[tuple[Key, Callable[[], object]]] = [
            (
                {"mpi": mpi.title, "block": block, "program": program, "way": way},
                partial(each[mpi].launch, program, way, block),
            )
            for block in range(options.blocks)
            for mpi in order.sample(mpis, len(mpis))
            for program in PROGRAMS
            for way in order.sample(WAYS, len(WAYS))
        ]
        lines = keep(options.out / "readings.jsonl", launches)
    load.append(os.getloadavg()[0])
    (options.out / "readings.json").write_bytes(msgspec.json.encode({"load": load, "readings": lines}) + b"\n")
    print(f"load {load[0]:.2f} before, {load[1]:.2f} after; medians and 95 % intervals over blocks")
    print("\n".join(costs(lines)))


@dataclass
class Programs:
    """The programs of one MPI, and how they are started."""

    mpi: Mpi
    place: Path

    def __post_init__(self) -> None:
        folder = build(self.mpi, targets=[preload.TARGET, "halo"])
        self.library = preload.library(folder)
        self.halo = next(path for path in (folder / "examples").rglob("halo") if path.is_file())

    def launch(self, program: str, way: str, block: int) -> Reading:
        env = {} if way == "plain" else {"LD_PRELOAD": str(self.library)}
        recorded = self.place / "recorded"
        if way == "profiled":
            recorded.mkdir()
            env |= preload.environment(recorded)
        try:
            took = self._ping_pong(env, block) if program == "ping-pong" else self._halo(env)
            records = read(recorded) if way == "profiled" else []
        finally:
            shutil.rmtree(recorded, ignore_errors=True)
        found = [1e9 * each.call_cost for each in records if isinstance(each, Process)]
        return Reading(took, median(found) if found else 0.0)

    def _ping_pong(self, env: dict[str, str], block: int) -> float:
        found = PingPong(self.mpi, self.place, env).measure(_WORK, block)
        return found.median or found.mean

    def _halo(self, env: dict[str, str]) -> float:
        launcher = launcher_for(self.mpi)
        command = launcher.command(
            self.mpi, [str(self.halo), "0", HALO_STEPS], processes=2, env=env, oversubscribe=False
        )
        began = time.monotonic()
        printed(command, launcher.environment(self.mpi, env), TIME_LIMIT)
        return time.monotonic() - began


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--mpi", default="", help="families or paths, by commas; all that are installed by default")
    parser.add_argument("--blocks", type=int, default=12)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=Path("results") / "profile-cost")
    return parser.parse_args()


if __name__ == "__main__":
    main()
