# SPDX-License-Identifier: BSD-3-Clause
"""How many processes and busy contexts the points of each team need, and which profile follows."""

from __future__ import annotations

from typing import Any

import pytest

from raddle.catalogue import catalogue
from raddle.plan.launches import PROGRAMS, Group, group
from raddle.plan.points import Matrix, matrix
from raddle.plan.request import Request
from raddle.plan.teams import TEAMS
from tests.cli import fakes

pytestmark = pytest.mark.timeout(60)

PROCESS, THREAD = (catalogue().variants[name] for name in ("process", "thread"))
PLAIN = fakes.family("plain", choices={"progress=library": {"OWN": "1"}}, placements={"no-shm": {"FABRIC": "tcp"}})


@pytest.mark.parametrize(
    ("team", "params", "process", "thread"),
    [
        ("pairs", {"threads": 3}, (6, 6), (2, 6)),
        ("groups", {"threads": 3, "parties": 4}, (12, 12), (4, 12)),
        ("short-long", {"threads": 2}, (4, 4), (3, 4)),
        ("ring", {"neighbours": 1, "progress": "none"}, (2, 2), (2, 2)),
        ("ring", {"neighbours": 4, "progress": "thread"}, (5, 10), (5, 10)),
        ("collective-compute", {"threads": 3}, (8, 8), (2, 8)),
    ],
)
def test_processes_and_busy_contexts(
    team: str, params: dict[str, Any], process: tuple[int, int], thread: tuple[int, int]
) -> None:
    assert TEAMS[team](PROCESS, "node", params) == process
    assert TEAMS[team](THREAD, "node", params) == thread


def test_threads_of_one_process_are_one_process() -> None:
    assert TEAMS["pairs"](THREAD, "one-process", {"threads": 3}) == (1, 6)


def plan(**wishes: Any) -> tuple[Matrix, dict[str, Group]]:
    """The points of a request on 2 CPUs and their launches."""
    request = Request(**{"mode": "quick", **wishes}).checked(catalogue())
    found = matrix(request, catalogue(), {"plain": PLAIN}, 2)
    return found, {one.name: one for one in group(found.points, {"plain": PLAIN}, catalogue())}


def test_the_suite_is_its_benchmarks() -> None:
    found, _ = plan(benchmarks=["thakur-gropp"])
    assert {point.benchmark for point in found.points} == set(catalogue().suites["thakur-gropp"].benchmarks)
    assert {point.placement for point in found.points if point.mpi == "plain"} == {"node"}


def test_each_level_is_a_launch_of_its_own() -> None:
    _, launches = plan(benchmarks=["thread_overhead"])
    assert {one.level for one in launches.values()} == {"single", "funneled", "serialized", "multiple"}
    for one in launches.values():
        assert {each.params["level"] for each in one.sets} == {one.level}


def test_helpers_make_a_point_shared_and_need_a_variant_that_has_them() -> None:
    found, _ = plan(benchmarks=["overlap"])
    ways = {(point.variant, point.params["progress"], point.profile) for point in found.points}
    assert ways == {
        ("process", "none", "clean"),
        ("process", "library", "shared"),
        ("thread", "none", "clean"),
        ("thread", "thread", "shared"),
        ("thread", "probe", "shared"),
    }


def test_settings_come_from_choices_placements_and_preloads() -> None:
    found, launches = plan(benchmarks=["overlap"], params={"progress": ["library"], "ratio": [1.0]})
    assert [one.env for one in launches.values()] == [{"OWN": "1"}]
    _, launches = plan(benchmarks=["lock_operations"], params={"level": ["single"]})
    assert [one.env for one in launches.values()] == [{"LD_PRELOAD": f"{PROGRAMS}/libraddle_locks.so"}]
    found, launches = plan(benchmarks=["concurrent_latency"], variants=["thread"], placements=["no-shm"])
    mine = [one for one in launches.values() if one.mpi == "plain"]
    assert {one.topology for one in mine} == {"no-shm"}
    assert all(one.env == {"FABRIC": "tcp"} for one in mine)
    assert {point.placement for point in found.points if point.mpi == "plain"} == {"no-shm"}


def test_a_reason_names_its_benchmarks_when_others_run() -> None:
    lame = fakes.family("lame", unsupported={"thread/short_long": "it falls over", "progress=library": "it has none"})
    request = Request(mode="quick", benchmarks=["short_long", "overlap", "message_rate"]).checked(catalogue())
    found = matrix(request, catalogue(), {"lame": lame}, 2)
    assert sorted(map(str, found.skipped)) == [
        "lame: no process on node for overlap (3 points): it has none",
        "lame: no thread on node for short_long (2 points): it falls over",
    ]


def test_dslash_is_measured_in_all_ways_that_exchange_something() -> None:
    found, launches = plan(benchmarks=["dslash"], params={"extent": [4]})
    ways = {(point.variant, point.placement) for point in found.points}
    assert ways == {
        *((variant, "node") for variant in ("process", "master", "thread", "lane", "threadcomm", "endpoint-direct")),
        *((variant, "one-process") for variant in ("thread", "threadcomm", "endpoint-direct")),
    }
    assert {one.level for one in launches.values()} == {"single", "funneled", "multiple"}
    assert {one.processes for one in launches.values()} == {1, 2, 4}
