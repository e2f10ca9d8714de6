# SPDX-License-Identifier: BSD-3-Clause
"""The library's own algorithms on simulated ranks: bench/simulated, built and run with SimGrid's SMPI."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from pathlib import Path

import msgspec

from raddle import native
from raddle.errors import UserError
from raddle.scale.algorithms import RADIX
from raddle.scale.parameters import Machine
from raddle.scale.prediction import Prediction
from raddle.scale.workload import Workload
from raddle.stats.order import median

MOST = 1024
PATIENCE = 900.0  # seconds for one algorithm
_EXCHANGE = re.compile(r"^exchange ([0-9.]+) us$", re.MULTILINE)
_PLATFORM = """<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <cluster id="cluster" prefix="node" suffix="" radical="0-{last}" speed="1Gf" core="{cores}"
           bw="{bandwidth:.6e}Bps" lat="{latency:.6e}s" sharing_policy="SPLITDUPLEX"
           loopback_bw="{inner_bandwidth:.6e}Bps" loopback_lat="{inner_latency:.6e}s"/>
</platform>
"""


class Simulated(msgspec.Struct, frozen=True):
    """One algorithm at one number of ranks: the median of `samples`, or what stood in the way."""

    ranks: int
    algorithm: str
    seconds: float | None
    samples: list[float]
    problem: str = ""


def missing() -> str:
    """What is not there for it; empty: nothing."""
    absent = [tool for tool in ("smpicxx", "smpirun") if shutil.which(tool) is None]
    return f"SimGrid's {' and '.join(absent)}" if absent else ""


def simulate(prediction: Prediction, iterations: int, tell: Callable[[str], None]) -> list[Simulated]:
    """All that is not too large. Raises UserError where SimGrid is missing or the driver is not built."""
    works = [work for work in prediction.works if work.ranks <= MOST]
    if not works:
        raise UserError(f"No more than {MOST} ranks are simulated.", hint="Ask for fewer: --ranks 64,448,1024")
    program = build(tell)
    found = []
    for work, costs in zip(prediction.works, prediction.costs, strict=True):
        for name in costs if work in works else ():
            tell(f"Simulating {name} at {work.ranks} ranks ...")
            found.append(run(program, work, prediction.machine, name, iterations))
    return found


def build(tell: Callable[[str], None]) -> Path:
    """The driver, up to date. Raises UserError."""
    if what := missing():
        raise UserError(f"{what} not found.", hint="Debian and Ubuntu: apt-get install libsimgrid-dev")
    return native.build_apart("simulated", "smpicxx", tell) / "raddle-simulated"


def run(program: Path, work: Workload, machine: Machine, algorithm: str, iterations: int) -> Simulated:
    """One simulation. A simulator that fails or takes too long is a finding, and no end."""
    with tempfile.TemporaryDirectory(prefix="raddle-simulated-") as place:
        command = [*_command(Path(place), work, machine), str(program)]
        neighbours = max(1, round(work.out))
        command += [algorithm, *map(str, (neighbours, work.payload, iterations, int(work.even), RADIX))]
        try:
            done = _finish(command, Path(place))
        except subprocess.TimeoutExpired:
            return Simulated(work.ranks, algorithm, None, [], f"> {PATIENCE:.0f} s")
    samples = [float(text) * 1e-6 for text in _EXCHANGE.findall(done.stdout)]
    if done.returncode or len(samples) != iterations:
        return Simulated(work.ranks, algorithm, None, samples, _problem(done.stdout, done.stderr))
    return Simulated(work.ranks, algorithm, median(samples), samples)


def _problem(stdout: str, stderr: str) -> str:
    """What a simulator that failed said about it; the first thing that it prints then is its own command line."""
    said = [line for line in stderr.splitlines() if line.strip() and not re.search(r"/(INFO|WARNING)\]", line)]
    return next((line for line in (*said, *reversed(stdout.splitlines())) if line), "failed")[:200]


def _finish(command: list[str], place: Path) -> subprocess.CompletedProcess[str]:
    # The simulator is a child of a script, and ends with it only as a group.
    with subprocess.Popen(
        command, cwd=place, env={**os.environ, "LC_ALL": "C"}, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, text=True, errors="replace", start_new_session=True,
    ) as process:  # fmt: skip
        try:
            out, err = process.communicate(timeout=PATIENCE)
        except BaseException:
            os.killpg(process.pid, 9)
            raise
    return subprocess.CompletedProcess(command, process.returncode, out, err)


def _command(place: Path, work: Workload, machine: Machine) -> list[str]:
    """smpirun with a cluster of these parameters; time passes only in messages and overheads, as in the model."""
    nodes = -(-work.ranks // machine.per_node)
    cores = machine.cores or machine.per_node
    between, within = machine.between, machine.within
    text = _PLATFORM.format(
        last=nodes - 1,
        cores=cores,
        bandwidth=1 / between.G,
        latency=between.L / 2,  # a route has two links
        inner_bandwidth=1 / within.G,
        inner_latency=within.L,
    )
    (place / "platform.xml").write_text(text, encoding="utf-8")
    hosts = "".join(f"node{number}:{machine.per_node}\n" for number in range(nodes))
    (place / "hosts").write_text(hosts, encoding="utf-8")
    overhead = f"0:{between.o:.6e}:0"
    settings = {
        "smpi/simulate-computation": "no",
        "smpi/host-speed": "1Gf",
        "smpi/coll-selector": "mpich",
        # What a message costs its two processors, whatever the kind of the call.
        "smpi/os": overhead,
        "smpi/ois": overhead,
        "smpi/or": overhead,
        "smpi/iprobe": f"{between.o:.6e}",
        "smpi/test": f"{between.o / 10:.6e}",
        # By default each poll waits longer than the one before: a round of NBX then takes milliseconds.
        "smpi/grow-injected-times": "no",
        # By default it gives up ("no active element") where hundreds of messages share links.
        "maxmin/precision": "1e-3",
        # Corrections for one cluster of 2010, on which a message of 1 KiB would take several latencies.
        "smpi/bw-factor": "0:1",
        "smpi/lat-factor": "0:1",
        "network/TCP-gamma": "0",
        "network/weight-S": "0",
        # KiB of each rank: the default of 8 MiB would be 8 GiB for 1024.
        "contexts/stack-size": "512",
    }
    options = [f"--cfg={name}:{value}" for name, value in settings.items()]
    launcher = ["smpirun", "-np", str(work.ranks), "-platform", "platform.xml", "-hostfile", "hosts"]
    return [*launcher, "--log=root.thres:warning", *options]
