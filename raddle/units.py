# SPDX-License-Identifier: BSD-3-Clause
"""Numbers as people read them: three significant digits and the unit that suits their size."""

from __future__ import annotations

import math
from typing import NamedTuple


class Scale(NamedTuple):
    """`value * factor` is in `label`."""

    factor: float
    label: str


# By unit of a row, largest first: (from this value on, scale). The last entry also takes everything smaller.
_SCALES: dict[str, list[tuple[float, Scale]]] = {
    "us": [(1e6, Scale(1e-6, "s")), (1e3, Scale(1e-3, "ms")), (0.1, Scale(1, "us")), (0, Scale(1e3, "ns"))],
    "s": [(1, Scale(1, "s")), (1e-3, Scale(1e3, "ms")), (1e-7, Scale(1e6, "us")), (0, Scale(1e9, "ns"))],
    "msg/s": [
        (1e9, Scale(1e-9, "G msg/s")),
        (1e5, Scale(1e-6, "M msg/s")),
        (1e3, Scale(1e-3, "k msg/s")),
        (0, Scale(1, "msg/s")),
    ],
    "MB/s": [
        (1e6, Scale(1e-6, "TB/s")),
        (1e3, Scale(1e-3, "GB/s")),
        (1, Scale(1, "MB/s")),
        (0, Scale(1e3, "kB/s")),
    ],
    "1/s": [(1e6, Scale(1e-6, "M/s")), (1e3, Scale(1e-3, "k/s")), (0, Scale(1, "/s"))],
    "fraction": [(0, Scale(100, "%"))],
}
_BINARY = ("B", "KiB", "MiB", "GiB", "TiB")


def scale_for(value: float, unit: str) -> Scale:
    """The scale in which `value`, given in `unit`, is read best: for one number, or for an axis by its largest."""
    scales = _SCALES.get(unit)
    if scales is None:
        return Scale(1, unit)
    if value == 0 or not math.isfinite(value):
        return next((scale for _, scale in scales if scale.factor == 1), scales[-1][1])
    size = abs(float(f"{value:.2e}"))  # rounded first, so that 999.9 us is 1.00 ms and not 1000 us
    return next((scale for at_least, scale in scales if size >= at_least), scales[-1][1])


def three_digits(value: float) -> str:
    """`value` with three significant digits and no exponent where people would write none."""
    if not math.isfinite(value):
        return "n/a"
    if value == 0:
        return "0"
    exponent = math.floor(math.log10(abs(float(f"{value:.2e}"))))
    if not -4 <= exponent <= 6:
        return f"{value:.2e}"
    return f"{round(value, 2 - exponent):.{max(0, 2 - exponent)}f}"


def format_value(value: float, unit: str) -> str:
    """A measured value with its unit, e.g. `0.912 us`, `1.90 M msg/s`, `12.3 GB/s`."""
    if not math.isfinite(value):
        return "n/a"
    scale = scale_for(value, unit)
    return f"{three_digits(value * scale.factor)} {scale.label}".rstrip()


def format_bytes(count: float) -> str:
    """A message size in bytes, e.g. `8 B`, `64 KiB`; sizes that are no round number of a larger unit stay bytes."""
    size, unit = count, 0
    while size >= 1024 and size % 1024 == 0 and unit < len(_BINARY) - 1:
        size, unit = size / 1024, unit + 1
    return f"{size:g} {_BINARY[unit]}" if unit else f"{count:.0f} B"


def format_ratio(ratio: float) -> str:
    """A ratio as `0.40x`, `3.9x`... : two decimals below 10, two significant digits below 0.1."""
    if not math.isfinite(ratio):
        return "n/a"
    return f"{_ratio_digits(ratio)}x"


def format_ratio_interval(lo: float, hi: float) -> str:
    """The interval of a ratio as `[0.38, 0.43]`; an end near 1 shows on which side of 1 it is, e.g. `[1.003, 1.10]`."""
    return f"[{_beside_one(lo)}, {_beside_one(hi)}]"


def _beside_one(ratio: float) -> str:
    for digits in (3, 4, 5):
        if _ratio_digits(ratio) == "1.00" and ratio != 1 and float(f"{ratio:.{digits}f}") != 1:
            return f"{ratio:.{digits}f}"
    return _ratio_digits(ratio)


def _ratio_digits(ratio: float) -> str:
    if ratio >= 99.95:
        return f"{ratio:.0f}"
    if ratio >= 9.995:
        return f"{ratio:.1f}"
    if ratio >= 0.0995 or ratio <= 0:
        return f"{ratio:.2f}"
    return f"{ratio:#.2g}"


def duration(seconds: float) -> str:
    """E.g. "45 s", "2:05 min", "1:10 h"; never more exact than a guess deserves."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60}:{whole % 60:02} min"
    return f"{whole // 3600}:{whole % 3600 // 60:02} h"
