# SPDX-License-Identifier: BSD-3-Clause
"""Addresses within the page: short, stable, and made of nothing that a name from outside could slip in."""

from __future__ import annotations

import re
from collections.abc import Iterable

# What the page itself has.
TAKEN = ("overview", "verdict", "matrix", "expectations", "notices", "environment", "pages", "menu", "theme", "keys")


def anchors(names: Iterable[str]) -> dict[str, str]:
    """An address for each name, the name itself where that is one; numbered where two would be the same."""
    found: dict[str, str] = {}
    for name in names:
        plain = re.sub(r"[^a-z0-9_]+", "-", name.lower()).strip("-")[:40] or "page"
        used = {*TAKEN, *found.values()}
        found[name] = next(each for each in (plain, *(f"{plain}-{n}x" for n in range(2, 999))) if each not in used)
    return found
