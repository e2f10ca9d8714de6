# SPDX-License-Identifier: BSD-3-Clause
"""`raddle try` on the real MPIs, with small programs that are built as executables and as libraries."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from raddle.launchers import LAUNCHERS
from raddle.mpi.find import Mpi
from raddle.results.rows import read_results
from tests.cli import fakes
from tests.interpose.headers import ROOT, mpis

MPIS = [mpi for mpi in mpis() if (ROOT / "build" / f"release-{mpi.label}" / "tests" / "mpi" / "ranks_own.so").exists()]
each_mpi = pytest.mark.parametrize("mpi", MPIS, ids=lambda mpi: mpi.name)
pytestmark = [
    pytest.mark.timeout(300),
    pytest.mark.skipif(not MPIS, reason="no MPI is installed, or nothing is built for it yet"),
    pytest.mark.skipif("SLURM_JOB_ID" in os.environ, reason="an allocation decides what a launcher may do"),
]


@pytest.fixture(autouse=True)
def clean() -> Iterator[None]:
    yield
    assert fakes.alive("TEST_TRY=1") == []


def command(mpi: Mpi, *options: str, program: str, words: tuple[str, ...]) -> list[str]:
    place = ROOT / "build" / f"release-{mpi.label}" / "tests" / "mpi"
    flags = ["--as-ranks", str(place / f"{program}.so"), "--blocks", "1", *options]
    mine = [sys.executable, "-m", "raddle", "try", "--mpi", mpi.name, *flags, "--"]
    known = LAUNCHERS[mpi.family.launcher]().flags(mpi, oversubscribe=True)
    return [*mine, "mpiexec", "-n", "2", *known, str(place / f"{program}_pie"), *words]


def environment(mpi: Mpi) -> dict[str, str]:
    return {**os.environ, **mpi.env(), "PYTHONPATH": str(ROOT), "TEST_TRY": "1"}


def tried(
    mpi: Mpi, out: Path, *options: str, program: str = "ranks_own", words: tuple[str, ...] = ("words",)
) -> tuple[int, Any, str]:
    """Exit status, what was printed as JSON, messages."""
    done = subprocess.run(
        command(mpi, "--json", "--out", str(out), *options, program=program, words=words), env=environment(mpi),
        stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=200, check=False,
    )  # fmt: skip
    return done.returncode, json.loads(done.stdout) if done.stdout.startswith("{") else None, done.stderr


@each_mpi
def test_a_program_is_tried_in_all_shapes_and_writes_the_same(mpi: Mpi, tmp_path: Path) -> None:
    status, found, said = tried(mpi, tmp_path / "out", "--metric", "words of ([0-9]+)")
    assert status == 0, said
    assert [(line["variant"], line["same_output"]) for line in found["lines"]] == [
        ("process", True),
        ("ranks-1x2", True),
    ]
    figures = {figure["quantity"]: figure for figure in found["lines"][1]["figures"]}
    assert set(figures) == {"wall", "cpu", "words of ([0-9]+)"}
    assert figures["words of ([0-9]+)"]["median"] == 2
    assert figures["wall"]["gain"] > 0
    rows = read_results(tmp_path / "out" / "results.jsonl")
    assert {(row.variant, row.metric) for row in rows} >= {("process", "wall"), ("ranks-1x2", "wall")}


@each_mpi
def test_an_output_that_differs_is_shown(mpi: Mpi, tmp_path: Path) -> None:
    options = ("--shared", "ranks_own_library")
    status, found, said = tried(mpi, tmp_path / "out", *options, words=("library",))
    assert status == 1, said
    assert found["lines"][1]["differences"] == ["- library of 2 ranks: own", "+ library of 2 ranks: WRONG"]
    assert found["unsteady"] == []


WRITER = """
#include <mpi.h>
#include <stdio.h>
int main(int argc, char **argv) {
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    FILE *file = rank ? NULL : fopen(argv[1], "a");
    if (file) fprintf(file, "ranks %d\\n", size), fclose(file);
    MPI_Finalize();
    return 0;
}
"""


def test_a_file_that_the_program_writes_is_of_its_output(tmp_path: Path) -> None:
    """Appended to, by a program that PATH finds: each run begins without it, and what was there at first comes back."""
    mpi = MPIS[0]
    (tmp_path / "writer.c").write_text(WRITER, encoding="utf-8")
    for form in (["-o", "writer"], ["-fPIC", "-shared", "-o", "writer.so"]):
        compiler = [str(mpi.mpicc), "writer.c", *form]
        subprocess.run(compiler, cwd=tmp_path, env=environment(mpi), check=True, timeout=60)
    (tmp_path / "log").write_text("of before\n", encoding="utf-8")
    env = {**environment(mpi), "PATH": f"{tmp_path}:{os.environ['PATH']}"}
    options = ["--file", "log", "--metric", "ranks (?P<ranks>[0-9]+)", "--blocks", "2", "--out", "out", "--json"]
    words = [sys.executable, "-m", "raddle", "try", "--mpi", mpi.name, *options, "--", "mpiexec", "-n", "2"]
    done = subprocess.run(
        [*words, "writer", "log"], cwd=tmp_path, env=env, stdin=subprocess.DEVNULL, capture_output=True, text=True,
        timeout=200, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    lines = json.loads(done.stdout)["lines"]
    assert [line["same_output"] for line in lines] == [True, True]
    assert [each["median"] for line in lines for each in line["figures"] if each["quantity"] == "ranks"] == [
        2,
        2,
    ]
    assert (tmp_path / "log").read_text(encoding="utf-8") == "of before\n"
    assert not (tmp_path / "log.before-try").exists()


def test_a_file_that_nobody_writes_is_no_output(tmp_path: Path) -> None:
    status, _, said = tried(MPIS[0], tmp_path / "out", "--file", str(tmp_path / "nothing"))
    assert status == 2
    assert "has not written" in " ".join(said.split())


@each_mpi
def test_the_report_is_made_again_of_what_was_kept(mpi: Mpi, tmp_path: Path) -> None:
    status, _, said = tried(mpi, tmp_path / "out")
    assert status == 0, said
    (tmp_path / "out" / "report.md").unlink()
    words = [sys.executable, "-m", "raddle", "report", str(tmp_path / "out")]
    done = subprocess.run(words, env=environment(mpi), capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, "1 x 2 threads" in done.stdout) == (0, True), done.stderr
    assert "| 2 processes |" in (tmp_path / "out" / "report.md").read_text(encoding="utf-8")


def cases() -> list[str]:
    """What a process has and a rank has: each is a program of its own."""
    text = (ROOT / "tests" / "mpi" / "ranks_own" / "main.cpp").read_text(encoding="utf-8")
    found = re.findall(r'^    \{"([a-z0-9_]+)".*cases::', text, re.MULTILINE)
    # Hydra never ends the stdin of the second process, and merges what processes write in the midst of lines.
    return [case for case in found if case not in ("input", "many_lines")]


@pytest.mark.long
@each_mpi
@pytest.mark.parametrize("case", cases())
def test_a_program_of_each_trait_writes_the_same(mpi: Mpi, case: str, tmp_path: Path) -> None:
    status, found, said = tried(mpi, tmp_path / "out", "--blocks", "0", words=(case,))
    assert status == 0, said
    assert [line["same_output"] for line in found["lines"]] == [True, True]


def test_a_program_that_fails_as_processes_is_no_trial(tmp_path: Path) -> None:
    words = command(MPIS[0], "--out", str(tmp_path / "out"), program="ranks_own", words=("words",))
    done = subprocess.run(
        [*words[:-2], "/bin/false"], env=environment(MPIS[0]), stdin=subprocess.DEVNULL, capture_output=True, text=True,
        timeout=100, check=False,
    )  # fmt: skip
    assert done.returncode == 2
    assert "as processes ended with status 1" in " ".join(done.stderr.split())


def test_a_program_that_takes_too_long_is_told(tmp_path: Path) -> None:
    status, _, said = tried(MPIS[0], tmp_path / "out", "--time-limit", "0.1")
    assert status == 2
    assert "did not end within" in said


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_leaves_no_process_and_keeps_what_was_measured(number: signal.Signals, tmp_path: Path) -> None:
    out = tmp_path / "out"
    words = command(MPIS[0], "--blocks", "1000", "--out", str(out), program="ranks_own", words=("words",))
    process = subprocess.Popen(
        words, env=environment(MPIS[0]), stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    )
    assert process.stderr
    for line in process.stderr:
        if line.startswith("Block 2"):
            break
    time.sleep(0.2)
    process.send_signal(number)
    process.communicate(timeout=60)
    assert process.returncode == 128 + number
    assert read_results(out / "results.jsonl")
