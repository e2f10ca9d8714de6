# SPDX-License-Identifier: BSD-3-Clause
"""Figures of a profile as sentences and tables write them."""

from __future__ import annotations

from raddle.report.numbers import pretty
from raddle.units import format_value
from raddle.wording import count


def percent(part: float) -> str:
    """A part as `12 %`, `1.2 %`, `under 0.1 %`."""
    value = 100 * part
    if value == 0:
        return "0 %"
    if value < 0.1:
        return "under 0.1 %"
    return f"{value:.0f} %" if value >= 9.95 else f"{value:.1f} %"


def share(part: float, whole: float) -> str:
    """`part` of `whole` as a percentage; of nothing, none."""
    return percent(part / whole) if whole > 0 else "0 %"


def seconds(value: float) -> str:
    """A time as `1.20 s`, `3.40 ms`, `12.0 µs`."""
    return pretty(format_value(value, "s"))


def tidy(text: str) -> str:
    """The text with a space that does not break before each per cent sign."""
    return text.replace(" %", "\u00a0%")


def several(numbers: list[int], noun: str) -> str:
    """`process 3`, `processes 0 and 2`, `four processes`."""
    if len(numbers) == 1:
        return f"{noun} {numbers[0]}"
    if len(numbers) <= 3:
        plural = f"{noun}es" if noun.endswith("s") else f"{noun}s"
        return f"{plural} {', '.join(map(str, numbers[:-1]))} and {numbers[-1]}"
    return count(len(numbers), noun)
