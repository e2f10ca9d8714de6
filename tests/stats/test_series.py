# SPDX-License-Identifier: BSD-3-Clause
"""Series against numbers worked out by hand and against processes whose properties are known."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from raddle.stats.order import median_interval
from raddle.stats.series import (
    autocorrelation,
    block_medians,
    mad,
    outliers,
    still_warming,
    within_launch_interval,
)

SEED = 20261121


def ar1(phi: float, n: int, seed: int = SEED) -> list[float]:
    """x_t = phi x_t-1 + noise, from its stationary distribution; its lag-1 autocorrelation is phi."""
    print(f"seed {seed}")
    noise = np.random.default_rng(seed).normal(size=n)
    x = [float(noise[0]) / (1 - phi**2) ** 0.5]
    for e in noise[1:]:
        x.append(phi * x[-1] + float(e))
    return x


def test_autocorrelation_by_hand() -> None:
    # deviations -2 -1 0 1 2: products of neighbours 2 + 0 + 0 + 2, squares 10
    assert autocorrelation([1, 2, 3, 4, 5]) == pytest.approx(0.4)
    # deviations -1 1 -1 1: products -3, squares 4
    assert autocorrelation([0, 2, 0, 2]) == pytest.approx(-0.75)
    # mean 4, deviations -3 -2 0 5: products 6 + 0 + 0, squares 38
    assert autocorrelation([1, 2, 4, 9]) == pytest.approx(6 / 38)


@pytest.mark.parametrize("phi", [-0.5, 0.0, 0.3, 0.6, 0.9])
def test_autocorrelation_of_ar1(phi: float) -> None:
    # Its standard error is sqrt((1 - phi^2)/n), by Bartlett's formula.
    assert autocorrelation(ar1(phi, 20_000)) == pytest.approx(phi, abs=4 * ((1 - phi**2) / 20_000) ** 0.5 + 1e-3)


@pytest.mark.parametrize("series", [[], [1.0], [1.0, 2.0], [7.0] * 50, [0.1] * 7])
def test_no_autocorrelation_without_variation(series: list[float]) -> None:
    assert autocorrelation(series) is None


@given(st.lists(st.floats(min_value=-1e200, max_value=1e200), max_size=60))
def test_autocorrelation_is_bounded(series: list[float]) -> None:
    r = autocorrelation(series)
    assert r is None or -1 <= r <= 1


@given(
    st.lists(st.integers(min_value=1, max_value=10_000), min_size=3, max_size=60),
    st.sampled_from([1e-9, 0.5, 3.0, 1e9]),
)
def test_autocorrelation_has_no_unit(series: list[int], factor: float) -> None:
    r, scaled = autocorrelation(series), autocorrelation([x * factor for x in series])
    assert (r is None) == (scaled is None)
    assert r is None or scaled == pytest.approx(r, abs=1e-9)


def test_block_medians_by_hand() -> None:
    assert block_medians([1, 9, 2, 5, 4, 3, 8, 7, 6]) == [2, 4, 7]
    # 11 samples: runs of 3, of which there are 3, so the first two take 4
    assert block_medians([1, 2, 3, 4, 10, 20, 30, 40, 5, 6, 7]) == [2.5, 25, 6]
    assert block_medians([]) == []
    assert block_medians([3]) == [3]


def test_block_medians_are_less_correlated() -> None:
    series = ar1(0.6, 10_000)
    before, after = autocorrelation(series), autocorrelation(block_medians(series))
    assert before is not None
    assert after is not None
    assert before > 0.5
    assert after < 0.3  # 0 but for chance: of 100 values, standard error 0.1


def test_interval_within_a_launch_widens_when_samples_are_correlated() -> None:
    correlated, independent = ar1(0.9, 400), ar1(0.0, 400)
    naive, honest = median_interval(correlated), within_launch_interval(correlated)
    assert naive is not None
    assert honest is not None
    assert honest.width > 1.5 * naive.width
    assert within_launch_interval(independent) == median_interval(independent)


def test_interval_within_a_launch_covers_under_correlation() -> None:
    hits = [
        interval.lo <= 0 <= interval.hi
        for seed in range(SEED, SEED + 300)
        if (interval := within_launch_interval(ar1(0.5, 400, seed)))
    ]
    assert len(hits) == 300
    assert np.mean(hits) >= 0.9  # blocks of 20 still know a little of each other; samples alone would give 0.75


def test_still_warming() -> None:
    noise = np.random.default_rng(SEED).normal(0, 0.01, 300)
    falling = 1 + 0.5 * np.exp(-np.arange(300) / 100)
    assert still_warming((falling + noise).tolist())
    assert still_warming([float(x) for x in range(40)])  # a drift and nothing else
    assert not still_warming((1 + noise).tolist())
    assert not still_warming([3.0, 2.0, 1.0, 1.0])  # too few to tell
    assert not still_warming([1.0] * 30)


@pytest.mark.parametrize(("phi", "most"), [(0.0, 0.15), (0.3, 0.3), (0.6, 0.3)])
def test_settled_launches_are_rarely_accused(phi: float, most: float) -> None:
    assert np.mean([still_warming(ar1(phi, 200, seed)) for seed in range(SEED, SEED + 300)]) < most


def test_mad_and_outliers_by_hand() -> None:
    assert mad([1, 2, 3, 4, 100]) == 1  # deviations 2 1 0 1 97
    assert outliers([1, 2, 3, 4, 100]) == 1
    assert outliers([1, 2, 3, 4, 3 + 14.8]) == 0  # exactly at the threshold
    assert outliers([1, 2, 3, 4, 2 - 14.9]) == 1  # the median is 2 here
    assert outliers([5.0] * 9) == 0
    assert outliers([5.0] * 9 + [6.0]) == 1
