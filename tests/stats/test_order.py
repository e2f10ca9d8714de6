# SPDX-License-Identifier: BSD-3-Clause
"""The ranks against published values, the formula, the exact binomial, and a simulation."""

from __future__ import annotations

import math
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import bdtr

from raddle.stats.order import EXACT_BELOW, FEWEST, Ranks, median, median_interval, median_ranks

SEED = 20261121
finite = st.floats(min_value=-1e12, max_value=1e12)


def coverage(ranks: Ranks, n: int) -> float:
    """The exact chance that the median of a continuous distribution lies between these ranks of `n` values."""
    return float(bdtr(ranks.hi - 1, n, 0.5) - bdtr(ranks.lo - 1, n, 0.5))


@pytest.mark.parametrize(("n", "lo", "hi", "percent"), [(6, 1, 6, 96.9), (9, 2, 8, 96.1), (20, 6, 15, 95.9)])
def test_known_ranks(n: int, lo: int, hi: int, percent: float) -> None:
    ranks = median_ranks(n)
    assert ranks == (lo, hi)
    assert round(100 * coverage(ranks, n), 1) == percent


@pytest.mark.parametrize("n", range(6))
def test_too_few_values_have_no_interval(n: int) -> None:
    assert median_ranks(n) is None
    assert median_interval([1.0] * n) is None


def test_one_value_fewer_than_the_fewest_would_not_cover() -> None:
    assert coverage(Ranks(1, FEWEST), FEWEST) >= 0.95
    assert coverage(Ranks(1, FEWEST - 1), FEWEST - 1) < 0.95


@pytest.mark.parametrize(("n", "lo", "hi"), [(30, 9, 22), (100, 40, 61), (400, 180, 221), (10_000, 4902, 5099)])
def test_large_n_follows_the_formula(n: int, lo: int, hi: int) -> None:
    assert median_ranks(n) == (lo, hi)
    assert lo == math.floor((n - 1.96 * math.sqrt(n)) / 2)
    assert hi == math.ceil(1 + (n + 1.96 * math.sqrt(n)) / 2)


@pytest.mark.parametrize("n", [*range(FEWEST, 400), 1000, 9999])
def test_ranks_cover_and_are_symmetric(n: int) -> None:
    ranks = median_ranks(n)
    assert ranks is not None
    assert coverage(ranks, n) >= 0.95
    assert ranks.lo + ranks.hi == n + 1
    assert 1 <= ranks.lo < ranks.hi <= n


@pytest.mark.parametrize("n", range(FEWEST, EXACT_BELOW))
def test_exact_ranks_are_the_narrowest_that_cover(n: int) -> None:
    ranks = median_ranks(n)
    assert ranks is not None
    narrower = ranks._replace(lo=ranks.lo + 1, hi=ranks.hi - 1)
    assert coverage(narrower, n) < 0.95


@pytest.mark.parametrize("n", [6, 9, 20, 30, 100])
def test_coverage_by_simulation_on_skewed_values(n: int) -> None:
    print(f"seed {SEED}")
    trials = 4000
    values = np.random.default_rng(SEED).lognormal(sigma=1.5, size=(trials, n))  # true median 1
    ranks = median_ranks(n)
    assert ranks is not None
    intervals = [interval for row in values.tolist() if (interval := median_interval(row))]
    hits = sum(lo <= 1 <= hi for lo, hi in intervals)
    sd = math.sqrt(0.05 * 0.95 / trials)
    assert hits / trials >= 0.95 - 4 * sd
    assert hits / trials == pytest.approx(coverage(ranks, n), abs=4 * sd)


@given(st.lists(finite, min_size=FEWEST, max_size=100))
def test_interval_holds_the_median_and_consists_of_values(values: list[float]) -> None:
    interval = median_interval(values)
    assert interval is not None
    assert interval.lo <= median(values) <= interval.hi
    assert interval.lo in values
    assert interval.hi in values


@given(st.lists(finite, min_size=FEWEST, max_size=40), st.randoms())
def test_order_of_values_does_not_matter(values: list[float], random: Random) -> None:
    shuffled = list(values)
    random.shuffle(shuffled)
    assert median_interval(shuffled) == median_interval(values)


def test_median() -> None:
    assert median([3, 1, 2]) == 2
    assert median([4, 1, 2, 3]) == 2.5
    with pytest.raises(ValueError, match="no values"):
        median([])
