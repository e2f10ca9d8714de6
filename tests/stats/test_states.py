# SPDX-License-Identifier: BSD-3-Clause
"""States of a machine in the values of its probe."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from raddle.stats.states import GAP, MOST, NEAR, State, find_states, state_of

values = st.lists(st.floats(min_value=10, max_value=5000), max_size=60)
NEIGHBOURS = [70.0, 72, 73, 74, 75, 76, 78, 80, 82, 85]
OTHERS = [260.0, 270, 280, 300, 320, 340, 360, 400, 440, 490]


def test_one_state_where_there_is_no_gap() -> None:
    assert find_states(NEIGHBOURS) == [State(70, 85)]
    assert find_states(OTHERS) == [State(260, 490)]


def test_two_where_there_is_one() -> None:
    assert find_states([*OTHERS, *NEIGHBOURS]) == [State(70, 85), State(260, 490)]


def test_values_in_between_belong_to_none_and_bridge_no_gap() -> None:
    between = [105.0, 150, 210]  # in steps that are no gaps
    states = find_states([*NEIGHBOURS, *between, *OTHERS])
    assert states == [State(70, 85), State(260, 490)]
    assert [state_of(value, states) for value in (74, 105, 150, 210, 490)] == [0, 0, None, 1, 1]


def test_a_passing_disturbance_is_no_state() -> None:
    assert find_states([*NEIGHBOURS, 900, 905]) == [State(70, 85)]
    assert len(find_states([*NEIGHBOURS, 900, 905, 910])) == 2
    # Of many values it takes one in twenty.
    assert len(find_states([*NEIGHBOURS * 7, 900, 905, 910])) == 1


def test_of_more_than_three_the_nearest_are_one() -> None:
    found = find_states([value * factor for factor in (1, 2, 5, 20) for value in (50, 51, 52)])
    assert found == [State(50, 104), State(250, 260), State(1000, 1040)]


@pytest.mark.parametrize("few", [[], [80.0], [80.0, 300.0], [80.0, 81, 300, 305]])
def test_too_few_show_none(few: list[float]) -> None:
    assert find_states(few) == []


@given(values)
def test_they_rise_with_gaps_between_them_and_hold_their_ends(found: list[float]) -> None:
    states = find_states(found)
    assert len(states) <= MOST
    for lower, upper in pairwise(states):
        assert upper.lo / lower.hi > GAP
        assert not lower.holds(upper.lo)
    assert [state_of(value, states) for state in states for value in state] == [
        number for number, _ in enumerate(states) for _ in range(2)
    ]


@given(values, st.floats(min_value=0.1, max_value=10))
def test_the_unit_does_not_matter(found: list[float], factor: float) -> None:
    # Apart from values that stand exactly at a limit, which rounding may move over it.
    states, scaled = find_states(found), find_states([value * factor for value in found])
    limits = [b / a for a in found for b in found if abs(b / a - NEAR) < 1e-9 or abs(b / a - GAP) < 1e-9]
    if not limits:
        assert len(states) == len(scaled)
