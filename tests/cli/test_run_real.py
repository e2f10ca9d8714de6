# SPDX-License-Identifier: BSD-3-Clause
"""A run with the real programs on the real MPIs, as small as it can be."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from raddle.mpi.find import Mpi
from tests import leftovers
from tests.cli import fakes
from tests.cli.programs import measurable

ROOT = Path(__file__).resolve().parents[2]
MPIS = measurable()

pytestmark = [
    pytest.mark.timeout(300),
    pytest.mark.skipif(not MPIS, reason="no MPI is installed, or nothing is built for it yet"),
]
each_mpi = pytest.mark.parametrize("mpi", MPIS, ids=lambda mpi: mpi.name)


@pytest.fixture(autouse=True)
def clean(tmp_path: Path) -> Iterator[None]:
    """Nothing may be left: no process, no shared memory."""
    before = leftovers.segments()
    yield
    assert fakes.alive(f"TEST_PLACE={tmp_path}") == []
    assert leftovers.abandoned(before) == set()


def start(place: Path, *arguments: str) -> subprocess.Popen[str]:
    """`raddle run` with these arguments into `place`/out."""
    return subprocess.Popen(
        [sys.executable, "-m", "raddle", "run", *arguments],
        cwd=place,
        env={**os.environ, "PYTHONPATH": str(ROOT), "TEST_PLACE": str(place)},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def lines(place: Path, kind: str) -> list[dict[str, object]]:
    """The lines of that type in the journal."""
    path = place / "out" / "launches.jsonl"
    if not path.exists():
        return []
    found = (json.loads(line) for line in path.read_text().splitlines() if line.endswith("}"))
    return [line for line in found if line["type"] == kind]


@each_mpi
def test_every_variant_has_a_row(tmp_path: Path, mpi: Mpi) -> None:
    with start(tmp_path, "msgrate", "--quick", "--blocks", "1", "--mpi", mpi.name, "--out", "out") as process:
        _, err = process.communicate(timeout=280)
    assert process.returncode == 0, err
    rows = [json.loads(line) for line in (tmp_path / "out" / "results.jsonl").read_text().splitlines()]
    measured = {(row["variant"], row["params"]["placement"], row["params"]["threads"]) for row in rows}
    expected = {
        (variant, place, threads)
        for variant in ("process", "thread", "lane", "threadcomm", "endpoint-direct")
        for place in ("node", "one-process")
        for threads in (1, 2)
        if mpi.family.supports(variant, place) is None
    }
    assert measured - {("physical", "one-process", 1)} >= expected
    assert all(row["mpi_version"] == mpi.version for row in rows if row["mpi"] != "none")


@each_mpi
def test_proxies_are_started_beside_the_program_and_counted(tmp_path: Path, mpi: Mpi) -> None:
    work = ("ep_overhead", "--param", "partner=self", "--variant", "process,endpoint-proxy")
    with start(tmp_path, *work, "--quick", "--blocks", "1", "--mpi", mpi.name, "--out", "out") as process:
        _, err = process.communicate(timeout=280)
    assert process.returncode == 0, err
    rows = [json.loads(line) for line in (tmp_path / "out" / "results.jsonl").read_text().splitlines()]
    found = {row["variant"]: (row["params"]["processes"], row["extra"]["busy_contexts"]) for row in rows}
    assert found == {"process": (1, 1), "endpoint-proxy": (1, 2)}


@each_mpi
def test_interrupted_launch_leaves_nothing(tmp_path: Path, mpi: Mpi) -> None:
    options = ("--placement", "node", "--variant", "lane", "--threads", "2", "--bytes", "8", "--window", "1,2,4,8")
    with start(tmp_path, "msgrate", *options, "--mpi", mpi.name, "--out", "out") as process:
        give_up = time.monotonic() + 200
        while not lines(tmp_path, "launch") and process.poll() is None and time.monotonic() < give_up:
            time.sleep(0.02)
        process.send_signal(signal.SIGTERM)
        _, err = process.communicate(timeout=80)
    assert process.returncode == 128 + signal.SIGTERM, err
    assert "--resume out" in err
