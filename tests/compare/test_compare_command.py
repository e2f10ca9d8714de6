# SPDX-License-Identifier: BSD-3-Clause
"""`raddle compare` as a user, or a regression check, meets it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from raddle.cli import application
from raddle.errors import UserError
from tests.compare.runs import STEADY, after, before, write
from tests.stats.builders import result_row


@pytest.fixture
def runs(tmp_path: Path) -> tuple[str, str]:
    return str(write(tmp_path / "old", before())), str(write(tmp_path / "new", after(), kernel="6.99"))


def invoke(*arguments: str) -> Result:
    return CliRunner().invoke(application("compare"), ["compare", *arguments], env={"COLUMNS": "80"})


def test_two_runs(runs: tuple[str, str]) -> None:
    done = invoke(*runs)
    assert done.exit_code == 0
    assert "4 points: 1 worse, 1 better" in done.output
    assert "! kernel: 6.1.0-37-cloud-amd64 in A, 6.99 in B" in done.output


@pytest.mark.parametrize(("percent", "status"), [("10", 1), ("0", 1), ("60", 0)])
def test_fail_above(runs: tuple[str, str], percent: str, status: int) -> None:
    done = invoke(*runs, "--fail-above", percent)
    assert done.exit_code == status
    assert f"--fail-above {percent} {'failed' if status else 'passed'}" in done.output


def test_fail_above_does_not_mix_with_a_form_for_programs(runs: tuple[str, str]) -> None:
    done = invoke(*runs, "--fail-above", "10", "--format", "json")
    assert done.exit_code == 1
    assert json.loads(done.stdout)["failed"] is True
    assert "1 of 4 points" in done.stderr


def test_markdown(runs: tuple[str, str]) -> None:
    done = invoke(*runs, "--format", "markdown", "--benchmark", "latency,bandwidth", "--variant", "thread")
    assert done.exit_code == 0
    assert done.output.startswith("### 1 point: 1 worse\n")


def test_two_mpis_of_one_run(tmp_path: Path) -> None:
    rows = [result_row("latency", "thread", STEADY, mpi=mpi) for mpi in ("mpich", "openmpi")]
    done = invoke(str(write(tmp_path / "run", rows)), "--mpi", "mpich,openmpi")
    assert done.exit_code == 0
    assert "1 point: 1 no difference shown" in done.output
    assert "paired by block" in done.output


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--fail-above", "100"], "cannot be 100"),
        (["--fail-above", "-1"], "cannot be -1"),
        (["--fail-above", "nan"], "cannot be nan"),
        (["--format", "md"], "no --format 'md'"),
        (["--mpi", "mpitch"], "Did you mean 'mpich'"),
        (["--variant", "threads"], "Did you mean 'thread'"),
        (["--fail-above", "5", "--variant", "lane", "--benchmark", "bandwidth"], "no point has an interval"),
        (["--variant", "threadcomm"], "no point in common"),
    ],
)
def test_bad_requests(runs: tuple[str, str], arguments: list[str], message: str) -> None:
    caught = invoke(*runs, *arguments).exception
    assert isinstance(caught, UserError)
    assert message in str(caught)
    assert caught.hint


def test_the_command_itself(runs: tuple[str, str]) -> None:
    """An error is a message and status 2, no traceback."""
    done = subprocess.run(
        [sys.executable, "-m", "raddle", "compare", runs[0]], capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 2
    assert done.stderr.startswith("Error: There is only one directory: nothing to compare it with.\n")


def test_help_has_examples() -> None:
    text = invoke("--help").output
    for word in ("raddle compare results/before results/after", "--fail-above", "Exit status"):
        assert word in text
