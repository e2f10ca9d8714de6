# SPDX-License-Identifier: BSD-3-Clause
"""Compares raddle-bench with the Intel MPI Benchmarks (IMB), which Intel MPI's wheel ships, launch against launch.

    .venv/bin/pip install '.[crosscheck]'      # the OpenMP runtime that IMB-MT needs
    .venv/bin/python tools/crosscheck.py --blocks 12 --out crosscheck.json

IMB is linked with MPICH's ABI, so it runs on MPICH as well as on Intel MPI. Each block makes one launch of either side
for each piece of work, in shuffled order; ratios are paired by block (docs/results.md). IMB prints the mean over a
launch, in which every interruption counts; raddle-bench reports the median, and its mean is compared too, to tell one
effect from the other. docs/crosscheck.md says what was found.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import sys
import sysconfig
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from statistics import fmean, harmonic_mean, median
from typing import Any, NamedTuple

from attempts import Key, keep, printed

from raddle.campaign.starter import Starter
from raddle.catalogue import catalogue
from raddle.errors import UserError
from raddle.execute.records import Row, parse
from raddle.model import PointSet
from raddle.mpi.find import Mpi, find
from raddle.native import ensure
from raddle.plan.schedule import Launch
from raddle.stats.ratio import Ratio, paired_ratio

TIME_LIMIT = 60.0
RUNTIME = "libiomp5.so"


@dataclass(frozen=True)
class Work:
    """One piece of work as either side calls it. `column` counts in IMB's table, from the size on."""

    name: str
    unit: str
    level: str
    benchmark: str
    variant: str
    imb: tuple[str, ...]
    column: int
    params: Mapping[str, int]


# As many repetitions as take about as long as a launch of raddle-bench, so that both see as many interruptions.
_THREADED = ("-thread_level", "multiple", "-datatype", "char", "-repeat")
WORKS = [
    Work("ping-pong 8 B, plain MPI_Init", "us", "single", "latency", "process",
         ("IMB-P2P", "PingPong", "-msglen", "{sizes}", "-iter", "200000"), 2, {"bytes": 8}),
    Work("ping-pong 64 KiB, plain MPI_Init; IMB with two buffers", "us", "single", "latency", "process",
         ("IMB-MPI1", "PingPong", "-msglen", "{sizes}", "-iter_policy", "off", "-iter", "40000,4000"), 2,
         {"bytes": 65536}),
    Work("ping-pong 64 KiB, plain MPI_Init; IMB with one buffer", "us", "single", "latency", "process",
         ("IMB-P2P", "PingPong", "-msglen", "{sizes}", "-iter", "40000"), 2, {"bytes": 65536}),
    Work("ping-pong 8 B, MPI_THREAD_MULTIPLE, one thread", "us", "multiple", "latency", "thread",
         ("IMB-MT", "PingPongMT", *_THREADED, "100000", "-count", "{bytes}"), 4, {"bytes": 8}),
    Work("message rate 8 B, windows of 64, MPI_THREAD_MULTIPLE, one thread", "msg/s", "multiple", "msgrate", "thread",
         ("IMB-MT", "UniBandMT", *_THREADED, "5000", "-window_size", "64", "-count", "{bytes}"), 4,
         {"bytes": 8, "window": 64}),
]  # fmt: skip


class Figures(NamedTuple):
    """One launch of raddle-bench; the mean is over time, as IMB's is."""

    median: float
    mean: float


