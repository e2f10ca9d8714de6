# SPDX-License-Identifier: BSD-3-Clause
"""`raddle run --slurm` and `--pbs`: what the scripts say, and what comes of them where a job is only pretended."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from raddle.campaign import submit as submit_
from raddle.clusters.job import generous, quoted, seconds_of, walltime
from raddle.errors import UserError
from tests.cli.command import _DRIVER, Raddle
from tests.cli.mpi_fakes import executable
from tests.clusters import fake_job

WORK = ("latency", "--quick", "--blocks", "1", "--threads", "1", "--bytes", "8", "--mpi", "alpha")


@pytest.fixture
def raddle(tmp_path: Path) -> Raddle:
    place = tmp_path / "a place"  # everything has to be quoted
    place.mkdir()
    env = {"TEST_LOG": str(tmp_path), "TEST_NODES": "a,b", "FAKE_THEIRS": "1"}
    return Raddle(place, {**env, "PATH": f"{fake_job.commands(tmp_path / 'bin')}:{os.environ['PATH']}"})


def directives(script: str, mark: str) -> list[str]:
    return [line.removeprefix(f"{mark} ") for line in script.splitlines() if line.startswith(f"{mark} ")]


def command(script: str) -> list[str]:
    """What it runs at last, which bash finds sound."""
    subprocess.run(["bash", "-n"], input=script, text=True, check=True, timeout=20)
    (last,) = (line for line in script.splitlines() if line.startswith(f"exec {shlex.quote(submit_._raddle()[0])} "))
    return shlex.split(last)[1:]


def submit(raddle: Raddle, script: str, by: str) -> None:
    """Hands the script to the batch system, with the fake MPIs in place of real ones."""
    path = raddle.place / script
    fakes = f"exec {shlex.join([sys.executable, str(_DRIVER)])} run"
    path.write_text(re.sub(r"^exec (?!>).*? run", lambda _: fakes, path.read_text(), flags=re.MULTILINE))
    env = {**os.environ, **raddle.env, "FAKE_HOME": str(raddle.place / "fakes"), "PYTHONPATH": str(_DRIVER.parents[2])}
    subprocess.run([by, script], cwd=raddle.place, env=env, check=True, timeout=100, stdout=subprocess.DEVNULL)


def test_slurm_is_asked_for_what_the_run_needs(raddle: Raddle) -> None:
    done = raddle(
        "run", *WORK, "--placement", "node,nodes", "--slurm", "--out", "50% of it", "--queue", "short",
        "--account", "me", "--job-option=--constraint=rome", "--job-option", "--mem=0",
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert done.stdout == "50% of it.sbatch\n"
    assert "Submit it: sbatch '50% of it.sbatch'" in done.stderr
    script = (raddle.place / "50% of it.sbatch").read_text()
    assert directives(script, "#SBATCH") == [
        "--job-name=raddle", "--nodes=2", "--exclusive", "--time=00:15:00", "--signal=B:TERM@60", "--no-requeue",
        f'--output="{raddle.place}/50%% of it.log"', "--partition=short", "--account=me", "--constraint=rome",
        "--mem=0",
    ]  # fmt: skip
    assert command(script) == [
        *submit_._raddle(), "run", "latency", "--mpi", "alpha", "--placement", "node,nodes", "--bytes", "8",
        "--threads", "1", "--quick", "--blocks", "1", "--out", "50% of it",
    ]  # fmt: skip
    assert not (raddle.place / "50% of it").exists()


def test_pbs_is_asked_for_the_same(raddle: Raddle) -> None:
    done = raddle("run", *WORK, "--pbs", "--out", "x", "--cpus", "64", "--walltime", "1:02:03")
    assert done.returncode == 0, done.stderr
    script = (raddle.place / "x.qsub").read_text()
    assert directives(script, "#PBS") == [
        "-N raddle", "-l select=1:ncpus=64:mpiprocs=64", "-l place=scatter:excl", "-l walltime=01:02:03", "-r n",
        "-j oe", "-V",
    ]  # fmt: skip
    assert command(script)[-2:] == ["--out", "x"]


def test_it_is_this_raddle_in_whatever_directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    python = executable(tmp_path / "bin" / "python", "exit 0")
    monkeypatch.setattr(sys, "executable", str(python))
    assert submit_._raddle() == [str(python), "-m", "raddle"]
    (tmp_path / "bin" / "raddle").mkdir()
    assert submit_._raddle() == [str(python), "-m", "raddle"]
    (tmp_path / "bin" / "raddle").rmdir()
    script = executable(tmp_path / "bin" / "raddle", "exit 0")
    assert submit_._raddle() == [str(script)]


@pytest.mark.skipif(not Path(sys.executable).with_name("raddle").is_file(), reason="raddle is not installed here")
def test_a_directory_of_its_name_where_the_job_starts_is_not_it(raddle: Raddle) -> None:
    """A clone, say."""
    (raddle.place / "raddle").mkdir()
    (raddle.place / "raddle" / "__init__.py").write_text("raise SystemExit('this is another')\n")
    (raddle.place / "raddle" / "__main__.py").touch()
    script = raddle("run", *WORK, "--slurm", "--dry-run").stdout
    words = [*command(script)[: command(script).index("run")], "--version"]
    done = subprocess.run(words, cwd=raddle.place, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr


def test_by_default_it_names_the_directory_itself(raddle: Raddle) -> None:
    done = raddle("run", *WORK, "--slurm")
    assert done.returncode == 0, done.stderr
    path = raddle.place / done.stdout.strip()
    assert path.parent.name == "results"
    assert command(path.read_text())[-1] == str(Path("results") / path.stem)
    assert "--nodes=1" in directives(path.read_text(), "#SBATCH")


def test_the_script_of_the_directory_one_is_in_stands_beside_it(raddle: Raddle) -> None:
    here = raddle.place / "here"
    here.mkdir()
    done = Raddle(here, {**raddle.env, "FAKE_HOME": str(raddle.place / "fakes")})("run", *WORK, "--slurm", "--out", ".")
    assert done.returncode == 0, done.stderr
    assert command((raddle.place / "here.sbatch").read_text())[-1] == "."


def test_what_is_left_of_the_run_one_is_in_is_a_job_too(raddle: Raddle) -> None:
    assert raddle("run", *WORK, "--out", "x").returncode == 0
    env = {**raddle.env, "FAKE_HOME": str(raddle.place / "fakes")}
    done = Raddle(raddle.place / "x", env)("run", "--resume", ".", "--slurm")
    assert done.stdout == f"{raddle.place / 'x-resumed.sbatch'}\n", done.stderr


def test_a_dry_run_shows_the_script_and_writes_nothing(raddle: Raddle) -> None:
    done = raddle("run", *WORK, "--slurm", "--dry-run", "--out", "x")
    assert done.stdout.startswith("#!/bin/bash\n#SBATCH")
    assert not list(raddle.place.glob("x*"))


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["--slurm", "--pbs"], "--slurm and --pbs contradict each other"),
        (["--nodes", "2"], "are about a job"),
        (["--slurm", "--walltime", "90"], "--walltime cannot be '90'"),
        (["--slurm", "--nodes", "1", "--placement", "nodes"], "this job has one node"),
        (["--slurm", "--job-option", "--a\n--b"], "cannot be a line of a job's script"),
        (["--slurm", "--resume", "results", "--quick"], "--resume goes on as it was planned"),
    ],
)
def test_what_cannot_be_is_refused(raddle: Raddle, words: list[str], problem: str) -> None:
    done = raddle("run", *words)
    assert done.returncode == 2
    assert problem in done.stderr
    assert not list(raddle.place.glob("**/*.sbatch"))


def test_a_job_of_slurm_measures_on_one_node_and_on_two(raddle: Raddle, tmp_path: Path) -> None:
    assert raddle("run", *WORK, "--placement", "node,nodes", "--slurm", "--out", "x").returncode == 0
    submit(raddle, "x.sbatch", "sbatch")
    assert fake_job.placements(raddle.place / "x") == {"node", "nodes"}, (tmp_path / "out").read_text()
    environment = json.loads((raddle.place / "x" / "environment.json").read_text())
    assert environment["allocation"] == {"scheduler": "slurm", "job": "7", "nodes": ["a", "b"]}
    made = {tuple(word for word in step if word.startswith("--nod")) for step in fake_job.steps(tmp_path)}
    assert made == {("--nodes=1", "--nodelist=a"), ("--nodes=2", "--nodelist=a,b")}


def test_what_is_left_of_it_is_a_job_too(raddle: Raddle, tmp_path: Path) -> None:
    assert raddle("run", *WORK, "--slurm", "--out", "x").returncode == 0
    submit(raddle, "x.sbatch", "sbatch")
    done = raddle("run", "--resume", "x", "--slurm", "--queue", "short")
    assert done.stdout == "x-resumed.sbatch\n", done.stderr
    assert command((raddle.place / "x-resumed.sbatch").read_text())[-3:] == ["run", "--resume", "x"]


def test_a_job_of_pbs_stays_on_one_node_where_the_launcher_is_unknown(raddle: Raddle, tmp_path: Path) -> None:
    assert raddle("run", *WORK, "--pbs", "--out", "x").returncode == 0
    submit(raddle, "x.qsub", "qsub")  # which gives it two
    log = (raddle.place / "x.log").read_text()
    assert "ask for a job of one node" in log
    raddle.env["TEST_NODES"] = "a"
    submit(raddle, "x.qsub", "qsub")
    assert fake_job.placements(raddle.place / "x") == {"node", "one-process"}
    environment = json.loads((raddle.place / "x" / "environment.json").read_text())
    assert environment["allocation"] == {"scheduler": "pbs", "job": "7.server", "nodes": ["a"]}


def test_times() -> None:
    assert [seconds_of(text) for text in ("0:15:00", "100:00:01")] == [900, 360_001]
    assert [walltime(number) for number in (900, 360_001)] == ["00:15:00", "100:00:01"]
    assert [generous(number) for number in (0, 1, 200, 201, 3600)] == [600, 900, 900, 1200, 6000]


def test_directives_are_quoted() -> None:
    assert quoted("/a/b-%j.log") == "/a/b-%j.log"
    assert quoted("/a b/c'd") == '"/a b/c\'d"'
    for bad in ('a"b', "a\nb", "a\\b"):
        with pytest.raises(UserError, match="cannot be named"):
            quoted(bad)
