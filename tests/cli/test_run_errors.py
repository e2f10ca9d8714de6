# SPDX-License-Identifier: BSD-3-Clause
"""Requests that cannot be met are answered with what to do, and nothing is left behind."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from raddle.notices import notice_of
from tests.cli.command import Raddle

pytestmark = pytest.mark.timeout(110)


@pytest.fixture
def command(tmp_path: Path) -> Raddle:
    return Raddle(tmp_path)


@pytest.mark.parametrize(
    ("arguments", "message", "hint"),
    [
        (["msgrat"], "There is no benchmark 'msgrat'. Did you mean 'msgrate'?", "Valid: msgrate, latency, bandwidth, "),
        (["--variant", "lanes"], "There is no variant 'lanes'. Did you mean 'lane'?", "threadcomm"),
        (["--placement", "socket"], "There is no placement 'socket'.", "node, one-process"),
        (["--mpi", "alhpa"], "There is no MPI 'alhpa'. Did you mean 'alpha'?", "Valid: alpha, beta."),
        (["--profile", "cleen"], "Did you mean 'clean'?", "clean, shared"),
        (["--bytes", "many"], "--bytes cannot be 'many'.", "64K"),
        (["--threads", "0"], "--threads cannot be 0.", "1 to 4096"),
        (["latency", "--window", "4"], "--window means nothing to latency.", "msgrate, bandwidth"),
        (["dsde_census", "--param", "ranks=0", "--dry-run"], "ranks cannot be 0.", "a whole number, 2 to 4096"),
        (["dsde_census", "--param", "fraction=nan"], "fraction cannot be nan.", "a number above 0, 1 at most"),
        (["overlap", "--param", "ratio=inf"], "ratio cannot be inf.", "1000 at most"),
        (["latency", "--param", "ranks=4"], "--param ranks means nothing to latency.", "dsde_census"),
        (["latency", "--param", "rank=4"], "There is no parameter 'rank'. Did you mean 'ranks'?", "Valid: "),
        (["--quick", "--publish"], "contradict each other", "Choose one."),
        (["--pin", "loose"], "There is no way to --pin 'loose'.", "compact, spread, none"),
        (["--variant", "process", "--placement", "one-process"], "Nothing is left to run", "raddle list"),
        (["--mpi", "beta", "--variant", "threadcomm"], "only Alpha MPI has it", "Choose another"),
        (["--resume", "nowhere"], "There is no plan to go on with in nowhere", "raddle run"),
        (["--resume", "nowhere", "--quick"], "--resume goes on as it was planned.", "start a new run"),
    ],
)
def test_bad_request(command: Raddle, arguments: list[str], message: str, hint: str) -> None:
    done = command("run", *arguments)
    assert done.returncode == 2
    assert done.stdout == ""
    said = " ".join(done.stderr.split())
    assert message in said
    assert hint in said
    assert "Traceback" not in said
    assert command.started() == []
    assert not (command.place / "results").exists()


@pytest.mark.parametrize("arguments", [["--blocks", "0"], ["--seed", "-1"], ["--sped"], ["--time-limit", "soon"]])
def test_bad_option(command: Raddle, arguments: list[str]) -> None:
    done = command("run", *arguments)
    assert done.returncode == 2
    assert arguments[0] in done.stderr
    assert command.started() == []


@pytest.mark.parametrize(("file", "resumes"), [("thesis.tex", False), ("plan.json", True)])
def test_directory_in_use(command: Raddle, file: str, resumes: bool) -> None:
    (command.place / "out").mkdir()
    (command.place / "out" / file).write_text("years of work")
    done = command("run", "--quick", "--out", "out")
    assert done.returncode == 2
    assert "out is not empty." in done.stderr
    assert ("--resume out" in done.stderr) == resumes
    assert [path.name for path in (command.place / "out").iterdir()] == [file]


@pytest.mark.parametrize("place", ["file", "file/below", "/proc/nothing"])
def test_unwritable_directory(command: Raddle, place: str) -> None:
    (command.place / "file").touch()
    done = command("run", "--quick", "--out", place)
    assert done.returncode == 2
    assert f"Cannot write to {place}" in done.stderr
    assert "Choose another --out." in done.stderr
    assert command.started() == []


@pytest.mark.parametrize("option", ["--out", "--mpi"])
def test_a_name_that_is_no_text(command: Raddle, option: str) -> None:
    name = os.fsdecode(b"r\xe9sultats")
    (command.place / name).mkdir()
    done = command("run", "--quick", option, name)
    assert done.returncode == 2
    assert "r?sultats is not UTF-8" in done.stderr
    assert command.started() == []


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_directory_without_permission(command: Raddle) -> None:
    (command.place / "out").mkdir(mode=0o555)
    done = command("run", "--quick", "--out", "out")
    assert done.returncode == 2
    assert "Permission denied" in done.stderr


def test_a_directory_of_the_users_stays(command: Raddle) -> None:
    (command.place / "out").mkdir()
    assert command("run", "--quick", "--mpi", "alpha,beta", "--out", "out", FAKE_BROKEN="beta").returncode == 2
    assert (command.place / "out").is_dir()


def test_broken_compiler_of_an_mpi_that_was_asked_for(command: Raddle) -> None:
    done = command("run", "--quick", "--mpi", "alpha,beta", "--out", "out", FAKE_BROKEN="beta")
    assert done.returncode == 2
    assert "cannot build for Beta MPI: mpicc: command not found" in done.stderr
    assert "install a compiler" in done.stderr
    assert not (command.place / "out").exists()


def test_broken_compiler_of_one_of_many(command: Raddle) -> None:
    arguments = ("run", "latency", "--bytes", "8", "--quick", "--blocks", "1", "--out", "out")
    done = command(*arguments, FAKE_BROKEN="beta")
    assert done.returncode == 0
    assert "Beta MPI 1.0 is left out: cannot build for Beta MPI: mpicc: command not found" in done.stderr
    assert not any("beta" in launch for launch in command.started())
    notices = json.loads((command.place / "out" / "environment.json").read_text())["notices"]
    assert [notice["name"] for notice in notices] == ["mpi-missing"]
    assert "does not work" in notice_of("mpi-missing").seen  # it is there, and was not asked for


def test_broken_compiler_of_all(command: Raddle) -> None:
    done = command("run", "--quick", "--out", "out", FAKE_BROKEN="alpha,beta")
    assert done.returncode == 2
    assert "cannot build for Beta MPI" in done.stderr
    assert not (command.place / "out").exists()
