# SPDX-License-Identifier: BSD-3-Clause
"""The state of each launch, and what rows make of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from raddle.judge.points import difference, ratio, speed
from raddle.model import Probe, Reading, ResultRow
from raddle.results.launch_log import Launch, parse_launches
from raddle.results.machine_states import NONE, ONLY, judge
from raddle.results.merge import merge
from tests.stats.builders import launch_lines, reading, result_row, row_line

Found = Sequence[tuple[float | dict[str, Any], float | dict[str, Any]]]
LATENCY = {"benchmark": "latency", "variant": "process", "metric": "latency", "unit": "us", "better": "lower"}
LIMIT = LATENCY | {"variant": "physical", "params": {"bytes": 8, "threads": 1, "placement": "one-process"}}


def launches(probes: Found, **keys: Any) -> list[Launch]:
    """One in each block, whose value is its block's number plus 1, with what the probe found."""
    lines: list[str] = []
    for block, probe in enumerate(probes):
        name = f"b{block}-mpich"
        row = row_line(name, block, [float(block + 1)], **{**LATENCY, **keys})
        lines += launch_lines(name, [row], probe=probe)
    log = parse_launches(lines)
    assert log.unreadable == []
    return log.launches


def merged(probes: Found, **keys: Any) -> ResultRow:
    (row,) = merge(launches(probes, **keys))
    return row


def states(probes: Found) -> list[str]:
    return [launch.state for launch in launches(probes)]


NEAR, FAR, CHANGED = (75.0, 76.0), (300.0, 310.0), (76.0, 300.0)


def test_each_launch_has_the_state_that_both_probes_found() -> None:
    found = [NEAR, FAR, CHANGED, NEAR, FAR, NEAR, FAR]
    assert states(found) == ["near", "far", NONE, "near", "far", "near", "far"]


def test_noise_of_a_busy_machine_makes_no_states() -> None:
    """As measured with ten programs on two CPUs: 3 % around 200 ns, and some values a time slice late."""
    random = np.random.default_rng(28)
    for _ in range(200):
        found = 200 * np.exp(random.normal(0, 0.03, (40, 2)))
        found *= np.where(random.random((40, 2)) < 0.03, random.uniform(1, 4, (40, 2)), 1)
        probes = [Probe(before=quiet(before), after=quiet(after)) for before, after in found.tolist()]
        assert set(judge(probes).of) == {ONLY}


def quiet(ns: float) -> Reading:
    return Reading(cpus=[(0, 1)], core_to_core_ns=ns, copy_mb_s=1e4)


def test_without_a_gap_there_is_one_state() -> None:
    assert states([NEAR, NEAR, (75.0, 90.0)]) == [ONLY] * 3


def test_a_run_without_probes_is_in_one_state() -> None:
    log = parse_launches(launch_lines("b0-mpich", [row_line("b0-mpich", 0, [1.0])]))
    assert [launch.state for launch in log.launches] == [ONLY]
    assert not log.states.seen
    (row,) = merge(log.launches)
    assert (row.schema, row.state, row.block_states, row.states) == (1, "", [], [])


def test_a_launch_without_an_answer_is_in_none_of_several() -> None:
    found: Found = [NEAR, FAR, (75.0, {"error": "it ended"}), NEAR, FAR, NEAR, FAR]
    assert states(found) == ["near", "far", NONE, "near", "far", "near", "far"]
    assert states([NEAR, NEAR, (75.0, {"error": "it ended"})]) == [ONLY] * 3


def test_other_cpus_have_distances_of_their_own() -> None:
    apart = [(reading(ns) | {"cpus": [[0, 4]]},) * 2 for ns in (400.0, 410.0)]
    assert states([NEAR, NEAR, *apart]) == [ONLY] * 4
    assert states([NEAR, FAR, NEAR, FAR, NEAR, FAR, *apart]) == ["near", "far"] * 3 + [ONLY] * 2


def test_figures_are_of_the_state_in_which_the_run_mostly_was() -> None:
    row = merged([FAR, NEAR, NEAR, CHANGED, NEAR, FAR, NEAR, FAR, NEAR, NEAR])
    assert row.schema == 2
    assert row.blocks == [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]
    assert row.block_states == ["far", "near", "near", "", "near", "far", "near", "far", "near", "near"]
    assert (row.state, row.median, row.ci95) == ("near", 6.0, (2.0, 10.0))
    near, far = row.states
    assert (near.state, near.core_to_core_ns, near.blocks) == ("near", 75.5, 6)
    assert (near.share, far.share) == pytest.approx((0.6, 0.3))
    assert (near.median, near.ci95) == (6.0, (2.0, 10.0))
    assert (far.state, far.core_to_core_ns, far.blocks) == ("far", 305.0, 3)
    assert (far.median, far.ci95) == (6.0, None)
    assert row.flags == ["state-changed"]


