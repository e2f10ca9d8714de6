# SPDX-License-Identifier: BSD-3-Clause
"""Compares raddle-bench with programs that share no code with it, launch against launch, within states of the machine.

    .venv/bin/pip install -e '.[crosscheck]'      # the OpenMP runtime that IMB-MT needs
    .venv/bin/python tools/crosscheck.py --blocks 12 --out crosscheck.json

They are the Intel MPI Benchmarks, which Intel MPI's wheel ships, on each MPI of MPICH's ABI, and ping_pong.c on all.
Each block makes one launch of each side for each piece of work, in shuffled order, with a probe of the machine before
and after it; ratios are paired by block within a state (docs/use/measuring.md).
docs/evidence/crosscheck.md says what was found.
"""

from __future__ import annotations

import argparse
import random
import sys
import sysconfig
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import msgspec
from attempts import Key, keep
from crosscheck_sides import Figures, Side, Work, sides

from raddle.environment import environment
from raddle.errors import UserError
from raddle.execute.state_probe import StateProbe
from raddle.model import Probe
from raddle.mpi.distribution import packaged
from raddle.mpi.find import Mpi, find
from raddle.mpi.places import installed
from raddle.native import ensure
from raddle.results.machine_states import MachineStates, Seen, judge
from raddle.stats.ratio import Ratio, paired_ratio

RUNTIME = "libiomp5.so"
OURS = "raddle-bench"

# As many repetitions as take about as long as a launch of raddle-bench, so that all see as many interruptions.
_THREADED = ("-thread_level", "multiple", "-datatype", "char", "-repeat")
WORKS = [
    Work("ping-pong 8 B, MPI_Init", "us", "single", "latency", "process", {"bytes": 8},
         ("IMB-P2P", "PingPong", "-msglen", "{sizes}", "-iter", "200000"), 2, samples=2000, batch=100),
    Work("ping-pong 64 KiB, MPI_Init", "us", "single", "latency", "process", {"bytes": 65536},
         ("IMB-MPI1", "PingPong", "-msglen", "{sizes}", "-iter_policy", "off", "-iter", "40000,4000"), 2,
         samples=2000, batch=10),
    Work("ping-pong 8 B, MPI_THREAD_MULTIPLE, one thread", "us", "multiple", "latency", "thread", {"bytes": 8},
         ("IMB-MT", "PingPongMT", *_THREADED, "100000", "-count", "{bytes}"), 4, samples=2000, batch=100),
    Work("message rate 8 B, windows of 64, MPI_THREAD_MULTIPLE, one thread", "msg/s", "multiple", "msgrate", "thread",
         {"bytes": 8, "window": 64},
         ("IMB-MT", "UniBandMT", *_THREADED, "5000", "-window_size", "64", "-count", "{bytes}"), 4,
         samples=1000, batch=5),
]  # fmt: skip


class Probed(msgspec.Struct):
    """One launch, and the machine before and after it."""

    figures: Figures
    probe: Probe


def launches(
    all_sides: Mapping[str, Sequence[Side]], blocks: int, seed: int, probe: StateProbe
) -> Iterator[tuple[Key, Callable[[], object]]]:
    """Every launch with its key, block by block, in shuffled order."""

    def attempt(side: Side, work: Work, block: int) -> Probed:
        before = probe.ask(2, "compact")
        found = side.measure(work, block)
        return Probed(found, Probe(before=before, after=probe.ask(2, "compact")))

    order = random.Random(seed)
    for block in range(blocks):
        tasks = [(mpi, side, work) for mpi, own in all_sides.items() for side in own for work in WORKS]
        order.shuffle(tasks)
        for mpi, side, work in tasks:
            yield (
                {"mpi": mpi, "work": work.name, "side": side.name, "block": block},
                partial(attempt, side, work, block),
            )


class Measured(NamedTuple):
    """One launch that succeeded, and the state of the machine that it was in."""

    mpi: str
    work: str
    side: str
    block: int
    state: str
    figures: Figures


