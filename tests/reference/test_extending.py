# SPDX-License-Identifier: BSD-3-Clause
"""The examples of docs/build/extending.md are files that work: a benchmark is planned, an MPI known by what it says."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from raddle import sparse_algorithms
from raddle.catalogue import Catalogue, read
from raddle.launchers import LAUNCHERS
from raddle.mpi import family
from raddle.mpi.places import installed

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "tests/extending"
PROGRAMS = sorted(ROOT.glob("build/release-*/tests/mpi/raddle-bench-extended"))


def test_the_page_shows_the_files() -> None:
    page = (ROOT / "docs/build/extending.md").read_text(encoding="utf-8")
    shown = re.findall(r"^```\w+\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    assert shown == [
        (EXAMPLES / name).read_text(encoding="utf-8")
        for name in (
            "suites/basic/probed_latency.toml",
            "suites/basic/probed_latency.cpp",
            "example.toml",
            "linear/linear.cpp",
        )
    ]


def test_each_algorithm_of_sparse_exchange_is_described() -> None:
    page = (ROOT / "docs/use/sparse.md").read_text(encoding="utf-8")
    assert set(re.findall(r"^\| `(\w+)` \|", page, re.MULTILINE)) >= {*sparse_algorithms.NAMES, "auto"}


def catalogue() -> Catalogue:
    return read(ROOT / "bench/suites", EXAMPLES / "suites")


def test_the_benchmark_is_planned() -> None:
    known = catalogue()
    added = known.benchmarks["probed_latency"]
    assert known.suites["basic"].benchmarks[-1] == "probed_latency"
    assert set(added.sweeps) == set(known.modes)
    assert list(added.works("quick", {}, cpus=2)) == [{"bytes": 8, "threads": 1}]
    assert added.runs("process", "node")
    assert added.runs("lane", "node")


@pytest.mark.parametrize("program", PROGRAMS or [pytest.param(None, marks=pytest.mark.skip("nothing is built yet"))])
def test_the_benchmark_is_the_programs(program: Path) -> None:
    assert "probed_latency" in listed(program)


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A checkout after the two steps of the page."""
    for path in ROOT.iterdir():
        if path.name in ("bench", "raddle"):
            shutil.copytree(path, tmp_path / path.name)
        elif path.name not in (".git", ".venv", "build", "results"):
            (tmp_path / path.name).symlink_to(path)
    for path in (EXAMPLES / "suites/basic").iterdir():
        shutil.copy(path, tmp_path / "bench/suites/basic")
    return tmp_path


def python(tree: Path, *arguments: str) -> str:
    env = {**os.environ, "PYTHONPATH": str(tree)}
    return subprocess.run(
        [sys.executable, *arguments], cwd=tree, env=env, capture_output=True, text=True, check=True
    ).stdout


@pytest.mark.skipif(not installed(), reason="needs an MPI")
def test_two_files_are_enough_for_the_command(tree: Path) -> None:
    assert "64 KiB" in python(tree, "-m", "raddle", "list", "probed_latency")
    wanted = ("run", "probed_latency", "--quick", "--variant", "process", "--dry-run", "--mpi", installed()[0].name)
    assert "process-x1: 1 points" in python(tree, "-m", "raddle", *wanted)


@pytest.mark.long
@pytest.mark.timeout(1200)
@pytest.mark.skipif(not installed(), reason="needs an MPI")
def test_two_files_are_enough_for_the_program(tree: Path) -> None:
    code = "from raddle import native; from raddle.mpi.find import find; "
    code += f"print(native.ensure(find(['{installed()[0].name}'])[0], besides=()))"
    built = Path(python(tree, "-c", code).splitlines()[-1])
    assert built.is_relative_to(tree)
    assert "probed_latency" in listed(built / "raddle-bench")


def listed(program: Path) -> set[str]:
    said = subprocess.run([program, "--list"], capture_output=True, text=True, check=True, timeout=30).stdout
    return {one["name"] for one in json.loads(said)["benchmarks"]}


def test_the_mpi_is_known_by_what_it_says(monkeypatch: pytest.MonkeyPatch) -> None:
    example = family.parse((EXAMPLES / "example.toml").read_text(encoding="utf-8"))
    assert example.launcher in LAUNCHERS
    assert example.variant_env("lane", lanes=4, threads=2) == {"EXAMPLE_MPI_CONTEXTS": "4"}
    assert example.supports("thread", "netns") is not None
    assert example.supports("thread", "no-shm") is None
    before = family._all()
    monkeypatch.setattr(family, "_all", lambda: {**before, "example": example})
    assert family.classify("Example MPI 1.2.3, of a cluster") == (example, "1.2.3")
    assert "example" not in family.families(), "it cannot be installed"
