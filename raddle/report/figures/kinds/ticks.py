# SPDX-License-Identifier: BSD-3-Clause
"""Tick labels: short, exact, and in the unit of the axis."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable

from matplotlib.axis import Axis
from matplotlib.ticker import FixedLocator, FuncFormatter, MaxNLocator, NullFormatter, NullLocator

from raddle.report.numbers import pretty_unit
from raddle.units import scale_for


def axis_unit(values: Iterable[float], unit: str) -> tuple[str, Callable[[float], str]]:
    """The unit in which an axis over these values reads best, and how to write its ticks.

    The geometric middle decides, not the largest value: an axis of latencies from 0.3 us to 2 ms reads in us.
    """
    ordered = sorted(values)
    scale = scale_for(ordered[len(ordered) // 2] if ordered else 0.0, unit)
    return pretty_unit(scale.label), lambda value: plain(value * scale.factor)


def set_log_ticks(axis: Axis, limits: tuple[float, float], tick: Callable[[float], str]) -> None:
    """Ticks of a logarithmic axis. Units differ by powers of ten, so what is round in one is round in the other."""
    axis.set_major_locator(FixedLocator(log_ticks(*limits)))
    axis.set_major_formatter(FuncFormatter(lambda value, _: tick(value)))
    axis.set_minor_locator(NullLocator())
    axis.set_minor_formatter(NullFormatter())


def log_limits(values: Iterable[float], below: float, above: float) -> tuple[float, float]:
    """Limits of a logarithmic axis, that many times beyond the values. What has no logarithm is off the axis."""
    known = [value for value in values if value > 0 and math.isfinite(value)]
    return (min(known) / below, max(known) * above) if known else (0.1, 10.0)


def log_ticks(low: float, high: float) -> list[float]:
    """Two to about six round numbers: 1-2-5, 1-3 or powers of ten, as many as have room; evenly spaced ones when the
    range is too narrow to hold two of those."""
    span = high / low
    steps = (1, 2, 5) if span <= 30 else (1, 3) if span <= 300 else (1,)
    exponents = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    ticks = [step * 10.0**exponent for exponent in exponents for step in steps]
    ticks = [tick for tick in ticks if low <= tick <= high]
    if len(ticks) < 2:
        even = MaxNLocator(4, steps=[1, 2, 2.5, 5, 10]).tick_values(low, high)
        ticks = [float(tick) for tick in even if low <= tick <= high]
    return ticks


def plain(value: float) -> str:
    """A tick's value: `0.5`, `20`, `1k`; ticks are round numbers, so nothing is lost."""
    if value >= 1000:
        return f"{value / 1000:.4g}k"
    return f"{value:.4g}"


def ratio_tick(value: float) -> str:
    return f"{value:.4g}x"
