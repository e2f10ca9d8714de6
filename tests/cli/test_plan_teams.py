# SPDX-License-Identifier: BSD-3-Clause
"""How many processes and busy contexts the points of each team need, and which profile follows."""

from __future__ import annotations

from typing import Any

import pytest

from raddle.catalogue import catalogue
from raddle.plan.launches import LIBRARY, PROGRAMS, Group, group
from raddle.plan.points import Matrix, matrix
from raddle.plan.request import Request
from raddle.plan.teams import TEAMS, team_of
from tests.cli import fakes

pytestmark = pytest.mark.timeout(60)

PROCESS, THREAD, PROXY = (catalogue().variants[name] for name in ("process", "thread", "endpoint-proxy"))
PLAIN = fakes.family("plain", choices={"progress=library": {"OWN": "1"}}, placements={"no-shm": {"FABRIC": "tcp"}})


@pytest.mark.parametrize(
    ("team", "params", "process", "thread"),
    [
        ("pairs", {"threads": 3}, (1,) * 6, (3, 3)),
        ("partners", {"threads": 3, "partner": "other"}, (1,) * 6, (3, 3)),
        ("partners", {"threads": 3, "partner": "self"}, (1,) * 3, (3,)),
        ("groups", {"threads": 3, "parties": 4}, (1,) * 12, (3, 3, 3, 3)),
        ("short-long", {"threads": 2}, (1,) * 4, (2, 1, 1)),
        ("ring", {"neighbours": 1, "progress": "none"}, (1, 1), (1, 1)),
        ("ring", {"neighbours": 4, "progress": "thread"}, (2,) * 5, (2,) * 5),
        ("collective-compute", {"threads": 3}, (1,) * 8, (4, 4)),
    ],
)
def test_what_is_busy_in_each_process(
    team: str, params: dict[str, Any], process: tuple[int, ...], thread: tuple[int, ...]
) -> None:
    assert TEAMS[team](PROCESS, "node", params).busy == process
    assert TEAMS[team](THREAD, "node", params).busy == thread


def test_threads_of_one_process_are_one_process() -> None:
    assert TEAMS["pairs"](THREAD, "one-process", {"threads": 3}).busy == (6,)


@pytest.mark.parametrize(
    ("benchmark", "params", "proxies", "busy"),
    [
        ("ep_throughput", {"threads": 3}, 3, (6, 6)),
        ("ep_overhead", {"threads": 1, "partner": "self"}, 1, (2,)),
        ("short_long", {"threads": 2}, 2, (4, 3, 3)),  # every process has as many as the one with two threads
        ("overlap", {"neighbours": 1, "progress": "proxy"}, 1, (2, 2)),
    ],
)
def test_proxies_are_busy_as_well(benchmark: str, params: dict[str, Any], proxies: int, busy: tuple[int, ...]) -> None:
    team = team_of(catalogue().benchmarks[benchmark], PROXY, "node", params)
    assert (team.proxies, team.busy) == (proxies, busy)


def test_threads_without_proxies_have_none() -> None:
    assert team_of(catalogue().benchmarks["ep_throughput"], THREAD, "node", {"threads": 3}).proxies == 0


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
        ("endpoint-proxy", "none", "shared"),
        ("endpoint-proxy", "proxy", "shared"),
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


def test_proxies_are_started_beside_each_process_and_told_so() -> None:
    _, launches = plan(benchmarks=["ep_throughput"], variants=["endpoint-proxy"], params={"threads": [2]})
    [one] = [each for each in launches.values() if each.mpi == "plain"]
    assert (one.processes, one.proxies, one.profile) == (2, 2, "shared")
    assert one.env == {
        "LD_PRELOAD": f"{LIBRARY}/libraddle.so", "RADDLE_ENGINE": "proxy", "RADDLE_NODE": "host", "RADDLE_PROXIES": "2",
        "RADDLE_PROXY_OVERSUBSCRIBE": "1", "RADDLE_PROXY_PROGRESS": "wait",
    }  # fmt: skip


def test_one_context_and_its_proxy_fit_two_cpus() -> None:
    found, launches = plan(benchmarks=["ep_overhead"])
    profiles = {(point.variant, point.params["partner"]): point.profile for point in found.points}
    assert profiles["endpoint-proxy", "self"] == "clean"
    assert profiles["endpoint-proxy", "other"] == "shared"
    assert profiles["endpoint-direct", "other"] == "clean"
    assert {point.params["partner"] for point in found.points if point.mpi == "none"} == {"other"}
    alone = [one for one in launches.values() if one.proxies and one.profile == "clean"]
    assert [(one.processes, one.proxies) for one in alone] == [(1, 1)]


def test_proxies_that_make_progress_are_a_launch_of_their_own() -> None:
    _, launches = plan(benchmarks=["overlap"], variants=["endpoint-proxy"])
    asked = {one.sets[0].params["progress"]: one.env.get("RADDLE_PROXY_PROGRESS") for one in launches.values()}
    assert asked == {"none": "wait", "proxy": "async"}


def test_the_network_of_proxies_is_the_mpis() -> None:
    _, launches = plan(benchmarks=["ep_throughput"], variants=["endpoint-proxy"], placements=["no-shm"])
    for one in launches.values():
        if one.proxies:
            assert (one.env["RADDLE_NODE"], one.env["FABRIC"]) == ("host", "tcp")


PROXIED = (
    ("msgrate", False), ("allreduce", False), ("fft_exchange", False), ("dslash", False), ("ep_throughput", True),
)  # fmt: skip


def test_proxies_are_measured_where_they_are_asked_for() -> None:
    for benchmark, unasked in PROXIED:
        found, _ = plan(benchmarks=[benchmark])
        assert ("endpoint-proxy" in {point.variant for point in found.points}) == unasked, benchmark
        found, _ = plan(benchmarks=[benchmark], variants=["endpoint-proxy"])
        assert "endpoint-proxy" in {point.variant for point in found.points}, benchmark


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
