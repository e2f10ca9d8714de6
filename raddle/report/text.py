# SPDX-License-Identifier: BSD-3-Clause
"""Text from outside without control characters, which XML forbids, terminals obey and nobody can read."""

from __future__ import annotations

import re

_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")


def without_controls(text: str) -> str:
    """The text with each control character but tab and line ends replaced by the sign for what cannot be shown."""
    return _CONTROL.sub("\ufffd", text)


def one_line(text: str) -> str:
    """The same, and without line ends and what turns the direction of writing."""
    return "".join(char if char.isprintable() else " " for char in text)
