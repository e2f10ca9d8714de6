# SPDX-License-Identifier: BSD-3-Clause
"""Each flag on a point that deserves it, and not on its neighbour that does not."""

from __future__ import annotations

import json
from typing import Any

import pytest

from raddle.notices import Notice
from tests.stats.builders import launch_lines, merge_lines, row_line

STEADY = [10.0, 10.1, 9.9, 10.05, 9.95, 10.02, 9.98, 10.03, 9.97] * 4
FALLING = [float(x) for x in range(100, 60, -1)]


@pytest.fixture
def flags() -> Any:
    """Flags of one point from six blocks; `rows[i]` replaces keys of the row of block i, `about` of the launches."""

    def of(*rows: dict[str, Any], end: dict[str, Any] | None = None, **about: Any) -> set[str]:
        lines: list[str] = []
        for block in range(6):
            keys = {"samples": STEADY} | (rows[block] if block < len(rows) else rows[-1] if len(rows) == 1 else {})
            name = f"b{block}"
            made = launch_lines(name, [row_line(name, block, keys.pop("samples"), **keys)], **about)
            made[3] = json.dumps(json.loads(made[3]) | (end or {}))
            lines += made
        [row] = merge_lines(lines)
        return set(row.flags)

    return of


def test_a_good_point_has_none(flags: Any) -> None:
    assert flags({}) == set()


def test_oversubscribed(flags: Any) -> None:
    assert flags({}, profile="shared") == {"oversubscribed"}
    assert flags({"flags": ["oversubscribed"]}) == {"oversubscribed"}


def test_one_cpu(flags: Any) -> None:
    assert flags({"cpus": [[0], [0]]}) == {"one-cpu"}
    assert flags({"cpus": [[0], [1]]}) == set()
    assert flags({"cpus": [[0, 1], [0, 1]]}) == set()  # not pinned, but room enough
    assert flags({"cpus": [[], []]}) == set()  # not read back
    assert flags({"cpus": [[0], [0], [1], [1]]}, profile="shared") == {"oversubscribed"}  # that is what shared means


def test_cpus_of_two_nodes_have_the_same_numbers(flags: Any) -> None:
    between = {"params": {"bytes": 8, "threads": 1, "window": 64, "placement": "nodes", "processes": 2}}
    assert flags(between | {"cpus": [[0], [0]]}) == set()
    assert flags(between | {"cpus": [[0], [1], [2], [0]]}) == set()  # three threads send, one receives
    assert flags(between | {"cpus": []}) == set()  # not read back
    assert flags(between | {"cpus": [[0], [1], [0], [0]]}) == {"one-cpu"}
    assert flags(between | {"cpus": [[0], [0], [0]]}) == {"one-cpu"}


def test_preempted_counts_samples(flags: Any) -> None:
    assert flags({"switches": [1] * 2 + [0] * 34}) == {"preempted"}  # 2 of 36 is more than one in twenty
    assert flags({"switches": [9] * 1 + [0] * 35}) == set()


def test_drift_and_width_need_a_majority(flags: Any) -> None:
    drift, wide = {"samples": FALLING}, {"converged": False}
    assert "still-warming" not in flags(drift, drift, drift)
    assert "still-warming" in flags(drift, drift, drift, drift)
    assert "not-converged" not in flags(wide, wide)
    assert "not-converged" in flags(wide, wide, wide)


def test_steal(flags: Any) -> None:
    assert flags({}, end={"steal_s": 0.05}) == {"steal"}  # of 2 s
    assert flags({}, end={"steal_s": 0.01}) == set()
    assert flags({}, end={"seconds": 0, "steal_s": 1}) == set()


@pytest.mark.parametrize(
    ("asked", "got", "expected"),
    [("single", "multiple", {"level-raised"}), ("multiple", "multiple", set()), ("none", "none", set())],
)
def test_level_raised(flags: Any, asked: str, got: str, expected: set[str]) -> None:
    assert flags({}, level_requested=asked, level_provided=got) == expected


def test_flags_of_another_version_are_kept(flags: Any) -> None:
    assert flags({"flags": ["zebra"]}) == {"zebra"}


def test_order_is_that_of_the_catalogue() -> None:
    keys = {"flags": ["zebra", "not-pinned", "oversubscribed"], "converged": False}
    lines = launch_lines("a", [row_line("a", 0, [1.0], **keys)], profile="shared")
    [row] = merge_lines(lines)
    assert row.flags == ["n-too-small", "not-converged", "oversubscribed", "not-pinned", "zebra"]
    assert [Notice.N_TOO_SMALL, Notice.OVERSUBSCRIBED] == ["n-too-small", "oversubscribed"]
