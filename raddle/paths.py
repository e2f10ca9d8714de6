# SPDX-License-Identifier: BSD-3-Clause
"""Paths as results and tables show them."""

from __future__ import annotations

from pathlib import Path


def tilde(text: str) -> str:
    """The text with the user's home directory as "~": results are shown to others, who need not know its name."""
    home = str(Path.home())
    return text if home == "/" else text.replace(home, "~")
