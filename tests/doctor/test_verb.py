# SPDX-License-Identifier: BSD-3-Clause
"""What can be wrong with a request, and what is answered without asking any MPI."""

from __future__ import annotations

import re
import signal
import time
from contextlib import ExitStack
from pathlib import Path

import pytest

from raddle.doctor.catalogue import Finding
from raddle.doctor.pages import markdown
from raddle.locks import exclusive
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


def test_a_terminal_gets_no_markdown(command: Raddle) -> None:
    """Rich takes what FORCE_COLOR says to be one."""
    done = command("doctor", "--list", FORCE_COLOR="1", COLUMNS="80")
    shown = re.sub(r"\x1b\[[\d;]*m", "", done.stdout)
    assert done.returncode == 0
    assert max(map(len, shown.splitlines())) <= 80
    assert "*" not in shown
    assert all(str(finding) in shown for finding in Finding)
    assert "\n   Do: " in shown, "on a line of its own"


@pytest.mark.timeout(60)
@pytest.mark.parametrize("busy", [True, False])
def test_it_can_be_interrupted_while_it_waits_for_a_build_and_while_it_asks(command: Raddle, busy: bool) -> None:
    trace = command.place / "trace"
    trace.touch()
    with ExitStack() as stack:
        if busy:
            stack.enter_context(exclusive(command.place / "fakes" / ".lock", lambda: None))
        process = stack.enter_context(command.start("doctor", "--mpi", "alpha"))
        while not trace.read_text() and process.poll() is None:
            time.sleep(0.02)
        assert trace.read_text().split()[0] == ("waiting" if busy else "trial")
        process.send_signal(signal.SIGINT)
        try:
            out, err = process.communicate(timeout=20)
        finally:
            process.kill()
    assert process.returncode == 130, err
    assert out == ""


def test_help_has_examples_and_statuses(command: Raddle) -> None:
    text = command("doctor", "--help").stdout
    for word in ("mpiexec -n 2", "--measure", "--accept", "--json", "Exit status"):
        assert word in text
