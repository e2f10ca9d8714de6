# SPDX-License-Identifier: BSD-3-Clause
"""How a comparison is put into words. Whether a difference is claimed depends on the interval, and on nothing else."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from raddle.model import ResultRow
from raddle.stats.ratio import Ratio
from raddle.units import format_ratio, format_ratio_interval, format_value

_NUMBERS = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"]


def count(number: int, noun: str) -> str:
    """`one thread`, `four processes`, `16 threads`."""
    word = _NUMBERS[number] if number < len(_NUMBERS) else str(number)
    if number == 1:
        return f"{word} {noun}"
    return f"{word} {noun}{'es' if noun.endswith('s') else 's'}"


def told(ratio: Ratio) -> str:
    """A ratio as it may stand in a sentence: with its interval, or `about` and why there is none."""
    if ratio.interval is None:
        return f"about {format_ratio(ratio.estimate)}"
    return f"{format_ratio(ratio.estimate)} {format_ratio_interval(*ratio.interval)}"


def too_small(ratio: Ratio) -> str:
    """`n too small: 3 blocks`."""
    return f"{ratio.words}: {ratio.n} block{'' if ratio.n == 1 else 's'}"


def compared(a: str, b: str, quantity: str, better: str, ratio: Ratio) -> str:
    """A clause that compares `a` to `b`, both plural, by how much better `a` is; `better` as in a row.

    Above 1 is better for times, too: tables beside it say it so.
    """
    if ratio.interval is not None and not ratio.shown:
        return f"no difference in {quantity} is shown between {a} and {b} ({told(ratio)})"
    what = "speed" if better == "lower" else quantity
    claim = f"reach {told(ratio)} {'of ' if ratio.estimate < 1 else ''}the {what} of {b}"
    return f"{a} {claim}" if ratio.interval is not None else f"{a} {claim} ({too_small(ratio)})"


def alternative(name: str, ratio: Ratio) -> str:
    """A short clause about another way of doing the same, e.g. `lanes reach 0.93x [0.90, 0.96]`."""
    if ratio.interval is not None and not ratio.shown:
        return f"{name} reach {told(ratio)}, {ratio.words}"
    return f"{name} reach {told(ratio)}"


def against(a: ResultRow, b: ResultRow) -> str:
    """The two medians behind a ratio: `0.900 M msg/s against 2.25 M msg/s`."""
    return f"{format_value(a.median, a.unit)} against {format_value(b.median, b.unit)}"


def listed(items: Sequence[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    return " and ".join(filter(None, [", ".join(items[:-1]), *items[-1:]]))


def assignments(settings: Mapping[str, str]) -> str:
    """Environment variables as a user would set them."""
    return listed([f"{name}={value}" for name, value in sorted(settings.items())])


def cpu_ranges(cpus: Iterable[int]) -> str:
    """CPU numbers as the kernel writes them: `0-3,8`; `-` for none."""
    spans: list[list[int]] = []
    for cpu in sorted(set(cpus)):
        if spans and cpu == spans[-1][1] + 1:
            spans[-1][1] = cpu
        else:
            spans.append([cpu, cpu])
    return ",".join(str(low) if low == high else f"{low}-{high}" for low, high in spans) or "-"
