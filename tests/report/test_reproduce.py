# SPDX-License-Identifier: BSD-3-Clause
"""The command beside a figure: what decided the measurement is in it, what did not is not, and a shell can read it."""

from __future__ import annotations

import shlex

import pytest
from typer.main import get_command

from raddle.cli import application
from raddle.report.reproduce import FLAGS, VALUED, command


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("raddle run", "raddle run latency --seed 7"),
        ("raddle run --quick", "raddle run latency --quick --seed 7"),
        ("/x/bin/raddle run msgrate latency --mpi mpich", "raddle run latency --mpi mpich --seed 7"),
        ("raddle run --mpi=mpich,intel --out=/tmp/x", "raddle run latency --mpi=mpich,intel --seed 7"),
        ("raddle run --out /tmp/x --bytes 8,64K", "raddle run latency --bytes 8,64K --seed 7"),
        ("raddle run --seed 3 latency", "raddle run latency --seed 7"),
        ("raddle run --mpi '/my mpi/bin'", "raddle run latency --mpi '/my mpi/bin' --seed 7"),
        ("raddle run --mpi", "raddle run latency --seed 7"),
    ],
)
def test_only_what_measures_is_kept(typed: str, expected: str) -> None:
    assert command(shlex.split(typed), ["latency"], 7) == expected


def test_a_hostile_word_stays_one_word() -> None:
    evil = "$(rm -rf /); `x` 'y"
    assert shlex.split(command(["raddle", "run", "--mpi", evil], ["latency"], None))[-1] == evil


def test_every_option_of_run_is_decided_about() -> None:
    """A new option of `raddle run` must be put into one of these lists."""
    run = get_command(application()).commands["run"]  # type: ignore[attr-defined]
    names = {name for param in run.params for name in param.opts if name.startswith("--")}
    not_measuring = {"--seed", "--out", "--resume", "--dry-run", "--help"}
    # The job inside which it measures has the report's machine; asking for another one is up to who does it again.
    of_a_job = {
        "--slurm",
        "--pbs",
        "--nodes",
        "--cpus",
        "--walltime",
        "--queue",
        "--partition",
        "--account",
        "--job-option",
    }
    assert names - not_measuring - of_a_job == set(VALUED) | set(FLAGS)
