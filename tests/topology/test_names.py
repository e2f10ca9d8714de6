# SPDX-License-Identifier: BSD-3-Clause
"""Whose a simulated node is, by its name, and which ranks live on it."""

from __future__ import annotations

import os
import re
import subprocess

import pytest

from raddle.topology.names import is_stale, own_names, shares


def test_own_names_are_two_and_stay() -> None:
    first, second = own_names()
    assert first != second
    assert own_names() == (first, second)
    assert re.fullmatch(rf"raddle-{os.getpid()}-\d+-a", first)
    assert len(first) < 64  # what a host may be called


def test_own_nodes_are_not_stale() -> None:
    assert not any(map(is_stale, own_names()))


def test_nodes_of_a_process_that_is_gone_are_stale() -> None:
    done = subprocess.Popen(["true"])
    done.wait()
    assert is_stale(f"raddle-{done.pid}-1-a")


def test_a_later_process_with_the_same_number_owns_nothing() -> None:
    assert is_stale(f"raddle-{os.getpid()}-1-b")  # we started later than one tick after the boot


@pytest.mark.parametrize("name", ["raddle", "raddle-1-1", "raddle-4194305-1-c", "my-raddle-4194305-1-a", "cni-4194305"])
def test_other_namespaces_are_never_stale(name: str) -> None:
    assert not is_stale(name)


@pytest.mark.parametrize(
    ("processes", "expected"), [(1, (1, 0)), (2, (1, 1)), (3, (1, 2)), (4, (2, 2)), (5, (3, 2)), (8, (4, 4))]
)
def test_shares(processes: int, expected: tuple[int, int]) -> None:
    assert shares(processes) == expected
