# SPDX-License-Identifier: BSD-3-Clause
"""Paired differences against numbers worked out by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from raddle.judge.points import difference
from raddle.stats.difference import Difference, paired_difference
from tests.stats.builders import result_row

finite = st.floats(min_value=-1e6, max_value=1e6)
blocks = st.dictionaries(st.integers(min_value=0, max_value=15), finite, min_size=1, max_size=16)


def numbered(values: list[float]) -> dict[int, float]:
    return dict(enumerate(values))


def test_by_hand() -> None:
    # differences 1 -1 6 3 7 0: sorted -1 0 1 3 6 7, ranks 1 and 6
    its = paired_difference(numbered([2, 1, 8, 6, 8, 7]), numbered([1, 2, 2, 3, 1, 7]))
    assert its == Difference(2, -1, 7, 6)
    assert its is not None
    assert not its.shown
    assert its.words == "no difference shown"


def test_nine_blocks_use_the_second_and_the_eighth() -> None:
    its = paired_difference(numbered([1, 2, 3, 4, 5, 6, 7, 8, 90]), numbered([0.0] * 9))
    assert its is not None
    assert (its.estimate, its.interval) == (5, (2, 8))
    assert its.words == "difference shown"


def test_too_few_blocks_have_no_interval_and_show_nothing() -> None:
    its = paired_difference(numbered([1000.0] * 5), numbered([1.0] * 5))
    assert its is not None
    assert (its.estimate, its.interval, its.words) == (999, None, "n too small")
    assert not its.shown


def test_only_common_blocks_with_numbers_count() -> None:
    its = paired_difference({0: 3, 1: math.nan, 2: 7, 5: 77}, {0: 1, 1: 1, 2: math.inf, 6: 99})
    assert its is not None
    assert (its.estimate, its.n) == (2, 1)
    assert paired_difference({0: 1}, {1: 1}) is None
    assert paired_difference({}, {}) is None


def test_pairing_cancels_what_disturbs_a_block() -> None:
    rng = np.random.default_rng(20261122)
    disturbance = rng.normal(5.0, 3.0, size=9)
    a, b = disturbance + 0.3, disturbance + rng.normal(0, 0.01, size=9)
    its = paired_difference(numbered(a.tolist()), numbered(b.tolist()))
    assert its is not None
    assert its.shown
    assert its.estimate == pytest.approx(0.3, abs=0.02)


@given(blocks, blocks)
def test_it_turns_round(a: dict[int, float], b: dict[int, float]) -> None:
    ab, ba = paired_difference(a, b), paired_difference(b, a)
    assert (ab is None) == (ba is None)
    if ab is not None and ba is not None:
        assert ab.estimate == -ba.estimate
        if ab.interval and ba.interval:
            assert ab.interval == (-ba.interval[1], -ba.interval[0])


def test_there_is_none_between_units() -> None:
    with pytest.raises(ValueError, match="no difference of us to MB/s"):
        difference(result_row("latency", "thread", [1.0]), result_row("bandwidth", "thread", [1.0]))
