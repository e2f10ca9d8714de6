# SPDX-License-Identifier: BSD-3-Clause
"""What the placements promise, on each MPI: the kernel's counters say which way the bytes went, and so does the row."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from raddle.execute.starter import Starter
from raddle.launchers import launcher_for
from raddle.model import NO_MPI, PointSet, Sampling
from raddle.mpi.find import Mpi
from raddle.plan.schedule import Launch
from raddle.source_tree import sources
from raddle.topology.netns import SimulatedNodes
from tests.cli.programs import measurable
from tests.topology.simulated import needs_nodes, on

MPIS = measurable()
BYTES = 1 << 20  # the launchers' own words, some 100 kB, must not matter

pytestmark = [
    needs_nodes,
    pytest.mark.skipif(not MPIS, reason="no MPI is installed, or nothing is built for it yet"),
]
each_mpi = pytest.mark.parametrize("mpi", MPIS, ids=lambda mpi: mpi.name)


@pytest.fixture
def nodes() -> Iterator[SimulatedNodes]:
    with SimulatedNodes() as made:
        yield made


class Measured:
    """One launch of raddle-bench, and what an interface of its first node counted meanwhile."""

    def __init__(self, mpi: Mpi, placement: str, nodes: SimulatedNodes, place: Path, interface: str) -> None:
        command = starter(mpi, nodes, place).command(launch(mpi, placement))
        argv = command.argv
        # On a node also what needs only one: nobody else talks over the loopback there.
        here = nodes.hosts(2)
        if placement != "netns":
            argv = here.on_first(argv)
        before = counted(next(iter(here.shares)), interface)
        done = subprocess.run(
            argv, env=command.env, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=100, check=False
        )
        assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
        self.counted = counted(next(iter(here.shares)), interface) - before
        lines = [json.loads(line) for line in done.stdout.splitlines() if line.startswith('{"') and line.endswith("}")]
        (self.row,) = (line for line in lines if line["type"] == "row")
        (said,) = (line for line in lines if line["type"] == "launch")
        self.hosts = [rank["host"] for rank in said["ranks"]]
        self.payload = len(self.row["samples"]) * self.row["iterations"] * BYTES  # no less


def starter(mpi: Mpi, nodes: SimulatedNodes | None, place: Path) -> Starter:
    build = sources() / "build"
    programs = {
        NO_MPI: build / "release-no-mpi" / "bin" / "raddle-probe",
        mpi.name: build / f"release-{mpi.label}" / "bin" / "raddle-bench",
    }
    return Starter(place, {mpi.name: mpi}, programs, nodes or SimulatedNodes())


def launch(mpi: Mpi, placement: str) -> Launch:
    """A bandwidth from one process to another, as small as it can be."""
    params: dict[str, Any] = {"bytes": BYTES, "threads": 1, "window": 4}
    return Launch(
        launch=f"b0-{mpi.name}-{placement}",
        block=0,
        seed=1,
        mpi=mpi.name,
        profile="shared",  # two processes and whatever else the machine does
        sets=[PointSet(benchmark="bandwidth", placement=placement, variants=["process"], params=params)],
        sampling=Sampling(min_samples=3, max_samples=5, batch=1, max_seconds=0.2, warmup_seconds=0.02),
        level="single",
        processes=2,
        env={**mpi.family.profile_env("shared"), **mpi.family.placement_env(placement)},
        topology=placement,
    )


def counted(node: str, interface: str) -> int:
    """Bytes that an interface of a node received and sent."""
    (line,) = (line for line in on(node, ["cat", "/proc/net/dev"]).splitlines() if f" {interface}:" in f" {line}")
    numbers = line.partition(":")[2].split()
    return int(numbers[0]) + int(numbers[8])


@each_mpi
def test_on_simulated_nodes_messages_pass_the_cable(mpi: Mpi, nodes: SimulatedNodes, tmp_path: Path) -> None:
    measured = Measured(mpi, "netns", nodes, tmp_path, "veth0")
    assert measured.hosts == list(nodes.hosts(2).shares)
    assert measured.counted >= measured.payload
    assert measured.row["extra"]["path"] == "veth0"


@each_mpi
def test_without_shared_memory_messages_pass_the_loopback(mpi: Mpi, nodes: SimulatedNodes, tmp_path: Path) -> None:
    measured = Measured(mpi, "no-shm", nodes, tmp_path, "lo")
    assert len(set(measured.hosts)) == 1
    assert measured.counted >= 2 * measured.payload  # the loopback receives all that it sends
    assert measured.row["extra"]["path"] == "lo"


@each_mpi
def test_left_alone_they_pass_neither(mpi: Mpi, nodes: SimulatedNodes, tmp_path: Path) -> None:
    measured = Measured(mpi, "node", nodes, tmp_path, "lo")
    assert measured.counted < measured.payload / 2
    assert measured.row["extra"]["path"] == "memory"


@each_mpi
@pytest.mark.parametrize("processes", [1, 2, 3, 4])
def test_ranks_are_shared_out_in_order(mpi: Mpi, processes: int, nodes: SimulatedNodes, tmp_path: Path) -> None:
    hosts, launcher = nodes.hosts(processes), launcher_for(mpi)
    # Stays a moment: a launcher that still talks to it when it has gone may be ended by SIGPIPE (seen: Hydra).
    show = ["sh", "-c", 'echo "${PMI_RANK:-$PMIX_RANK} $(hostname) $SAID"; sleep 0.2']
    argv = launcher.command(mpi, show, processes=processes, env={"SAID": "a b"}, oversubscribe=True, hosts=hosts)
    environment = launcher.environment(mpi, {})  # so that only the command line can have brought the setting
    done = subprocess.run(
        argv, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60, check=True
    )
    where = [name for name, count in hosts.shares.items() for _ in range(count)]
    assert sorted(done.stdout.splitlines()) == [f"{rank} {name} a b" for rank, name in enumerate(where)]
