# SPDX-License-Identifier: BSD-3-Clause
"""The command of a launcher, changed so that the ranks of its programs are threads."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from raddle.errors import UserError


def as_ranks(words: Sequence[str], threads: int, starter: Path) -> list[str]:
    """The launcher's words with `starter threads` in front of each program (several are divided by colons)."""
    changed: list[str] = []
    for part in parts(words):
        place = _program(part)
        changed += [*part[:place], str(starter), str(threads), *part[place:]]
    return changed


def parts(words: Sequence[str]) -> list[list[str]]:
    """Those that colons divide, each but the last one with the colon that ends it."""
    found: list[list[str]] = [[]]
    for word in words:
        found[-1].append(word)
        if word == ":":
            found.append([])
    return found


def _program(words: Sequence[str]) -> int:
    """Where the program is: launchers have options of many kinds, but a path of what can be run is none's value."""
    for place, word in enumerate(words):
        path = Path(word)
        if "/" in word and path.is_file() and (os.access(path, os.X_OK) or ".so" in path.suffixes):
            return place
    raise UserError(
        f"Which word of '{' '.join(words)}' is the program cannot be told.",
        hint="Give the program's path, as in ./program.",
    )
