# SPDX-License-Identifier: BSD-3-Clause
"""Two runs on a machine whose CPUs a hypervisor moves: compared where they were equally far apart."""

from __future__ import annotations

import json

import pytest

from raddle.compare import words
from raddle.compare.document import document
from raddle.compare.points import Comparison
from raddle.model import ResultRow
from raddle.results.launch_log import parse_launches
from raddle.results.merge import merge
from tests.compare.runs import compared
from tests.stats.builders import launch_lines, row_line

LATENCY = {"benchmark": "latency", "variant": "process", "metric": "latency", "unit": "us", "better": "lower"}


def run(near: int, far: int, slower: float = 1.0) -> list[ResultRow]:
    """So many blocks near, where an operation takes 1 us, and far, where it takes 3."""
    lines: list[str] = []
    for block in range(near + far):
        ns, us = (75.0, 1.0) if block < near else (300.0, 3.0)
        name = f"b{block}-mpich"
        row = row_line(name, block, [us * slower * (1 + block / 1000)], **LATENCY)
        lines += launch_lines(name, [row], probe=(ns, ns))
    return merge(parse_launches(lines).launches)


def told(comparison: Comparison) -> list[str]:
    return [each for each in words.warnings(comparison) if each.startswith("from core to core")]


@pytest.mark.parametrize(
    ("a", "b", "medians"),
    [
        # Mostly near, then mostly far: without states B would look three times as slow.
        (run(9, 6), run(6, 9), (1.0, 1.0)),
        (run(4, 9), run(6, 9), (3.0, 3.0)),
        (run(9, 6), run(0, 9), (3.0, 3.0)),
        (run(9, 0), run(6, 9), (1.0, 1.0)),
    ],
)
def test_one_state_is_compared_with_itself(
    a: list[ResultRow], b: list[ResultRow], medians: tuple[float, float]
) -> None:
    found = compared(a, b)
    (point,) = found.points
    assert point.ratio is not None
    assert point.ratio.estimate == pytest.approx(1, rel=0.02)
    assert (point.a.median, point.b.median) == pytest.approx(medians, rel=0.02)
    (warning,) = told(found)
    assert warning.endswith("compared within a state of both")


def test_a_change_is_found_within_the_state() -> None:
    (point,) = compared(run(9, 6), run(6, 9, slower=1.2)).points
    assert point.ratio is not None
    assert point.ratio.estimate == pytest.approx(1 / 1.2, rel=0.02)
    assert point.ratio.shown


def test_runs_without_a_state_in_common_say_so() -> None:
    found = compared(run(9, 0), run(0, 9))
    (point,) = found.points
    assert point.ratio is not None
    assert point.ratio.estimate == pytest.approx(1 / 3, rel=0.02)
    assert told(found) == ["from core to core: 75.0 ns in A, 300 ns in B; ratios tell of that too"]


def test_one_state_needs_no_words() -> None:
    assert told(compared(run(9, 0), run(9, 0))) == []


def test_a_run_that_was_not_probed_is_taken_as_it_is() -> None:
    lines = [
        line
        for block in range(9)
        for line in launch_lines(f"b{block}-mpich", [row_line(f"b{block}-mpich", block, [1.0], **LATENCY)])
    ]
    (point,) = compared(merge(parse_launches(lines).launches), run(9, 6)).points
    assert point.ratio is not None
    assert point.ratio.estimate == pytest.approx(1, rel=0.02)


def test_programs_read_the_state() -> None:
    (point,) = json.loads(document(compared(run(9, 6), run(6, 9))))["points"]
    assert (point["a"]["state"], point["a"]["blocks"], point["b"]["blocks"]) == ("near", 9, 6)