def measured(lines: Sequence[Mapping[str, Any]]) -> tuple[list[Measured], MachineStates]:
    """Those of the file, and the states that the machine was in."""
    probed = [msgspec.convert(line["found"], Probed) for line in lines]
    states = judge([each.probe for each in probed])
    found = [
        Measured(line["mpi"], line["work"], line["side"], line["block"], state, each.figures)
        for line, each, state in zip(lines, probed, states.of, strict=True)
    ]
    return found, states


def compared(mpi: Mpi, work: Work, other: Side, launches: Sequence[Measured], seen: Seen) -> dict[str, Any]:
    """raddle-bench against another side, in blocks in which both were measured in that state; tells it."""

    def own(side: str) -> dict[int, Figures]:
        wanted = (mpi.name, work.name, side, seen.name)
        return {each.block: each.figures for each in launches if each[:3] + each[4:5] == wanted}

    ours, theirs = own(OURS), own(other.name)
    by_median = paired_ratio(_medians(ours), _medians(theirs))
    by_mean = paired_ratio(*({block: each.mean for block, each in one.items()} for one in (ours, theirs)))
    print(f"{mpi.title}: {work.name}: raddle-bench / {other.name}, {seen.words}")
    print(f"  median {_words(by_median)}; mean {_words(by_mean)}")
    return {
        "mpi": mpi.name,
        "version": mpi.version,
        "work": work.name,
        "unit": work.unit,
        "other": other.name,
        "state": seen.name,
        "core_to_core_ns": seen.core_to_core_ns,
        "ours": ours,
        "theirs": theirs,
        "median_ratio": _numbers(by_median),
        "mean_ratio": _numbers(by_mean),
    }


def _medians(launches: Mapping[int, Figures]) -> dict[int, float]:
    """IMB has none."""
    return {block: each.median for block, each in launches.items() if each.median is not None}


def _numbers(ratio: Ratio | None) -> list[float]:
    return [ratio.estimate, *(ratio.interval or ())] if ratio else []


def _words(ratio: Ratio | None) -> str:
    if ratio is None:
        return "of none"
    interval = f"[{ratio.lo:.2f}, {ratio.hi:.2f}]" if ratio.interval else "n too small"
    return f"{ratio.estimate:.2f}x {interval}, {ratio.words}"


def _all() -> list[str]:
    """Those from wheels, and the distribution's."""
    return [*(member.name for member in installed()), *(known.name for known in packaged().values() if known.mpicc)]


def main() -> int:
    """Compare, print a line for each piece of work, write all figures. Returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else "")
    parser.add_argument("--mpi", default="", help="with commas; default: all that are there, the distribution's too")
    parser.add_argument("--blocks", type=int, default=12)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=Path("crosscheck.json"))
    options = parser.parse_args()
    if not (Path(sysconfig.get_path("data")) / "lib" / RUNTIME).exists():
        raise UserError("IMB-MT needs an OpenMP runtime.", hint="pip install -e '.[crosscheck]'")
    mpis = {mpi.name: mpi for mpi in find(options.mpi.split(",") if options.mpi else _all())}
    imb = find(["intel"])[0].prefix / "bin"
    record = environment(sys.argv, options.seed, mpis, [])
    all_sides = {}
    with tempfile.TemporaryDirectory() as place, StateProbe(ensure(None) / "raddle-probe") as probe:
        for name, mpi in mpis.items():
            (Path(place) / name).mkdir()
            all_sides[name] = sides(mpi, imb, Path(place) / name)
        lines = keep(options.out.with_suffix(".jsonl"), launches(all_sides, options.blocks, options.seed, probe))
    found, states = measured(lines)
    results = [
        compared(mpi, work, other, found, seen)
        for name, mpi in mpis.items()
        for work in WORKS
        for other in all_sides[name]
        if other.name != OURS
        for seen in states.seen
    ]
    written = msgspec.json.encode({"environment": record, "results": results})
    options.out.write_bytes(written + b"\n")
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except UserError as error:
        sys.exit(f"Error: {error}\n{error.hint}")