class Check:
    """Makes the launches of one MPI and reads their figures."""

    def __init__(self, mpi: Mpi, imb: Path, directory: Path) -> None:
        self._mpi, self._imb, self._directory = mpi, imb, directory
        programs = {mpi.name: ensure(mpi) / "raddle-bench", "none": ensure(None) / "raddle-probe"}
        self._starter = Starter(directory, {mpi.name: mpi}, programs)

    def ours(self, work: Work, block: int) -> Figures:
        """What raddle-bench measures."""
        launch = Launch(
            launch=f"b{block}-{work.benchmark}-{work.variant}",
            block=block,
            seed=block,
            mpi=self._mpi.name,
            profile="clean",
            sets=[
                PointSet(benchmark=work.benchmark, placement="node", variants=[work.variant], params=dict(work.params))
            ],
            sampling=catalogue().modes["default"].sampling,
            level=work.level,
            processes=2,
            env={},
        )
        command = self._starter.command(launch)
        lines = printed(command.argv, command.env, TIME_LIMIT).splitlines()
        records = (parse(line.encode(), launch.launch) for line in lines)
        samples = next((found[0].samples for found in records if found and isinstance(found[0], Row)), None)
        if samples is None:
            raise UserError(f"{work.name}: raddle-bench measured nothing")
        mean = harmonic_mean(samples) if work.unit == "msg/s" else fmean(samples)
        return Figures(median(samples), mean)

    def theirs(self, work: Work) -> float:
        """What IMB prints for that size."""
        sizes = self._directory / "sizes"
        sizes.write_text(f"{work.params['bytes']}\n")
        program, *options = (word.format(sizes=sizes, bytes=work.params["bytes"]) for word in work.imb)
        library = [str(self._mpi.prefix / "lib"), sysconfig.get_path("data") + "/lib"]
        env = {**os.environ, **self._mpi.env(), "OMP_NUM_THREADS": "1", "LD_LIBRARY_PATH": os.pathsep.join(library)}
        # A core for each process, as raddle-bench pins its threads.
        env |= {"I_MPI_PIN": "1", "I_MPI_PIN_PROCESSOR_LIST": "allcores", "HYDRA_BINDING": "core"}
        table = printed([str(self._mpi.mpiexec), "-n", "2", str(self._imb / program), *options], env, TIME_LIMIT)
        for line in table.splitlines():
            words = line.split()
            if len(words) > work.column and words[0] == str(work.params["bytes"]) and words[1].isdigit():
                return float(words[work.column])
        raise UserError(f"{program} printed no line for {work.params['bytes']} bytes", hint=table[-500:])


def _launches(checks: Mapping[Mpi, Check], blocks: int, seed: int) -> Iterator[tuple[Key, Callable[[], object]]]:
    for mpi, check in checks.items():
        order = random.Random(seed)
        for block in range(blocks):
            tasks = [(work, side) for work in WORKS for side in ("ours", "theirs")]
            order.shuffle(tasks)
            for work, side in tasks:
                attempt = partial(check.ours, work, block) if side == "ours" else partial(check.theirs, work)
                yield {"mpi": mpi.name, "work": work.name, "side": side, "block": block}, attempt


def _result(mpi: Mpi, work: Work, lines: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Tells how the two sides compare, in blocks in which both were measured, and returns all figures."""
    print(f"{mpi.family.title} {mpi.version}: {work.name}: raddle-bench / IMB")
    own = [line for line in lines if (line["mpi"], line["work"]) == (mpi.name, work.name)]
    ours, theirs = (
        {line["block"]: line["found"] for line in own if line["side"] == side} for side in ("ours", "theirs")
    )
    both = sorted(ours.keys() & theirs.keys())
    medians, means = ({block: ours[block][place] for block in both} for place in range(len(Figures._fields)))
    by_median, by_mean = (paired_ratio(figures, theirs) for figures in (medians, means))
    if by_median is None or by_mean is None:
        print("  no block has both")
    else:
        print(f"  median {_words(by_median)}; mean {_words(by_mean)}")
    return {
        "mpi": mpi.name,
        "version": mpi.version,
        "work": work.name,
        "unit": work.unit,
        "median": list(medians.values()),
        "mean": list(means.values()),
        "imb": [theirs[block] for block in both],
        "median_ratio": _numbers(by_median),
        "mean_ratio": _numbers(by_mean),
    }


def _numbers(ratio: Ratio | None) -> list[float]:
    return [ratio.estimate, *(ratio.interval or ())] if ratio else []


def _words(ratio: Ratio) -> str:
    interval = f"[{ratio.lo:.2f}, {ratio.hi:.2f}]" if ratio.interval else "n too small"
    return f"{ratio.estimate:.2f}x {interval}, {ratio.words}"


def main() -> int:
    """Compare, print a line for each piece of work, write all figures. Returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else "")
    parser.add_argument("--mpi", default="intel,mpich", help="Intel MPI, and MPICH, whose ABI IMB is linked with")
    parser.add_argument("--blocks", type=int, default=12)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=Path("crosscheck.json"))
    options = parser.parse_args()
    if not (Path(sysconfig.get_path("data")) / "lib" / RUNTIME).exists():
        raise UserError("IMB-MT needs an OpenMP runtime.", hint="pip install '.[crosscheck]'")
    imb = find(["intel"])[0].prefix / "bin"
    with tempfile.TemporaryDirectory() as directory:
        checks = {mpi: Check(mpi, imb, Path(directory)) for mpi in find(options.mpi.split(","))}
        lines = keep(options.out.with_suffix(".jsonl"), _launches(checks, options.blocks, options.seed))
    results = [_result(mpi, work, lines) for mpi in checks for work in WORKS]
    options.out.write_text(json.dumps({"seed": options.seed, "results": results}, indent=1) + "\n")
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except UserError as error:
        sys.exit(f"Error: {error}\n{error.hint}")
