# SPDX-License-Identifier: BSD-3-Clause
"""A number never stands alone: it comes with its interval, or with the words that say why there is none."""

from __future__ import annotations

import re
from collections.abc import Callable

from raddle.model import ResultRow
from raddle.stats.difference import Difference
from raddle.stats.ratio import Ratio
from raddle.units import Scale, format_ratio, format_ratio_interval, scale_for, three_digits

TOO_SMALL = "n too small"


def pretty_unit(unit: str) -> str:
    """Microseconds with their proper letter, which the machine-readable files spell `us`."""
    return "µs" if unit == "us" else unit


def pretty(sentence: str) -> str:
    """A sentence of the verdict, which spells units as machines do, with the same letters as the tables beside it."""
    return re.sub(r"(?<=\d) us\b", " µs", sentence)


def amount(value: float, unit: str) -> str:
    """A number with the unit in which it reads best, e.g. `0.912 µs`."""
    scale = scale_for(value, unit)
    return f"{three_digits(value * scale.factor)} {pretty_unit(scale.label)}".rstrip()


def bounds(interval: tuple[float, float] | None, factor: float = 1.0) -> str:
    """Both ends, e.g. `[0.900, 0.931]`, or the words that say why there are none."""
    return TOO_SMALL if interval is None else f"[{', '.join(three_digits(end * factor) for end in interval)}]"


def with_bounds(number: str, bounds: str) -> str:
    """Both, e.g. `0.912 µs [0.900, 0.931]` or `0.912 µs, n too small`."""
    return f"{number}{', ' if bounds == TOO_SMALL else ' '}{bounds}"


def beside(number: str, bounds: str) -> str:
    """The same within a sentence, where a comma would part the number from its noun: `0.912 µs (n too small)`."""
    return f"{number} ({bounds})" if bounds == TOO_SMALL else f"{number} {bounds}"


def value(row: ResultRow) -> str:
    """The median with its unit."""
    return amount(row.median, row.unit)


def interval(row: ResultRow) -> str:
    """The interval in the unit in which `value` shows the median."""
    return bounds(row.ci95, scale_for(row.median, row.unit).factor)


def told(row: ResultRow) -> str:
    """Both."""
    return with_bounds(value(row), interval(row))


def spoken(row: ResultRow) -> str:
    """Both within a sentence."""
    return beside(value(row), interval(row))


def scaled(row: ResultRow, scale: Scale) -> str:
    """Both in a unit that stands elsewhere, e.g. `0.912 [0.900, 0.931]`."""
    return f"{three_digits(row.median * scale.factor)} {bounds(row.ci95, scale.factor)}"


def ratio_value(ratio: Ratio) -> str:
    """The ratio, e.g. `0.41x`."""
    return format_ratio(ratio.estimate)


def ratio_interval(ratio: Ratio) -> str:
    """Its interval."""
    return TOO_SMALL if ratio.interval is None else format_ratio_interval(*ratio.interval)


def ratio_text(ratio: Ratio) -> str:
    """Both."""
    return with_bounds(ratio_value(ratio), ratio_interval(ratio))


def difference_text(its: Difference, unit: str) -> str:
    """A difference with its interval in the same unit, e.g. `0.100 µs [0.0820, 0.118]`."""
    # The widest end decides: a difference may be next to nothing and its interval may not.
    scale = scale_for(max(map(abs, (its.estimate, *(its.interval or ())))), unit)
    value = f"{three_digits(its.estimate * scale.factor)} {pretty_unit(scale.label)}".rstrip()
    return with_bounds(value, bounds(its.interval, scale.factor))


def percent_text(ratio: Ratio, put: Callable[[str, str], str] = with_bounds) -> str:
    """A ratio in per cent, e.g. `72.0 % [70.1, 74.2]`."""
    return put(f"{three_digits(100 * ratio.estimate)} %", bounds(ratio.interval, 100))


def percent_spoken(ratio: Ratio) -> str:
    """The same within a sentence."""
    return percent_text(ratio, beside)
