# SPDX-License-Identifier: BSD-3-Clause
"""The examples of docs/extending.md are files that work: the benchmark is planned, the MPI is known by what it says."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import pytest

from raddle import sparse_algorithms
from raddle.catalogue import Catalogue, read
from raddle.launchers import LAUNCHERS
from raddle.mpi import family

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "tests/extending"
PROGRAMS = sorted(ROOT.glob("build/release-*/tests/mpi/raddle-bench-extended"))


def test_the_page_shows_the_files() -> None:
    page = (ROOT / "docs/extending.md").read_text(encoding="utf-8")
    shown = re.findall(r"^```\w+\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    assert shown == [
        (EXAMPLES / name).read_text(encoding="utf-8")
        for name in (
            "suites/basic/probed_latency.cpp",
            "suites/basic/probed_latency.toml",
            "example.toml",
            "linear/linear.cpp",
        )
    ]


def test_each_algorithm_of_sparse_exchange_is_described() -> None:
    page = (ROOT / "docs/sparse.md").read_text(encoding="utf-8")
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
    listed = subprocess.run([program, "--list"], capture_output=True, text=True, check=True, timeout=30).stdout
    (said,) = [one for one in json.loads(listed)["benchmarks"] if one["name"] == "probed_latency"]
    added = catalogue().benchmarks["probed_latency"]
    assert (said["metric"], said["unit"], said["better"]) == (added.metric, added.unit, added.better)
    assert {name: about["default"] for name, about in said["params"].items()} == {
        name: about.default for name, about in added.params.items()
    }


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
