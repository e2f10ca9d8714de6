# SPDX-License-Identifier: BSD-3-Clause
"""What can be wrong with a request, and what is answered without asking any MPI."""

from __future__ import annotations

from pathlib import Path

import pytest

from raddle.doctor.pages import markdown
from tests.cli.command import Raddle


@pytest.fixture
def command(tmp_path: Path) -> Raddle:
    return Raddle(tmp_path)


@pytest.mark.parametrize(
    ("arguments", "answer"),
    [
        (("--mpi", "alfa"), "There is no MPI 'alfa'. Did you mean 'alpha'?"),
        (("--accept", "spawn-fail"), "There is no finding 'spawn-fail'. Did you mean 'spawn-fails'?"),
        (("--threads", "0"), "--threads"),
        (("--processes", "many"), "--processes"),
    ],
)
def test_a_bad_request_says_what_would_be_good(command: Raddle, arguments: tuple[str, ...], answer: str) -> None:
    done = command("doctor", *arguments)
    assert done.returncode == 2
    assert answer in done.stderr
    assert done.stdout == ""


def test_the_list_asks_nobody(command: Raddle) -> None:
    done = command("doctor", "--list", "--mpi", "nowhere")
    assert (done.returncode, done.stdout) == (0, markdown())


def test_help_has_examples_and_statuses(command: Raddle) -> None:
    text = command("doctor", "--help").stdout
    for word in ("mpiexec -n 2", "--measure", "--accept", "--json", "Exit status"):
        assert word in text
