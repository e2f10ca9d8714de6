# SPDX-License-Identifier: BSD-3-Clause
"""Jobs of a real Slurm: generated scripts, and where processes go."""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.programs import BUILD, measurable
from tests.clusters import real_slurm
from tests.clusters.fake_job import placements
from tests.clusters.real_slurm import Slurm

ROOT = Path(__file__).resolve().parents[2]
MPIS = [mpi.name for mpi in measurable()]
MISSING = real_slurm.missing()

pytestmark = [
    pytest.mark.timeout(300),
    pytest.mark.skipif(MISSING is not None, reason=str(MISSING)),
    pytest.mark.skipif(not MPIS, reason="no MPI is installed, or nothing is built for it yet"),
]


@pytest.fixture(scope="module")
def slurm(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Slurm]:
    with Slurm(tmp_path_factory.mktemp("slurm") / "daemons") as running:
        yield running


def script(place: Path, slurm: Slurm, *words: str) -> str:
    """The name of the script that `raddle run --slurm` writes into `place`."""
    work = ["latency", "--quick", "--variant", "process", "--mpi", MPIS[0], "--slurm", "--out", "50% of it"]
    done = subprocess.run(
        [sys.executable, "-m", "raddle", "run", *work, *words],
        cwd=place, env={**slurm.env, "PYTHONPATH": str(ROOT)}, capture_output=True, text=True, timeout=200, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def log(place: Path) -> str:
    return (place / "50% of it.log").read_text()


def test_the_job_measures_on_one_node_and_on_two(slurm: Slurm, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(slurm, "env", {**slurm.env, "PYTHONPATH": str(ROOT)})
    words = ("--blocks", "1", "--threads", "1", "--bytes", "8", "--placement", "node,nodes")
    made = script(tmp_path, slurm, *words)
    assert slurm.job(made, cwd=tmp_path, seconds=200) == 0, log(tmp_path)
    assert placements(tmp_path / "50% of it") == {"node", "nodes"}
    assert (tmp_path / "50% of it" / "report.html").exists()
    record = json.loads((tmp_path / "50% of it" / "environment.json").read_text())
    assert record["allocation"]["scheduler"] == "slurm"
    assert record["allocation"]["nodes"] == list(real_slurm.NODES)
    assert int(record["allocation"]["job"]) > 0


def test_before_its_time_is_over_the_run_ends_in_order(
    slurm: Slurm, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(slurm, "env", {**slurm.env, "PYTHONPATH": str(ROOT)})
    made = script(tmp_path, slurm)
    number = slurm("sbatch", "--parsable", made, cwd=tmp_path).strip()
    journal = tmp_path / "50% of it" / "launches.jsonl"
    give_up = time.monotonic() + 100
    while not (journal.exists() and '"type":"row"' in journal.read_text()) and time.monotonic() < give_up:
        time.sleep(0.1)
    slurm("scancel", "--batch", "--signal=TERM", number)  # as --signal=B:TERM does it, a minute before
    while slurm("squeue", "--noheader", "--jobs", number).strip() and time.monotonic() < give_up:
        time.sleep(0.1)
    assert "Stopped by SIGTERM. Finished points are kept." in log(tmp_path)
    assert placements(tmp_path / "50% of it") <= {"node"}


def test_processes_are_where_they_belong(slurm: Slurm, tmp_path: Path) -> None:
    command = f"cd {ROOT} && exec {sys.executable} -m tests.clusters.inside {shlex.quote(str(tmp_path))}"
    words = ["--nodes=2", "--exclusive", f"--output={tmp_path}/log", f"--wrap={command}"]
    assert slurm.job(*words, cwd=tmp_path, seconds=250) == 0, (tmp_path / "log").read_text()
    told = json.loads((tmp_path / "told.json").read_text())
    first, second = real_slurm.NODES
    expected = [[first, second, second], [first] * 2 + [second] * 2, [first] * 6]
    launchers = {"mpich": "hydra", "intel": "intel-hydra", "openmpi": "prrte"}
    ways = [(name, launchers[name]) for name in MPIS] + [
        (name, "srun") for name in MPIS if name != "openmpi" or real_slurm.has_pmix()
    ]
    assert told["places"] == [[*way, nodes] for way in ways for nodes in expected]
    assert told["measured"]
    for row in told["measured"]:
        assert "failed" not in row, row
        assert row["params"]["placement"] == "nodes"
        assert row["validated_bytes"] > 0


def test_a_shell_that_is_a_step_starts_others(slurm: Slurm) -> None:
    """`srun --pty bash` holds the CPUs that its launches need."""
    words = ["--nodes=1", "--exclusive", "--ntasks=1", f"--chdir={ROOT}"]
    told = json.loads(slurm("srun", *words, sys.executable, "-m", "tests.clusters.nested", seconds=280))
    ways = ("run", "doctor", "gain", "exec")
    assert {way for _, _, way, _ in told} == set(ways)
    assert {launcher for _, launcher, _, _ in told} > {"srun"}
    expected = {"run": 2, "doctor": 1, "gain": 2, "exec": 2}
    assert [one for one in told if one[3] != "here\n" * expected[one[2]]] == []


@pytest.mark.skipif("mpich" not in {mpi.name for mpi in measurable()}, reason="MPICH is not installed, or not built")
def test_a_step_on_two_nodes_is_profiled_and_checked(slurm: Slurm, tmp_path: Path) -> None:
    (mpich,) = [mpi for mpi in measurable() if mpi.name == "mpich"]
    halo = BUILD / f"release-{mpich.label}" / "examples" / "halo"
    raddle = f"PYTHONPATH={ROOT} {sys.executable} -m raddle"
    step = f"srun --mpi=pmi2 --nodes=2 --ntasks=2 {halo}"
    lines = [f"{raddle} {verb} --mpi mpich --out {verb} -- {step}" for verb in ("profile", "check")]
    (tmp_path / "job").write_text("\n".join(["#!/bin/sh", *lines, ""]))
    assert slurm.job("--nodes=2", "--exclusive", "--output=log", "job", cwd=tmp_path, seconds=200) == 0, (
        tmp_path / "log"
    ).read_text()
    said = (tmp_path / "log").read_text()
    assert said.count("2 ranks, 300 steps: as one rank computes it") == 2
    summary = json.loads((tmp_path / "profile" / "summary.json").read_text())
    assert (summary["ended"], len(summary["processes"])) == ("finalized", 2)
    assert {"MPI_Isend", "MPI_Irecv", "MPI_Waitall"} <= {each["name"] for each in summary["functions"]}
    checked = json.loads((tmp_path / "check" / "check.json").read_text())
    assert (checked["processes"], checked["findings"]) == (2, [])
