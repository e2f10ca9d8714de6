# SPDX-License-Identifier: BSD-3-Clause
"""Lists as users type them."""

from __future__ import annotations

import pytest

from raddle.errors import UserError
from raddle.plan.values import numbers, settings, words

pytestmark = pytest.mark.timeout(60)


def test_words() -> None:
    assert words(["mpich, intel", "mpich", ","]) == ["mpich", "intel"]
    assert words(None) == []


@pytest.mark.parametrize(
    ("text", "value"),
    [("0", 0), ("8", 8), ("8B", 8), ("64k", 65536), ("64 KiB", 65536), ("4M", 4 << 20), ("1GiB", 1 << 30)],
)
def test_sizes(text: str, value: int) -> None:
    assert numbers("bytes", [text]) == [value]


def test_values_rise_and_are_there_once() -> None:
    assert numbers("bytes", ["1K,8", "1024"]) == [8, 1024]
    assert numbers("threads", ["4,1,2"]) == [1, 2, 4]


@pytest.mark.parametrize(
    ("name", "text", "hint"),
    [
        ("bytes", "much", "64K"),
        ("bytes", "-1", "64K"),
        ("bytes", "1.5K", "64K"),
        ("bytes", "2G", "0 to 1073741824"),
        ("threads", "0", "1 to 4096"),
        ("threads", "2K", "a whole number"),
        ("window", "99999999", "1 to 65536"),
    ],
)
def test_other_things_are_refused(name: str, text: str, hint: str) -> None:
    with pytest.raises(UserError, match=f"--{name} cannot be") as caught:
        numbers(name, [text])
    assert hint in caught.value.hint


def test_settings_are_numbers_sizes_or_words() -> None:
    assert settings(["mode=published,windowed", "long_bytes=64K", "ratio=0.5,2"]) == {
        "mode": ["published", "windowed"],
        "long_bytes": [65536],
        "ratio": [0.5, 2],
    }


@pytest.mark.parametrize("text", ["mode", "mode=", "bytes=8"])
def test_settings_need_a_name_a_value_and_no_option_of_their_own(text: str) -> None:
    with pytest.raises(UserError, match="--param cannot be"):
        settings([text])
