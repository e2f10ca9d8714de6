# SPDX-License-Identifier: BSD-3-Clause
"""Differences between two machines, MPIs and sessions are found and told."""

from __future__ import annotations

from typing import Any

import pytest

from raddle.clusters.allocation import Allocation
from raddle.surroundings import Difference, differences
from tests.compare.runs import known_environment

HOST: dict[str, Any] = {
    "cpu": "A", "cores": 4, "allowed_cpus": [0, 1, 2, 3], "kernel": "6.1", "os": "Debian", "memory_gib": 8.0,
    "governor": "", "smt": None, "numa_nodes": 1,
}  # fmt: skip
MPI = {"name": "mpich", "title": "MPICH", "version": "5.0.2", "library_version": "v\nofi", "prefix_kind": "wheel"}


def found(a: dict[str, Any], b: dict[str, Any]) -> list[Difference]:
    return differences(known_environment(**a), known_environment(**b), ["mpich", "intel"])


def test_the_same_machine_has_none() -> None:
    assert found({"host": HOST, "commit": "1", "created": "x"}, {"host": HOST, "commit": "2", "created": "y"}) == []


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"cpu": "B"}, ("CPU", "A", "B")),
        ({"kernel": "6.12"}, ("kernel", "6.1", "6.12")),
        ({"allowed_cpus": [0, 2]}, ("CPUs allowed", "0-3", "0,2")),
        ({"governor": "powersave"}, ("frequency governor", "unknown", "powersave")),
        ({"smt": True}, ("SMT", "unknown", "on")),
        ({"cores": 8}, ("CPUs of the machine", "4", "8")),
    ],
)
def test_another_machine(change: dict[str, Any], expected: tuple[str, str, str]) -> None:
    assert found({"host": HOST}, {"host": HOST | change}) == [expected]


def test_another_version_or_build_of_an_mpi_that_is_compared() -> None:
    other = {**MPI, "name": "other", "version": "9"}
    assert found({"mpis": [MPI, other]}, {"mpis": [MPI | {"version": "5.0.3"}]}) == [
        ("mpich version", "5.0.2", "5.0.3")
    ]
    assert found({"mpis": [MPI]}, {"mpis": [MPI | {"library_version": "v\nucx\nx"}]}) == [
        ("mpich library", "ofi", "ucx")
    ]
    assert found({"mpis": [MPI]}, {"mpis": []}) == []


def test_another_node_of_a_cluster() -> None:
    one, other = (Allocation("slurm", job, [node]) for job, node in (("7", "a"), ("8", "b")))
    assert found({"allocation": one}, {"allocation": other}) == [("nodes of the job", "a", "b")]
    assert found({"allocation": one}, {}) == [("nodes of the job", "a", "none")]


def test_settings_and_compiler() -> None:
    assert found({"settings": {"A": "1", "B": "2"}}, {"settings": {"B": "3"}, "compiler": "clang"}) == [
        ("compiler", "g++ 12.2.0", "clang"),
        ("A", "1", "not set"),
        ("B", "2", "3"),
    ]
