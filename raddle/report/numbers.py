# SPDX-License-Identifier: BSD-3-Clause
"""A number never stands alone: it comes with its interval, or with the words that say why there is none."""

from __future__ import annotations

import re

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


def value(row: ResultRow) -> str:
    """The median with its unit, e.g. `0.912 µs`."""
    scale = scale_for(row.median, row.unit)
    return f"{three_digits(row.median * scale.factor)} {pretty_unit(scale.label)}".rstrip()


def interval(row: ResultRow) -> str:
    """The interval in the unit in which `value` shows the median, or `n too small`."""
    if row.ci95 is None:
        return TOO_SMALL
    factor = scale_for(row.median, row.unit).factor
    return f"[{three_digits(row.ci95[0] * factor)}, {three_digits(row.ci95[1] * factor)}]"


def scaled(row: ResultRow, scale: Scale) -> str:
    """Median and interval in a unit that stands elsewhere, e.g. `0.912 [0.900, 0.931]`."""
    median = three_digits(row.median * scale.factor)
    if row.ci95 is None:
        return f"{median} {TOO_SMALL}"
    return f"{median} [{', '.join(three_digits(end * scale.factor) for end in row.ci95)}]"


def told(row: ResultRow) -> str:
    """Both, e.g. `0.912 µs [0.900, 0.931]` or `0.912 µs, n too small`."""
    return f"{value(row)}{', ' if row.ci95 is None else ' '}{interval(row)}"


def spoken(row: ResultRow) -> str:
    """Both within a sentence, where a comma would part the number from its noun: `0.912 µs (n too small)`."""
    return beside(value(row), interval(row))


def beside(number: str, bounds: str) -> str:
    """A number and its interval within a sentence."""
    return f"{number} ({bounds})" if bounds == TOO_SMALL else f"{number} {bounds}"


def ratio_value(ratio: Ratio) -> str:
    """The ratio, e.g. `0.41x`."""
    return format_ratio(ratio.estimate)


def ratio_interval(ratio: Ratio) -> str:
    """Its interval, or `n too small`."""
    return TOO_SMALL if ratio.interval is None else format_ratio_interval(*ratio.interval)


def ratio_text(ratio: Ratio) -> str:
    """Both, for a sentence."""
    return f"{ratio_value(ratio)}{', ' if ratio.interval is None else ' '}{ratio_interval(ratio)}"


def difference_text(its: Difference, unit: str) -> str:
    """A difference with its interval in the same unit, e.g. `0.100 µs [0.0820, 0.118]` or `28.5 ns, n too small`."""
    # The widest end decides: a difference may be next to nothing and its interval may not.
    scale = scale_for(max(map(abs, (its.estimate, *(its.interval or ())))), unit)
    value = f"{three_digits(its.estimate * scale.factor)} {pretty_unit(scale.label)}".rstrip()
    if its.interval is None:
        return f"{value}, {TOO_SMALL}"
    return f"{value} [{', '.join(three_digits(end * scale.factor) for end in its.interval)}]"


def percent_text(ratio: Ratio) -> str:
    """A ratio in per cent, e.g. `72.0 % [70.1, 74.2]` or `72.0 %, n too small`."""
    value = f"{three_digits(100 * ratio.estimate)} %"
    if ratio.interval is None:
        return f"{value}, {TOO_SMALL}"
    return f"{value} [{', '.join(three_digits(100 * end) for end in ratio.interval)}]"
