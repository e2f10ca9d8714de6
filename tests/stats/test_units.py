# SPDX-License-Identifier: BSD-3-Clause
"""Numbers as they stand in the report."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from raddle.units import format_bytes, format_ratio, format_ratio_interval, format_value, scale_for, three_digits


@pytest.mark.parametrize(
    ("value", "unit", "text"),
    [
        (0.9123, "us", "0.912 us"),
        (0.045, "us", "45.0 ns"),
        (12.34, "us", "12.3 us"),
        (999.9, "us", "1.00 ms"),
        (2.5e6, "us", "2.50 s"),
        (1.9e6, "msg/s", "1.90 M msg/s"),
        (0.9e6, "msg/s", "0.900 M msg/s"),
        (45_000, "msg/s", "45.0 k msg/s"),
        (12, "msg/s", "12.0 msg/s"),
        (2.3e9, "msg/s", "2.30 G msg/s"),
        (912, "MB/s", "912 MB/s"),
        (12_345, "MB/s", "12.3 GB/s"),
        (999.96, "MB/s", "1.00 GB/s"),
        (0.02, "MB/s", "20.0 kB/s"),
        (0, "us", "0 us"),
        (0.2, "s", "200 ms"),
        (0.972, "fraction", "97.2 %"),
        (0, "fraction", "0 %"),
        (99.6, "%", "99.6 %"),
        (0, "locks/msg", "0 locks/msg"),
        (2.41, "exchanges", "2.41 exchanges"),
        (20_500, "1/s", "20.5 k/s"),
        (3.2e6, "1/s", "3.20 M/s"),
        (123.4, "furlong", "123 furlong"),
        (1.5, "", "1.50"),
        (math.nan, "us", "n/a"),
        (math.inf, "us", "n/a"),
    ],
)
def test_format_value(value: float, unit: str, text: str) -> None:
    assert format_value(value, unit) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [(1, "1.00"), (9.995, "9.99"), (9.996, "10.0"), (123456, "123000"), (1.5e-5, "1.50e-05"), (-3.14159, "-3.14")],
)
def test_three_digits(value: float, text: str) -> None:
    assert three_digits(value) == text


@given(st.floats(min_value=1e-9, max_value=1e15), st.sampled_from(["us", "s", "msg/s", "MB/s", "other"]))
def test_text_is_within_half_a_digit(value: float, unit: str) -> None:
    number, _, label = format_value(value, unit).partition(" ")
    scale = scale_for(value, unit)
    assert label == scale.label
    assert float(number) == pytest.approx(value * scale.factor, rel=0.0051)


@pytest.mark.parametrize(
    ("count", "text"),
    [
        (0, "0 B"),
        (8, "8 B"),
        (1000, "1000 B"),
        (1024, "1 KiB"),
        (1536, "1536 B"),
        (65536, "64 KiB"),
        (4 << 20, "4 MiB"),
    ],
)
def test_format_bytes(count: int, text: str) -> None:
    assert format_bytes(count) == text


@pytest.mark.parametrize(
    ("ratio", "text"),
    [(0.4, "0.40x"), (1, "1.00x"), (3.9, "3.90x"), (9.996, "10.0x"), (12.34, "12.3x"), (123.4, "123x"),
     (0.0234, "0.023x"), (0.0996, "0.10x"), (math.nan, "n/a")],
)  # fmt: skip
def test_format_ratio(ratio: float, text: str) -> None:
    assert format_ratio(ratio) == text


@pytest.mark.parametrize(
    ("lo", "hi", "text"),
    [(0.38, 0.4312, "[0.38, 0.43]"), (1, 1.1, "[1.00, 1.10]"), (1.003, 1.1, "[1.003, 1.10]"),
     (0.9, 0.99996, "[0.90, 0.99996]"), (1 + 1e-9, 2, "[1.00, 2.00]")],
)  # fmt: skip
def test_format_ratio_interval(lo: float, hi: float, text: str) -> None:
    """An interval that excludes 1 must not look as if it did not."""
    assert format_ratio_interval(lo, hi) == text
