# SPDX-License-Identifier: BSD-3-Clause
"""Which points a request amounts to."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from raddle.catalogue import catalogue, thread_counts
from raddle.errors import UserError
from raddle.mpi.family import Family
from raddle.plan.points import Matrix, Point, matrix
from raddle.plan.request import Request
from tests.cli import fakes

pytestmark = pytest.mark.timeout(60)

ALPHA = fakes.family("alpha")
BETA = fakes.family("beta", unsupported={"threadcomm": "not this one", "lane/one-process": "not there"})


def points(cpus: int = 2, families: tuple[Family, ...] = (ALPHA,), **wishes: Any) -> Matrix:
    """The matrix of a request."""
    request = Request(**{"mode": "quick", **wishes}).checked(catalogue())
    return matrix(request, catalogue(), {one.name: one for one in families}, cpus)


def of(found: Matrix, **values: Any) -> list[Point]:
    """The points with these attributes."""
    return [point for point in found.points if all(getattr(point, name) == value for name, value in values.items())]


def test_quick_suite_is_what_is_promised() -> None:
    found = points()
    works = {(point.benchmark, *point.params.values()) for point in found.points}
    assert works == {
        ("msgrate", 8, 1, 64), ("msgrate", 8, 2, 64),
        *(("latency", size, 1) for size in (0, 8, 1024, 4194304)),
        *(("bandwidth", size, 1, 8) for size in (65536, 1048576)),
    }  # fmt: skip
    places = Counter((point.variant, point.placement) for point in found.points)
    assert places == {
        ("process", "node"): 8,
        ("thread", "node"): 8, ("thread", "one-process"): 8,
        ("lane", "node"): 8, ("lane", "one-process"): 8,
        ("threadcomm", "node"): 8, ("threadcomm", "one-process"): 8,
        ("endpoint-direct", "node"): 8, ("endpoint-direct", "one-process"): 8,
        ("physical", "one-process"): 7,
    }  # fmt: skip


def test_a_master_is_for_benchmarks_that_name_it_and_lanes_are_for_several_processes() -> None:
    ways = Counter((point.variant, point.placement) for point in points(benchmarks=["fft_exchange"]).points)
    assert ways == {
        ("process", "node"): 6, ("master", "node"): 6, ("lane", "node"): 6, ("physical", "one-process"): 3,
        **{(variant, place): 6 for variant in ("thread", "threadcomm", "endpoint-direct")
           for place in ("node", "one-process")},
    }  # fmt: skip
    assert "master" not in {point.variant for point in points(benchmarks=["message_rate", "latency"]).points}
    with pytest.raises(UserError, match="Nothing is left"):
        points(benchmarks=["latency"], variants=["master"])


def test_two_busy_contexts_a_pair_decide_the_profile() -> None:
    found = points(cpus=2, benchmarks=["msgrate"])
    assert {(point.threads, point.profile) for point in found.points} == {(1, "clean"), (2, "shared")}
    assert {point.profile for point in points(cpus=4, benchmarks=["msgrate"]).points} == {"clean"}
    assert {point.profile for point in points(cpus=1, benchmarks=["msgrate"]).points} == {"shared"}


def test_limit_is_never_measured_oversubscribed() -> None:
    assert {point.threads for point in of(points(cpus=2, benchmarks=["msgrate"]), variant="physical")} == {1}
    assert {point.threads for point in of(points(cpus=4, benchmarks=["msgrate"]), variant="physical")} == {1, 2}
    assert {point.mpi for point in of(points(), variant="physical")} == {"none"}


def test_limit_stands_beside_whatever_is_chosen() -> None:
    found = points(variants=["lane"], placements=["node"], benchmarks=["latency"])
    assert {point.variant for point in found.points} == {"lane", "physical"}


def test_limit_alone_needs_no_mpi() -> None:
    found = points(families=(), variants=["physical"])
    assert len(found.points) == 7
    assert {point.variant for point in found.points} == {"physical"}


def test_limit_alone_needs_two_cpus_a_pair() -> None:
    with pytest.raises(UserError, match="a CPU for each thread, and 2 may be used"):
        points(families=(), variants=["physical"], params={"threads": [2]})


def test_what_an_mpi_cannot_do_is_said_once() -> None:
    found = points(families=(ALPHA, BETA))
    assert not of(found, mpi="beta", variant="threadcomm")
    assert len(of(found, mpi="alpha", variant="threadcomm")) == 16
    assert list(map(str, found.skipped)) == [
        "beta: no lane on one-process (8 points): not there",
        "beta: no threadcomm on node or one-process (16 points): not this one",
    ]


def test_values_of_the_user_replace_those_of_the_mode() -> None:
    found = points(benchmarks=["msgrate", "latency"], params={"bytes": [16], "window": [1, 4]})
    assert {point.params["bytes"] for point in found.points} == {16}
    assert {point.params["window"] for point in of(found, benchmark="msgrate")} == {1, 4}
    assert not any("window" in point.params for point in of(found, benchmark="latency"))


def test_repeated_benchmark_is_measured_once() -> None:
    assert points(benchmarks=["latency", "latency"]) == points(benchmarks=["latency"])


@pytest.mark.parametrize(
    ("cpus", "expected"),
    [(1, [1, 2]), (2, [1, 2]), (3, [1, 2]), (4, [1, 2, 4]), (8, [1, 2, 4, 8]), (64, [1, 2, 4, 8])],
)
def test_thread_counts(cpus: int, expected: list[int]) -> None:
    assert thread_counts(cpus) == expected


def test_empty_selection_says_which_filter_removed_what() -> None:
    with pytest.raises(UserError) as caught:
        points(variants=["process"], placements=["one-process"])
    assert str(caught.value) == (
        "Nothing is left to run: "
        "--variant process removed 64 of 72, then --placement one-process removed 8 of 8 points."
    )
    assert "raddle list" in caught.value.hint


def test_nothing_that_the_mpi_can_do_gives_its_reason() -> None:
    with pytest.raises(UserError, match=r"beta: no threadcomm on node or one-process \(16 points\): not this one"):
        points(families=(BETA,), variants=["threadcomm"])


@pytest.mark.parametrize(
    ("wishes", "message", "hint"),
    [
        ({"benchmarks": ["msgrat"]}, "There is no benchmark 'msgrat'. Did you mean 'msgrate'?", "latency"),
        ({"benchmarks": ["zzz"]}, "There is no benchmark 'zzz'.", "Valid: msgrate, latency, bandwidth, "),
        ({"variants": ["Threads"]}, "There is no variant 'Threads'. Did you mean 'thread'?", "physical"),
        ({"placements": ["netn"]}, "There is no placement 'netn'. Did you mean 'netns'?", "one-process"),
        ({"profile": "dirty"}, "There is no profile 'dirty'.", "clean, shared"),
        (
            {"benchmarks": ["latency"], "params": {"window": [4]}},
            "--window means nothing to latency.",
            "msgrate, bandwidth",
        ),
    ],
)
def test_unknown_names_are_refused_with_the_valid_ones(wishes: dict[str, Any], message: str, hint: str) -> None:
    with pytest.raises(UserError) as caught:
        points(**wishes)
    assert str(caught.value) == message
    assert hint in caught.value.hint
