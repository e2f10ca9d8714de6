# SPDX-License-Identifier: BSD-3-Clause
"""What the samples of one launch say about themselves: how correlated, how spread, how far from settled.

A series is the samples in order of time, all in one unit. Nothing here removes a sample.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from raddle.stats.order import Interval, median, median_interval

CORRELATED = 0.3
"""Above this lag-1 autocorrelation samples are not taken as independent: block medians are."""

OUTLIER_MADS = 14.8
"""Ten standard deviations of a normal distribution (10 x 1.48 MAD): hyperfine's threshold for a warning."""


def autocorrelation(series: Sequence[float]) -> float | None:
    """Lag-1 autocorrelation, -1..1; none for fewer than three samples or when all are equal.

    r = sum (x_t - m)(x_t+1 - m) / sum (x_t - m)^2, the moment estimator (Box & Jenkins). It is too low by
    about (1 + 4 r)/n (Kendall 1954), so short series understate correlation.
    """
    if len(series) < 3:
        return None
    x = np.asarray(series, dtype=float)
    deviation = x - x.mean()
    # Scaled first: squares of very large or very small values would leave the range of a double.
    largest = float(np.abs(deviation).max())
    if largest <= np.finfo(float).eps * float(np.abs(x).max()):
        return None
    deviation = deviation / largest
    return float(np.dot(deviation[:-1], deviation[1:]) / np.dot(deviation, deviation))


def block_medians(series: Sequence[float]) -> list[float]:
    """Medians of runs of about sqrt(n) neighbours: less correlated than the samples, and all samples count.

    Runs are of floor(sqrt n) samples; what does not divide evenly makes the first ones longer by one.
    """
    if len(series) == 0:
        return []
    runs = len(series) // math.isqrt(len(series))
    return [float(np.median(run)) for run in np.array_split(np.asarray(series, dtype=float), runs)]


def within_launch_interval(series: Sequence[float]) -> Interval | None:
    """Interval of the launch's own median: over samples, or over block medians where samples are correlated.

    It says how well *this launch* is known, never how the next one will be: that is what blocks are for.
    """
    r = autocorrelation(series)
    return median_interval(block_medians(series) if r is not None and r > CORRELATED else series)


def still_warming(series: Sequence[float]) -> bool:
    """Whether the launch had not settled: the medians of its first and last third differ by more than its interval.

    The interval is that of what remains when each third's median is taken away: a drift is not only what is looked for,
    it also looks like correlation and would widen the interval until it hides in it. Fewer samples than an interval
    needs show nothing. One settled launch in ten is accused, one in six below 40 samples (raddle/results/flags.py).
    """
    thirds = [part for part in np.array_split(np.asarray(series, dtype=float), 3) if part.size]
    if not thirds:
        return False
    remains = within_launch_interval(np.concatenate([part - np.median(part) for part in thirds]).tolist())
    return remains is not None and bool(abs(np.median(thirds[0]) - np.median(thirds[-1])) > remains.width)


def mad(values: Sequence[float]) -> float:
    """Median absolute deviation from the median, in the unit of the values, not scaled to a standard deviation."""
    middle = median(values)
    return median([abs(value - middle) for value in values])


def outliers(values: Sequence[float]) -> int:
    """How many values lie further than 14.8 MAD from the median. They are counted, never dropped."""
    middle, limit = median(values), OUTLIER_MADS * mad(values)
    return sum(abs(value - middle) > limit for value in values)
