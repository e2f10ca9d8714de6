# SPDX-License-Identifier: BSD-3-Clause
"""Paired ratios against numbers worked out by hand, and the properties that averages of ratios lack."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from raddle.stats.ratio import Ratio, paired_ratio

positive = st.floats(min_value=1e-6, max_value=1e12)
blocks = st.dictionaries(st.integers(min_value=0, max_value=15), positive, min_size=1, max_size=16)


def numbered(values: list[float]) -> dict[int, float]:
    return dict(enumerate(values))


def test_by_hand() -> None:
    # ratios 2 0.5 4 2 8 1: sorted 0.5 1 2 2 4 8, median of logs log 2, ranks 1 and 6
    ratio = paired_ratio(numbered([2, 1, 8, 6, 8, 7]), numbered([1, 2, 2, 3, 1, 7]))
    assert ratio is not None
    assert ratio.estimate == pytest.approx(2)
    assert ratio.interval == pytest.approx((0.5, 8))
    assert ratio.n == 6
    assert not ratio.shown
    assert ratio.words == "no difference shown"


def test_nine_blocks_use_the_second_and_the_eighth() -> None:
    ratio = paired_ratio(numbered([0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 9.0]), numbered([1.0] * 9))
    assert ratio is not None
    assert ratio.estimate == pytest.approx(0.5)
    assert ratio.interval == pytest.approx((0.2, 0.8))
    assert ratio.shown
    assert ratio.words == "difference shown"


def test_even_number_takes_the_geometric_mean_of_the_middle_two() -> None:
    ratio = paired_ratio(numbered([1, 4]), numbered([1, 1]))
    assert ratio is not None
    assert ratio.estimate == pytest.approx(2)


def test_too_few_blocks_have_no_interval_and_show_nothing() -> None:
    ratio = paired_ratio(numbered([1.0] * 5), numbered([1000.0] * 5))
    assert ratio is not None
    assert ratio.interval is None
    assert not ratio.shown
    assert ratio.words == "n too small"


def test_only_common_blocks_count() -> None:
    ratio = paired_ratio({0: 2, 1: 2, 5: 77}, {1: 1, 0: 1, 6: 99})
    assert ratio is not None
    assert ratio.estimate == pytest.approx(2)
    assert ratio.n == 2
    assert paired_ratio({0: 1}, {1: 1}) is None
    assert paired_ratio({}, {}) is None


@pytest.mark.parametrize("bad", [0.0, -1.0, math.nan, math.inf])
def test_values_without_logarithm_are_left_out_of_n(bad: float) -> None:
    ratio = paired_ratio({0: bad, 1: 3.0, 2: 1.0}, {0: 1.0, 1: 1.0, 2: bad})
    assert ratio is not None
    assert ratio.estimate == pytest.approx(3)
    assert ratio.n == 1


def test_pairing_cancels_what_disturbs_a_block() -> None:
    rng = np.random.default_rng(20261121)
    disturbance = rng.lognormal(sigma=1.0, size=9)
    a, b = 1.1 * disturbance, disturbance * rng.lognormal(sigma=0.01, size=9)
    ratio = paired_ratio(numbered(a.tolist()), numbered(b.tolist()))
    assert ratio is not None
    assert ratio.shown
    assert ratio.estimate == pytest.approx(1.1, rel=0.02)


def test_interval_that_touches_one_shows_nothing() -> None:
    assert not Ratio(1.2, 1.0, 1.4, 9).shown
    assert not Ratio(0.9, 0.8, 1.0, 9).shown
    assert Ratio(0.9, 0.8, 0.999, 9).shown


@given(blocks, blocks)
def test_inverse(a: dict[int, float], b: dict[int, float]) -> None:
    ab, ba = paired_ratio(a, b), paired_ratio(b, a)
    assert (ab is None) == (ba is None)
    if ab is None or ba is None:
        return
    assert ab.estimate * ba.estimate == pytest.approx(1)
    assert ab.inverse().estimate == pytest.approx(ba.estimate)
    assert (ab.interval is None) == (ba.interval is None)
    if ab.interval and ba.interval:
        assert ab.inverse().interval == pytest.approx(ba.interval)


@given(blocks, blocks, st.floats(min_value=1e-3, max_value=1e3), st.floats(min_value=1e-3, max_value=1e3))
def test_scale(a: dict[int, float], b: dict[int, float], p: float, q: float) -> None:
    """Another unit scales the estimate; the same unit on both sides changes nothing."""
    plain = paired_ratio(a, b)
    scaled = paired_ratio({k: v * p for k, v in a.items()}, {k: v * q for k, v in b.items()})
    if plain is None or scaled is None:
        assert plain is scaled
        return
    assert scaled.estimate == pytest.approx(plain.estimate * p / q)
    assert scaled.n == plain.n


@given(blocks)
def test_a_thing_is_once_itself(a: dict[int, float]) -> None:
    ratio = paired_ratio(a, a)
    assert ratio is not None
    assert ratio.estimate == 1
    assert not ratio.shown
