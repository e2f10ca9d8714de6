# SPDX-License-Identifier: BSD-3-Clause
"""Which points share a launch."""

from __future__ import annotations

import re
from typing import Any

import pytest

from raddle.catalogue import catalogue
from raddle.mpi.family import Family
from raddle.plan.launches import LIBRARY, Group, group
from raddle.plan.points import matrix
from raddle.plan.request import Request
from tests.cli import fakes

pytestmark = pytest.mark.timeout(60)

PLAIN = fakes.family("plain", profiles={"shared": {"YIELD": "1"}}, unsupported={"threadcomm": "no"})
VCIS = fakes.family("vcis", variants={"lane": {"VCIS": "{lanes}"}}, profiles={"shared": {"YIELD": "1"}})


def groups(*families: Family, cpus: int = 2, **wishes: Any) -> dict[str, Group]:
    """The launches of a block by name."""
    request = Request(**{"mode": "quick", **wishes}).checked(catalogue())
    by_name = {one.name: one for one in families}
    found = group(matrix(request, catalogue(), by_name, cpus).points, by_name, catalogue())
    assert len({one.name for one in found}) == len(found)
    return {one.name: one for one in found}


def test_variants_that_need_the_same_start_are_interleaved() -> None:
    found = groups(PLAIN)
    assert set(found) == {
        "none-one-process-physical-x1",
        "plain-node-process-x1", "plain-node-process-x2",
        "plain-node-thread+lane-x1", "plain-node-thread+lane-x2",
        "plain-one-process-thread+lane-x1", "plain-one-process-thread+lane-x2",
        "plain-node-endpoint-direct-x1", "plain-node-endpoint-direct-x2",
        "plain-one-process-endpoint-direct-x1", "plain-one-process-endpoint-direct-x2",
    }  # fmt: skip
    both = found["plain-node-thread+lane-x1"]
    assert len(both.sets) == 7
    assert all(one.variants == ["thread", "lane"] for one in both.sets)
    assert (both.level, both.processes, both.profile, both.env) == ("multiple", 2, "clean", {})


def test_what_needs_another_environment_starts_alone() -> None:
    found = groups(VCIS, benchmarks=["msgrate"])
    assert found["vcis-node-thread+threadcomm-x2"].env == {"YIELD": "1"}
    assert found["vcis-node-lane-x2"].env == {"YIELD": "1", "VCIS": "2"}
    assert found["vcis-node-lane-x1"].env == {"VCIS": "1"}


def test_endpoints_are_preloaded_and_everything_else_is_not() -> None:
    known = fakes.family("known", placements={"no-shm": {"FABRIC": "tcp"}})
    found = groups(known, benchmarks=["latency"], placements=["node", "no-shm"])
    library = {"LD_PRELOAD": f"{LIBRARY}/libraddle.so", "RADDLE_ENGINE": "direct"}
    assert found["known-node-endpoint-direct-x1"].env == {**library, "RADDLE_NODE": "host"}
    assert found["known-no-shm-endpoint-direct-x1"].env == {**library, "RADDLE_NODE": "rank", "FABRIC": "tcp"}
    others = {name: one.env for name, one in found.items() if "endpoint" not in name}
    assert others == {
        "none-one-process-physical-x1": {},
        **{f"known-{place}-{name}-x1": env for place, env in (("node", {}), ("no-shm", {"FABRIC": "tcp"}))
           for name in ("process", "thread+lane+threadcomm")},
    }  # fmt: skip


def test_processes_and_levels() -> None:
    found = groups(VCIS, benchmarks=["msgrate"])
    shape = {name: (one.level, one.processes) for name, one in found.items()}
    assert shape["vcis-node-process-x1"] == ("single", 2)
    assert shape["vcis-node-process-x2"] == ("single", 4)
    assert shape["vcis-node-lane-x2"] == ("multiple", 2)
    assert shape["vcis-one-process-lane-x2"] == ("multiple", 1)
    assert shape["none-one-process-physical-x1"] == ("none", 1)


def test_thread_counts_of_one_start_share_it() -> None:
    found = groups(PLAIN, cpus=16, benchmarks=["msgrate"], mode="default", variants=["thread"], placements=["node"])
    assert set(found) == {"plain-node-thread-x1+2+4+8", "none-one-process-physical-x1+2+4+8"}


def test_every_point_is_in_exactly_one_launch() -> None:
    request = Request(mode="default").checked(catalogue())
    families = {one.name: one for one in (PLAIN, VCIS)}
    points = matrix(request, catalogue(), families, 4).points
    grouped = [
        (one.mpi, work.benchmark, variant, work.placement, str(work.params))
        for one in group(points, families, catalogue())
        for work in one.sets
        for variant in work.variants
    ]
    asked = [(point.mpi, point.benchmark, point.variant, point.placement, str(point.params)) for point in points]
    assert sorted(grouped) == sorted(asked)


def test_names_are_fit_for_files() -> None:
    assert all(re.fullmatch(r"[\w.+-]+", name) for name in groups(PLAIN, VCIS))
