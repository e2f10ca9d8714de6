# SPDX-License-Identifier: BSD-3-Clause
"""Hidden locks: a known one is found within its interval, none is found where there is none, and none counts twice."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from raddle.profile.hidden import estimates, line
from raddle.profile.model import Slowdown
from raddle.profile.view import View
from tests.profile_command.planted import Plant


def cells(took: Callable[[int], float], others: int = 4, calls: int = 400) -> list[Slowdown]:
    """Calls beside 0, 1 ... others, each of which took what the function gives."""
    made = []
    for inside in range(others):
        times = [took(inside) for _ in range(calls)]
        made.append(
            Slowdown(
                process=0, function="MPI_Isend", size=4, inside=inside, calls=calls, seconds=sum(times),
                squares=sum(time * time for time in times), least=min(times),
            )
        )  # fmt: skip
    return made


def test_the_interval_holds_what_was_planted_as_often_as_it_says() -> None:
    """Calls of very unequal length, the longer the more others there are: 95 of 100 intervals, give or take."""
    chance, held = random.Random(7), 0
    for _ in range(200):
        made = cells(lambda inside: 1e-6 * chance.expovariate(1.0) * (1 + 0.5 * inside), calls=200)
        found = line(made, 1.0)
        assert found
        held += abs(found.total - 200 * 0.5e-6 * (1 + 2 + 3)) <= 1.96 * found.error
    assert 180 <= held <= 199


def test_without_a_lock_nothing_is_shown_more_often_than_it_may() -> None:
    chance, wrong = random.Random(11), 0
    for _ in range(200):
        found = line(cells(lambda _: 1e-6 * chance.lognormvariate(0.0, 1.0), calls=200), 1.0)
        assert found
        wrong += found.total - 1.96 * found.error > 0
    assert wrong <= 12


def test_a_hidden_lock_is_found() -> None:
    plant = Plant().call("MPI_Isend", 0.02, calls=10000, threads=[0, 1], processes=[0])
    (found,) = estimates(View.of(plant.slowdown("MPI_Isend", [1e-6, 2e-6]).records()))
    # Of 2000 calls that were looked at half had another beside them; there were 20000.
    assert found.seconds == pytest.approx(0.01, rel=0.01)
    assert 0 < found.low < found.seconds < found.high <= found.most


def test_what_was_measured_does_not_count_twice() -> None:
    plant = Plant().call("MPI_Isend", 0.02, calls=10000, lock=0.005, processes=[0])
    (found,) = estimates(View.of(plant.slowdown("MPI_Isend", [1e-6, 2e-6]).records()))
    assert (found.seconds, found.low) == (0.0, 0.0)
    facts = plant.facts()
    assert facts.times.hidden == 0
    assert facts.times.lock == pytest.approx(0.01)


def test_calls_that_may_wait_for_a_partner_have_no_estimate_but_a_bound() -> None:
    plant = Plant().call("MPI_Recv", 1.0, processes=[0]).slowdown("MPI_Recv", [1e-3, 2e-3])
    (found,) = estimates(View.of(plant.records()))
    assert (found.seconds, found.calls) == (0.0, 0)
    assert found.most == pytest.approx(2.0)


def test_they_are_contended_no_more_than_the_others() -> None:
    plant = Plant().call("MPI_Recv", 1.0, processes=[0]).call("MPI_Isend", 0.02, calls=10000, processes=[0])
    plant.slowdown("MPI_Isend", [1e-6, 1e-6], calls=10000)
    found = {each.function: each for each in estimates(View.of(plant.records()))}
    assert found["MPI_Isend"].seconds == 0
    assert found["MPI_Recv"].most < 0.1


def test_too_few_calls_have_no_estimate_and_may_hide_all() -> None:
    plant = Plant().call("MPI_Isend", 0.02, processes=[0]).slowdown("MPI_Isend", [1e-6, 9e-6], calls=29)
    (found,) = estimates(View.of(plant.records()))
    assert found.seconds == 0
    assert found.most == pytest.approx(0.04)


def test_one_thread_has_nothing_to_hide() -> None:
    assert estimates(View.of(Plant(threads=1).call("MPI_Isend", 1.0).records())) == []


@given(
    st.lists(st.floats(1e-7, 1e-3), min_size=2, max_size=6), st.floats(0.0, 3.0), st.floats(0.0, 1.0),
    st.integers(30, 5000),
)  # fmt: skip
def test_an_estimate_is_never_more_than_there_is_room_for(
    means: list[float], spread: float, lock: float, calls: int
) -> None:
    plant = Plant().call("MPI_Isend", 0.5, lock=lock / 2, processes=[0])
    plant.slowdown("MPI_Isend", means, spread=spread, calls=calls)
    (found,) = estimates(View.of(plant.records()))
    assert 0 <= found.low <= found.high <= found.most <= 1.0 - lock + 1e-9
    assert found.seconds == 0 or found.low <= found.seconds <= found.high
