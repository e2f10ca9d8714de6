# SPDX-License-Identifier: BSD-3-Clause
"""How many processes the words of a launcher ask for, and the words for other numbers."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Sequence

from raddle.errors import UserError

COUNT_HINT = "Say it as -n N (mpiexec) or --ntasks=N (srun)."

_COUNTS = ("-n", "-np", "--n", "--np", "--ntasks")
_JOINED = re.compile(r"(--?(?:np?|ntasks)=)(\d+)")
# A launcher that is told how many processes a node gets would break the groups of a process and its proxies.
_PER_NODE = ("-ppn", "--ppn", "-perhost", "-npernode", "--npernode", "--ntasks-per-node")
_PER_NODE_OF_OPEN_MPI = "-N"  # srun's means how many nodes
_PER_RESOURCE = re.compile(r"(.*\bppr:)(\d+)(:.*)")  # Open MPI's --map-by ppr:2:node


def per_node(launcher: str) -> Container[str]:
    """The options by which this launcher is told how many processes a node gets."""
    return _PER_NODE if launcher == "srun" else (*_PER_NODE, _PER_NODE_OF_OPEN_MPI)


def with_counts(
    words: Sequence[str], change: Callable[[int], int], of_nodes: Container[str], *, whole: bool
) -> tuple[list[str], int | None]:
    """The words with all numbers of processes changed, and what the one for all nodes was; None: there is none.

    They are options and nothing else when `whole`; else a program is among them that is no path, and all that is known
    is that it begins at a word without a hyphen, behind the number of processes.
    """
    changed: list[str] = []
    count: int | None = None
    place = 0
    while place < len(words):
        word = words[place]
        following = words[place + 1] if place + 1 < len(words) else ""
        of_node = word.partition("=")[0] in of_nodes
        # A launcher is told it once: the -n of what starts the program, as nice, is another.
        mine = of_node or count is None
        joined = _JOINED.fullmatch(word) or (re.fullmatch(r"(.*=)(\d+)", word) if of_node else None)
        if mine and (word in _COUNTS or of_node) and following.isdigit():
            changed += [word, str(change(int(following)))]
            count = count if of_node else int(following)
            place += 2
        elif mine and joined:
            changed.append(f"{joined[1]}{change(int(joined[2]))}")
            count = count if of_node else int(joined[2])
            place += 1
        elif resource := _PER_RESOURCE.fullmatch(word):
            changed.append(f"{resource[1]}{change(int(resource[2]))}{resource[3]}")
            place += 1
        elif count is not None and not whole and not word.startswith("-"):
            return [*changed, *_untouched(words[place:], of_nodes)], count
        else:
            changed.append(word)
            place += 1
    return changed, count


def _untouched(words: Sequence[str], of_nodes: Container[str]) -> Sequence[str]:
    """Raises UserError where one that should be changed may be among them."""
    doubtful = (word for word in words if word.partition("=")[0] in of_nodes or _PER_RESOURCE.fullmatch(word))
    if found := next(doubtful, None):
        raise UserError(
            f"Whether '{found}' is an option of the launcher or of the program cannot be told.",
            hint="Give the program's path, as in ./program.",
        )
    return words
