# SPDX-License-Identifier: BSD-3-Clause
"""The suite of sparse exchange: which combinations are measured, on what team, and with which settings."""

from __future__ import annotations

from typing import Any

import pytest

from raddle.catalogue import catalogue
from raddle.model import Params
from raddle.mpi.family import family
from raddle.plan.launches import LIBRARY, Group, group
from raddle.plan.points import Matrix, matrix
from raddle.plan.request import Request
from raddle.plan.teams import TEAMS
from raddle.sparse_algorithms import NAMES
from tests.cli import fakes

pytestmark = pytest.mark.timeout(60)

PLAIN = fakes.family("plain")
PROCESS, ENDPOINT = (catalogue().variants[name] for name in ("process", "endpoint-direct"))
LIBRADDLE = {"LD_PRELOAD": f"{LIBRARY}/libraddle.so", "RADDLE_THREAD_LEVEL": "program"}
OURS = {*NAMES, "auto"}


def plan(mpi: str = "plain", **wishes: Any) -> tuple[Matrix, dict[str, Group]]:
    """The points of a request and their launches."""
    known = {mpi: PLAIN if mpi == "plain" else family(mpi)}
    request = Request(**{"mode": "quick", "benchmarks": ["dsde"], **wishes}).checked(catalogue())
    found = matrix(request, catalogue(), known, 2)
    return found, {one.name: one for one in group(found.points, known, catalogue())}


def test_the_suite_is_its_benchmarks_in_their_places() -> None:
    found, _ = plan()
    assert {(point.benchmark, point.variant, point.placement) for point in found.points} == {
        ("dsde_census", "process", "node"),
        ("dsde_algorithms", "process", "node"),
        ("dsde_endpoints", "process", "node"),
        ("dsde_endpoints", "endpoint-direct", "node"),
        ("dsde_endpoints", "endpoint-direct", "one-process"),
    }


def test_a_quick_run_has_every_algorithm_and_what_the_article_compares() -> None:
    found, _ = plan()
    by = {
        name: {point.params["algorithm"] for point in found.points if point.benchmark == name}
        for name in ("dsde_census", "dsde_algorithms")
    }
    assert by["dsde_algorithms"] == OURS | {"native-alltoallv"}
    assert by["dsde_census"] == {"native-alltoallv", "native-nbx", "nbx", "auto"}


def test_all_algorithms_of_a_number_of_ranks_share_a_launch() -> None:
    _, launches = plan(params={"ranks": [16]}, variants=["process"])
    [one] = launches.values()
    assert (one.processes, one.level, one.profile, one.env) == (16, "single", "shared", LIBRADDLE)
    assert {each.params["algorithm"] for each in one.sets} == OURS | {"native-alltoallv", "native-nbx"}


def test_two_ranks_have_a_cpu_each() -> None:
    _, launches = plan(benchmarks=["dsde_algorithms"], params={"ranks": [2, 4]})
    assert {one.processes: one.profile for one in launches.values()} == {2: "clean", 4: "shared"}


def test_a_users_own_settings_make_no_other_thread_level_of_it() -> None:
    assert "RADDLE_THREAD_LEVEL" in catalogue().settings


@pytest.mark.parametrize(("ranks", "halves"), [(2, (1, 1)), (5, (3, 2)), (16, (8, 8))])
def test_ranks_are_processes_or_endpoints_of_one_process_or_two(ranks: int, halves: tuple[int, int]) -> None:
    assert TEAMS["ranks"](PROCESS, "node", {"ranks": ranks}).busy == (1,) * ranks
    assert TEAMS["ranks"](ENDPOINT, "node", {"ranks": ranks}).busy == halves
    assert TEAMS["ranks"](ENDPOINT, "one-process", {"ranks": ranks}).busy == (ranks,)


def test_an_mpi_as_it_comes_is_measured_where_that_is_another_one() -> None:
    known = {name: plan(name, benchmarks=["dsde_census"]) for name in ("mpich", "openmpi", "intel")}
    waiting = {name: {point.params["waiting"] for point in found.points} for name, (found, _) in known.items()}
    assert waiting == {"mpich": {"told", "default"}, "openmpi": {"told"}, "intel": {"told"}}
    throttled = {
        one.sets[0].params["waiting"]: one.env["MPIR_CVAR_CH4_PROGRESS_THROTTLE"] for one in known["mpich"][1].values()
    }
    assert throttled == {"told": "true", "default": "false"}


@pytest.mark.parametrize(
    ("variant", "placement", "own", "asked", "possible"),
    [
        ("process", "node", {"pattern": "skewed"}, [], True),
        ("process", "node", {"bytes": 8}, [], True),
        ("process", "node", {"fraction": 0.5}, [], True),
        ("process", "node", {"pattern": "skewed", "bytes": 8}, [], False),
        ("process", "node", {"fraction": 0.5, "bytes": 8}, [], False),
        ("process", "node", {"pattern": "skewed", "bytes": 8}, ["bytes"], True),
        ("process", "node", {"algorithm": "rsx"}, [], True),
        ("endpoint-direct", "one-process", {"algorithm": "rsx"}, [], False),
        ("endpoint-direct", "one-process", {"algorithm": "native-nbx"}, [], False),
        ("endpoint-direct", "one-process", {"algorithm": "native-alltoallv"}, [], True),
    ],
)
def test_what_makes_no_sense_is_left_out(
    variant: str, placement: str, own: Params, asked: list[str], possible: bool
) -> None:
    benchmark = catalogue().benchmarks["dsde_endpoints"]
    usual: Params = {param: about.default for param, about in benchmark.params.items()}
    assert benchmark.suits(variant, placement, usual | own, asked) is possible
