# SPDX-License-Identifier: BSD-3-Clause
"""Lists as they are typed: `--mpi mpich,intel`, `--bytes 8,64K,4MiB`, an option given twice."""

from __future__ import annotations

import re
from collections.abc import Iterable

from raddle.errors import UserError

_POWERS = {"": 0, "k": 1, "m": 2, "g": 3}
_SIZE = re.compile(r"(\d+)\s*([kmg]?)(?:i?b)?", re.IGNORECASE)
# What raddle-bench takes.
_LIMITS = {"bytes": (0, 1 << 30), "threads": (1, 4096), "window": (1, 65536)}


def words(texts: Iterable[str] | None) -> list[str]:
    """The words between the commas, once each."""
    pieces = (piece.strip() for text in texts or () for piece in text.split(","))
    return list(dict.fromkeys(piece for piece in pieces if piece))


def numbers(name: str, texts: Iterable[str] | None) -> list[int]:
    """Values of the parameter `name`, rising; suffixes are powers of 1024. Raises UserError."""
    return sorted({_number(name, word) for word in words(texts)})


def _number(name: str, word: str) -> int:
    lowest, highest = _LIMITS[name]
    found = _SIZE.fullmatch(word)
    if found is None or (name != "bytes" and not word.isdigit()):
        example = "8, 64K or 4MiB" if name == "bytes" else "a whole number"
        raise UserError(f"--{name} cannot be {word!r}.", hint=f"Give {example}; several with commas.")
    value = int(found[1]) << 10 * _POWERS[found[2].lower()]
    if not lowest <= value <= highest:
        raise UserError(f"--{name} cannot be {word}.", hint=f"It can be {lowest} to {highest}.")
    return value