def test_a_point_that_the_main_state_never_saw_is_told_in_its_own() -> None:
    lines: list[str] = []
    for block in range(3):
        for mpi, probe in (("mpich", NEAR), ("openmpi", FAR), ("intel", NEAR)):
            name = f"b{block}-{mpi}"
            lines += launch_lines(name, [row_line(name, block, [1.0])], mpi=mpi, probe=probe)
    rows = {row.mpi: row for row in merge(parse_launches(lines).launches)}
    assert [rows[mpi].state for mpi in ("mpich", "openmpi", "intel")] == ["near", "far", "near"]
    assert rows["openmpi"].states[0].median is None


def test_a_point_with_nothing_but_changes_keeps_its_blocks() -> None:
    lines: list[str] = []
    for block in range(3):
        for mpi, probe in (("mpich", NEAR), ("openmpi", FAR), ("intel", CHANGED)):
            name = f"b{block}-{mpi}"
            lines += launch_lines(name, [row_line(name, block, [block + 1.0])], mpi=mpi, probe=probe)
    (row,) = (row for row in merge(parse_launches(lines).launches) if row.mpi == "intel")
    assert (row.state, row.median, row.block_states) == ("", 2.0, ["", "", ""])


def test_blocks_are_paired_within_one_state() -> None:
    a = result_row("latency", "thread", [2.0, 8, 2, 8], block_states=["near", "far", "near", "far"])
    b = result_row("latency", "process", [1.0, 4, 4, 1], block_states=["near", "far", "far", "near"])
    found, less = ratio(a, b), difference(a, b)
    assert found is not None
    assert less is not None
    assert found.n == 2
    assert found.estimate == pytest.approx(2.0)
    assert (less.estimate, less.n) == (2.5, 2)
    changed = result_row("latency", "process", [1.0, 4, 4, 1], block_states=[""] * 4)
    assert ratio(a, changed) is None
    assert ratio(changed, changed) is None


@pytest.mark.parametrize("other", [[], [ONLY] * 4])
def test_what_has_one_state_is_compared_with_each(other: list[str]) -> None:
    a = result_row("latency", "thread", [2.0, 8, 2, 8], block_states=["near", "far", "", "far"])
    b = result_row("latency", "process", [1.0, 4, 4, 4], block_states=other)
    found = ratio(a, b)
    assert found is not None
    assert found.n == 3


def test_the_limit_is_the_launchs_own() -> None:
    lines: list[str] = []
    for block, (probe, value) in enumerate([(NEAR, 0.15), (FAR, 0.6), (NEAR, 0.15), (FAR, 0.6), (CHANGED, 0.4)]):
        names = f"b{block}-mpich", f"b{block}-none"
        lines += launch_lines(names[0], [row_line(names[0], block, [value], **LATENCY)], probe=probe)
        # When the limit itself was measured the CPUs were elsewhere.
        other = NEAR if probe == FAR else FAR
        limit = row_line(names[1], block, [other[0] / 1e3], **LIMIT)
        lines += launch_lines(names[1], [limit], mpi="none", probe=other)
    rows = {row.variant: row for row in merge(parse_launches(lines).launches)}
    own = rows["process"].block_limits
    assert own[:4] == [pytest.approx(ns / 1e3, rel=1e-4) for ns in (75.498, 304.959, 75.498, 304.959)]
    assert own[4] is None
    found = speed(rows["process"], rows["physical"])
    assert found is not None
    assert found.n == 4
    assert found.estimate == pytest.approx(0.5, rel=0.03)


@pytest.mark.parametrize(
    "keys",
    [
        {"params": {"bytes": 64, "threads": 1, "placement": "node"}},
        {"params": {"bytes": 8, "threads": 2, "placement": "node"}},
        {"params": {"bytes": 8, "threads": 1, "placement": "node", "partner": "self"}},
        {"benchmark": "barrier"},
        {"benchmark": "bandwidth", "metric": "bandwidth", "unit": "MB/s", "better": "higher"},
        {"variant": "physical"},
    ],
)
def test_other_work_has_no_limit_of_its_own(keys: dict[str, Any]) -> None:
    assert merged([NEAR, NEAR], **keys).block_limits == []
