# SPDX-License-Identifier: BSD-3-Clause
"""The command of a launcher, changed so that the ranks of its programs are threads."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path

from raddle.errors import UserError

# Options of launchers after which the path of something that can be run may come and is not the program: how many words
# belong to each. One hyphen or two, most of them take either.
_TAKES = {
    **dict.fromkeys(("launcher-exec", "bootstrap-exec", "launch-agent"), 1),
    **dict.fromkeys(("prolog", "epilog", "task-prolog", "task-epilog"), 1),
    **dict.fromkeys(("env", "genv", "mca", "gmca", "prtemca", "pmixmca"), 2),
}


def as_ranks(words: Sequence[str], threads: int, starter: Path, options: Sequence[str] = ()) -> list[str]:
    """The launcher's words with `starter threads options` before each program (several are divided by colons)."""
    changed: list[str] = []
    for part in parts(words):
        place = _place(part)
        changed += [*part[:place], str(starter), str(threads), *options, *part[place:]]
    return changed


def programs(words: Sequence[str]) -> list[str]:
    """Those that a launcher starts, each once. Raises UserError."""
    return list(dict.fromkeys(part[_place(part)] for part in parts(words)))


def _place(part: Sequence[str]) -> int:
    place = program(part)
    if place is None:
        raise UserError(
            f"Which word of '{' '.join(part)}' is the program cannot be told.",
            hint="Give the program's path, as in ./program.",
        )
    return place


def parts(words: Sequence[str]) -> list[list[str]]:
    """Those that colons divide, each but the last one with the colon that ends it."""
    found: list[list[str]] = [[]]
    for word in words:
        found[-1].append(word)
        if word == ":":
            found.append([])
    return found


def program(words: Sequence[str]) -> int | None:
    """Where the program of a part is: the first path of what can be run, save those that are an option's."""
    for place, word in _words(words):
        path = Path(word)
        if "/" in word and path.is_file() and (os.access(path, os.X_OK) or ".so" in path.suffixes):
            return place
    return None


def with_paths(words: Sequence[str]) -> list[str]:
    """The launcher's words with the path of each program that PATH finds by its name, as launchers do it.

    A word may as well be an option's (`--map-by node`), so only what is linked with an MPI counts.
    """
    changed: list[str] = []
    for part in parts(words):
        named = list(part)
        last = program(part)  # what comes behind it is its own
        for place, word in _words(part[:last]):
            found = None if "/" in word or word.startswith("-") else shutil.which(word)
            if found and _has_mpi(Path(found)):
                named[place] = found
                break
        changed += named
    return changed


def _has_mpi(file: Path) -> bool:
    """Whether an executable names the library of an MPI: they are called libmpi or libmpich."""
    try:
        content = file.read_bytes()
    except OSError:
        return False
    return content.startswith(b"\x7fELF") and b"libmpi" in content


def _words(part: Sequence[str]) -> Iterator[tuple[int, str]]:
    """Those that may be the program, and where each is."""
    place = 0
    while place < len(part):
        yield place, part[place]
        place += 1 + (_TAKES.get(part[place].lstrip("-"), 0) if part[place].startswith("-") else 0)
