# SPDX-License-Identifier: BSD-3-Clause
"""Lists as they are typed: `--mpi mpich,intel`, `--bytes 8,64K,4MiB`, an option given twice."""

from __future__ import annotations

import re
from collections.abc import Iterable

from raddle.errors import UserError
from raddle.model import Value

_POWERS = {"": 0, "k": 1, "m": 2, "g": 3}
_SIZE = re.compile(r"(\d+)\s*([kmg]?)(?:i?b)?", re.IGNORECASE)
# What raddle-bench takes for the parameters that have options of their own.
SHARED = {"bytes": (0, 1 << 30), "threads": (1, 4096), "window": (1, 65536)}


def words(texts: Iterable[str] | None) -> list[str]:
    """The words between the commas, once each."""
    pieces = (piece.strip() for text in texts or () for piece in text.split(","))
    return list(dict.fromkeys(piece for piece in pieces if piece))


def numbers(name: str, texts: Iterable[str] | None) -> list[int]:
    """Values of the parameter `name`, rising; suffixes are powers of 1024. Raises UserError."""
    return sorted({_number(name, word) for word in words(texts)})


def settings(texts: Iterable[str] | None) -> dict[str, list[Value]]:
    """`--param mode=published,windowed`, once for each parameter, as its values. Raises UserError."""
    found: dict[str, list[Value]] = {}
    for text in texts or ():
        name, equals, values = text.partition("=")
        if not equals or not words([values]) or name in SHARED:
            raise UserError(
                f"--param cannot be {text!r}.",
                hint="Give NAME=VALUE,VALUE; message sizes, threads and window have options of their own.",
            )
        found[name] = [_value(word) for word in words([values])]
    return found


def _value(word: str) -> Value:
    if size := _SIZE.fullmatch(word):
        return int(size[1]) << 10 * _POWERS[size[2].lower()]
    try:
        return float(word)
    except ValueError:
        return word


def _number(name: str, word: str) -> int:
    lowest, highest = SHARED[name]
    found = _SIZE.fullmatch(word)
    if found is None or (name != "bytes" and not word.isdigit()):
        example = "8, 64K or 4MiB" if name == "bytes" else "a whole number"
        raise UserError(f"--{name} cannot be {word!r}.", hint=f"Give {example}; several with commas.")
    value = int(found[1]) << 10 * _POWERS[found[2].lower()]
    if not lowest <= value <= highest:
        raise UserError(f"--{name} cannot be {word}.", hint=f"It can be {lowest} to {highest}.")
    return value
