# SPDX-License-Identifier: BSD-3-Clause
"""`raddle run` on simulated nodes: they are there while it measures, and gone however it ends."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from raddle.mpi.find import Mpi
from raddle.source_tree import sources
from raddle.topology import namespace
from tests.cli import fakes
from tests.cli.programs import measurable
from tests.topology.simulated import needs_nodes

MPIS = measurable()
WORK = ("latency", "--placement", "netns", "--variant", "process", "--threads", "1", "--out", "out")

pytestmark = [
    needs_nodes,
    pytest.mark.timeout(300),
    pytest.mark.skipif(not MPIS, reason="no MPI is installed, or nothing is built for it yet"),
]


def start(place: Path, *arguments: str) -> subprocess.Popen[str]:
    """`raddle run` with these arguments in `place`."""
    return subprocess.Popen(
        [sys.executable, "-m", "raddle", "run", *WORK, *arguments],
        cwd=place,
        env={**os.environ, "PYTHONPATH": str(sources()), "TEST_PLACE": str(place)},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def nodes_of(process: subprocess.Popen[str]) -> list[str]:
    return [name for name in namespace.existing() if name.startswith(f"raddle-{process.pid}-")]


def measures(place: Path, mpi: Mpi) -> bool:
    """Whether processes of this MPI have started, rather than those of the probe."""
    journal = place / "out" / "launches.jsonl"
    lines = journal.read_text(encoding="utf-8").splitlines() if journal.exists() else []
    return any(line.startswith(f'{{"type":"launch","launch":"b0-{mpi.name}') for line in lines)


def test_rows_tell_the_placement_and_the_path(tmp_path: Path) -> None:
    with start(tmp_path, "--quick", "--blocks", "1", "--bytes", "8", "--mpi", MPIS[0].name) as process:
        _, err = process.communicate(timeout=280)
    assert process.returncode == 0, err
    rows = map(json.loads, (tmp_path / "out" / "results.jsonl").read_text(encoding="utf-8").splitlines())
    paths = [(row["params"]["placement"], row["extra"]["path"]) for row in rows if row["mpi"] != "none"]
    assert paths == [("netns", "veth0")]
    assert nodes_of(process) == []


@pytest.mark.parametrize(
    ("mpi", "number"),
    [*((mpi, signal.SIGTERM) for mpi in MPIS), *((mpi, signal.SIGINT) for mpi in MPIS[:1])],
    ids=lambda value: value.name,
)
def test_an_interrupted_run_leaves_nothing(mpi: Mpi, number: signal.Signals, tmp_path: Path) -> None:
    with start(tmp_path, "--quick", "--mpi", mpi.name) as process:
        give_up = time.monotonic() + 200
        while not measures(tmp_path, mpi) and process.poll() is None and time.monotonic() < give_up:
            time.sleep(0.02)
        assert len(nodes_of(process)) == 2
        process.send_signal(number)
        _, err = process.communicate(timeout=80)
    assert process.returncode == 128 + number, err
    assert nodes_of(process) == []
    assert fakes.alive(f"TEST_PLACE={tmp_path}") == []
