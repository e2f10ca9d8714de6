# SPDX-License-Identifier: BSD-3-Clause
"""What a remedy brings never exceeds its bound: on programs that are played with a lock and without."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from raddle.profile import bounds
from raddle.profile.bins import Bins, covered, resampled, summed
from tests.profile_command.planted import Plant
from tests.profile_command.simulated import LATENCY, Step, play, profiled

Programs = Sequence[Sequence[Sequence[Step]]]
_TIMES = st.sampled_from([0.0, 0.01, 0.05, 0.2, 1.0])


@st.composite
def programs(draw: st.DrawFn) -> Programs:
    """Barriers and receives are at the same steps of all threads, so that nobody waits forever."""
    processes, threads, steps = draw(st.integers(1, 3)), draw(st.integers(1, 4)), draw(st.integers(1, 12))
    receives = [draw(st.booleans()) and processes > 1 for _ in range(steps)]
    barriers = [draw(st.booleans()) for _ in range(steps)]
    return [
        [
            [
                Step(
                    draw(_TIMES), draw(_TIMES), (process + 1) % processes if receives[number] else None,
                    barriers[number],
                )
                for number in range(steps)
            ]
            for _ in range(threads)
        ]
        for process in range(processes)
    ]  # fmt: skip


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(programs())
def test_without_the_lock_the_time_shrinks_by_no_more_than_the_bound(made: Programs) -> None:
    locked, free = play(made, locks=True), play(made, locks=False)
    if not locked.ended:
        return
    facts = profiled(made, locked, matched=False)
    measured = bounds.bound(facts.view, lambda process: bounds.locked(facts.view, process))
    assert locked.ended - free.ended <= measured + 1e-6
    assert measured <= facts.contended + 1e-6


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(programs())
def test_so_it_does_where_waits_for_partners_were_matched_but_for_messages_under_way(made: Programs) -> None:
    """A message that is under way may hide a partner that gains more: at most as long as it travels, each time."""
    locked, free = play(made, locks=True), play(made, locks=False)
    if not locked.ended:
        return
    facts = profiled(made, locked, matched=True)
    travels = LATENCY * len(made[0][0])
    measured = bounds.bound(facts.view, lambda process: bounds.locked(facts.view, process))
    assert locked.ended - free.ended <= measured + travels + 1e-6


@settings(max_examples=100, deadline=None, suppress_health_check=list(HealthCheck))
@given(programs())
def test_without_calls_at_all_the_time_shrinks_by_no_more_than_it_was_inside(made: Programs) -> None:
    locked = play(made, locks=True)
    quick = [[[Step(step.compute, 0.0, None, step.barrier) for step in own] for own in each] for each in made]
    if not locked.ended:
        return
    view = profiled(made, locked, matched=False).view
    gained = locked.ended - play(quick, locks=False).ended
    assert gained <= bounds.bound(view, lambda process: bounds.inside_mpi(view, process)) + 1e-6


def test_an_unfair_lock_costs_more_than_the_mean_of_its_waits() -> None:
    """Two threads call at once in each step, and one of them always waits: the bound is not the mean over threads."""
    steps = [Step(0.0, 0.5, None, True) for _ in range(10)]
    facts = profiled([[steps, steps]], play([[steps, steps]], locks=True), matched=False)
    assert facts.times.share("lock") == pytest.approx(0.25)
    assert facts.view.seconds - play([[steps, steps]], locks=False).ended == pytest.approx(5.0)
    assert facts.contended == pytest.approx(5.0, rel=0.05)


def test_processes_that_lose_alike_are_bounded_by_what_one_loses() -> None:
    plant = Plant(processes=16, threads=4).call("MPI_Isend", 0.2, lock=0.1)
    for process in range(16):
        plant.inside(9.3, 0.6, 0.1, process=process)
        for thread in range(4):
            plant.held(thread, (thread + 1) % 4, 0.1, process=process)
    assert plant.facts().contended < 0.2


def test_a_process_that_came_late_bounds_nothing_before() -> None:
    plant = Plant(processes=2, threads=2).call("MPI_Isend", 1.0, lock=0.5, processes=[0])
    plant.process = {"began": 0.0}
    view = plant.facts().view
    whole = bounds.bound(view, lambda process: 5.0 if process == 0 else 0.0)
    assert whole <= view.seconds


def test_what_was_looked_at_rarely_is_bounded_widely() -> None:
    few, many = (
        bounds.at_once(Plant().call("MPI_Send", 1.0).inside(9.9, 0.1, 0.0, looks=looks).facts().view, 0, 2)
        for looks in (20, 100000)
    )
    assert many < 0.01 < few


def test_what_was_not_looked_at_counts() -> None:
    view = Plant().call("MPI_Send", 6.0).inside(4.0, 1.0, looks=100000).facts().view
    assert bounds.at_once(view, 0, 2) >= 5.0


def test_covered_is_at_most_a_bin() -> None:
    assert covered(Bins(0.0, 1.0, [0.5, 2.0, -1.0])) == 1.5


@given(
    st.lists(st.tuples(st.floats(0, 5), st.sampled_from([0.25, 0.5, 1.0]), st.lists(st.floats(0, 1), max_size=8)))
)  # fmt: skip
def test_sums_of_bins_lose_nothing(several: list[tuple[float, float, list[float]]]) -> None:
    made = [Bins(began, width, [value * width for value in values]) for began, width, values in several]
    assert sum(summed(made).seconds) == pytest.approx(sum(sum(each.seconds) for each in made), abs=1e-6)


@given(st.lists(st.floats(0, 1), min_size=1, max_size=50), st.integers(1, 300))
def test_resampling_keeps_the_whole(values: list[float], count: int) -> None:
    bins = Bins(2.0, 0.5, [value * 0.5 for value in values])
    got = resampled(bins, 2.0, bins.ended, count)
    assert sum(got) * (bins.ended - 2.0) / count == pytest.approx(sum(bins.seconds), abs=1e-6)
