# SPDX-License-Identifier: BSD-3-Clause
"""The suite of partitioned communication: which combinations are measured, and with which settings."""

from __future__ import annotations

from typing import Any

import pytest

from raddle.catalogue import catalogue
from raddle.model import Params
from raddle.plan.launches import LIBRARY, Group, group
from raddle.plan.points import Matrix, matrix
from raddle.plan.request import Request
from raddle.plan.teams import TEAMS
from tests.cli import fakes

pytestmark = pytest.mark.timeout(60)

PLAIN = fakes.family("plain", placements={"no-shm": {"FABRIC": "tcp"}})
THREAD, ENDPOINT = (catalogue().variants[name] for name in ("thread", "endpoint-direct"))
LIBRADDLE = {"LD_PRELOAD": f"{LIBRARY}/libraddle.so", "RADDLE_PARTITIONED": "0"}


def plan(cpus: int = 2, **wishes: Any) -> tuple[Matrix, dict[str, Group]]:
    """The points of a request and their launches."""
    request = Request(**{"mode": "quick", "benchmarks": ["partitioned"], **wishes}).checked(catalogue())
    found = matrix(request, catalogue(), {"plain": PLAIN}, cpus)
    return found, {one.name: one for one in group(found.points, {"plain": PLAIN}, catalogue())}


def test_the_suite_is_its_benchmarks_in_their_places() -> None:
    found, _ = plan()
    assert {(point.benchmark, point.variant, point.placement) for point in found.points} == {
        ("partitioned_bandwidth", "thread", "node"),
        ("partitioned_bandwidth", "endpoint-direct", "node"),
        ("partitioned_bandwidth", "endpoint-direct", "one-process"),
        ("partitioned_tail", "thread", "node"),
        ("partitioned_ready", "thread", "node"),
    }


def test_a_quick_run_has_every_mechanism_of_the_study() -> None:
    found, _ = plan(variants=["thread"])
    choices = catalogue().benchmarks["partitioned_bandwidth"].params["mechanism"].choices
    assert {point.params["mechanism"] for point in found.points} == set(choices)


def test_all_mechanisms_of_a_size_share_a_launch() -> None:
    _, launches = plan(benchmarks=["partitioned_bandwidth"], variants=["thread"], params={"partition_bytes": [512]})
    by_setting = {one.env.get("RADDLE_PART_DIRECT"): one for one in launches.values()}
    assert len(launches) == len(by_setting) == 2
    assert by_setting[None].env == LIBRADDLE
    assert by_setting["0"].env == {**LIBRADDLE, "RADDLE_PART_DIRECT": "0"}
    assert {one.params["mechanism"] for one in by_setting[None].sets} > {"bulk", "psend", "win", "raddle-auto"}
    assert all(str(one.params["mechanism"]).startswith("raddle-") for one in by_setting["0"].sets)


def test_a_variant_that_preloads_the_library_too_preloads_it_once() -> None:
    _, launches = plan(benchmarks=["partitioned_bandwidth"], variants=["endpoint-direct"], placements=["node"])
    [one] = launches.values()
    assert one.env == {**LIBRADDLE, "RADDLE_ENGINE": "direct", "RADDLE_NODE": "host"}


def test_other_placements_are_other_nodes_for_the_library() -> None:
    _, launches = plan(benchmarks=["partitioned_ready"], placements=["no-shm"], params={"direct": ["yes"]})
    assert [one.env for one in launches.values() if one.profile == "clean"] == [
        {**LIBRADDLE, "FABRIC": "tcp", "RADDLE_NODE": "rank"}
    ]


def test_a_users_own_settings_make_no_other_mechanism_of_it() -> None:
    assert {"RADDLE_PARTITIONED", "RADDLE_PART_DIRECT"} <= catalogue().settings


@pytest.mark.parametrize(
    ("params", "busy"),
    [
        ({"threads": 1, "order": "linear"}, (1, 1)),
        ({"threads": 3, "order": "random"}, (3, 1)),
        ({"threads": 3, "order": "neighbours"}, (3, 3)),
        ({"threads": 2}, (2, 1)),
    ],
)
def test_one_thread_receives_unless_both_sides_send(params: Params, busy: tuple[int, ...]) -> None:
    assert TEAMS["partitioned"](THREAD, "node", params).busy == busy
    assert TEAMS["partitioned"](ENDPOINT, "one-process", params).busy == (sum(busy),)


@pytest.mark.parametrize(
    ("variant", "own", "possible"),
    [
        ("thread", {"mechanism": "isend"}, True),
        ("thread", {"mechanism": "isend", "direct": "no"}, False),
        ("thread", {"mechanism": "isend", "completion": "sender"}, False),
        ("thread", {"mechanism": "psend", "completion": "sender"}, True),
        ("thread", {"mechanism": "psend", "direct": "no"}, False),
        ("thread", {"mechanism": "raddle-none", "completion": "receiver", "direct": "no"}, True),
        ("thread", {"mechanism": "raddle-none", "completion": "receiver", "order": "random"}, False),
        ("thread", {"mechanism": "raddle-none", "direct": "no", "order": "random"}, False),
        ("thread", {"mechanism": "raddle-none", "order": "random"}, True),
        ("endpoint-direct", {"mechanism": "raddle-none", "order": "random"}, False),
        ("thread", {"mechanism": "bulk", "noise": "single"}, False),
        ("thread", {"mechanism": "bulk", "noise": "single", "threads": 2}, True),
        ("endpoint-direct", {"mechanism": "bulk"}, True),
        ("endpoint-direct", {"mechanism": "psend"}, False),
        ("endpoint-direct", {"mechanism": "win"}, False),
        ("endpoint-direct", {"mechanism": "raddle-auto"}, True),
        ("endpoint-direct", {"mechanism": "raddle-auto", "direct": "no"}, False),
    ],
)
def test_what_makes_no_sense_is_left_out(variant: str, own: Params, possible: bool) -> None:
    name = "partitioned_tail" if "noise" in own else "partitioned_bandwidth"
    benchmark = catalogue().benchmarks[name]
    usual: Params = {param: about.default for param, about in benchmark.params.items()}
    assert benchmark.suits(variant, "node", usual | own) is possible
