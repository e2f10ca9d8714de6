# SPDX-License-Identifier: BSD-3-Clause
"""The command of a launcher, changed so that it starts the proxies of each process as well."""

from __future__ import annotations

import re
from collections.abc import Container, Mapping, Sequence

from raddle.errors import UserError
from raddle.threads_as_ranks import parts, program

_COUNTS = ("-n", "-np", "--n", "--np", "--ntasks")
_JOINED = re.compile(r"(--?(?:np?|ntasks)=)(\d+)")
# A launcher that is told how many processes a node gets would break the groups of a process and its proxies.
_PER_NODE = ("-ppn", "--ppn", "-perhost", "-npernode", "--npernode", "--ntasks-per-node")
_PER_NODE_OF_OPEN_MPI = "-N"  # srun's means how many nodes
_PER_RESOURCE = re.compile(r"(.*\bppr:)(\d+)(:.*)")  # Open MPI's --map-by ppr:2:node


def with_proxies(launcher: str, words: Sequence[str], endpoints: int) -> list[str]:
    """The words behind `launcher` with 1 + `endpoints` times as many processes in each part (colons divide them)."""
    per_node = _PER_NODE if launcher == "srun" else (*_PER_NODE, _PER_NODE_OF_OPEN_MPI)
    changed: list[str] = []
    for part in parts(words):
        place = program(part)
        made, counted = _multiplied(part[:place], 1 + endpoints, per_node, whole=place is not None)
        if not counted:
            raise UserError(
                f"How many processes '{' '.join(words)}' starts cannot be told, so their proxies cannot be added.",
                hint="Say it as -n N (mpiexec) or --ntasks=N (srun).",
            )
        changed += [*made, *([] if place is None else part[place:])]
    return changed


def _multiplied(words: Sequence[str], group: int, per_node: Container[str], *, whole: bool) -> tuple[list[str], bool]:
    """The words with all numbers of processes `group` times as large, and whether there was one for all nodes.

    They are options and nothing else when `whole`; else a program is among them that is no path, and all that is known
    is that it begins at a word without a hyphen, behind the number of processes.
    """
    changed: list[str] = []
    counted = False
    place = 0
    while place < len(words):
        word = words[place]
        following = words[place + 1] if place + 1 < len(words) else ""
        of_node = word.partition("=")[0] in per_node
        # A launcher is told it once: the -n of what starts the program, as nice, is another.
        mine = of_node or not counted
        joined = _JOINED.fullmatch(word) or (re.fullmatch(r"(.*=)(\d+)", word) if of_node else None)
        if mine and (word in _COUNTS or of_node) and following.isdigit():
            changed += [word, str(int(following) * group)]
            counted = counted or not of_node
            place += 2
        elif mine and joined:
            changed.append(f"{joined[1]}{int(joined[2]) * group}")
            counted = counted or not of_node
            place += 1
        elif resource := _PER_RESOURCE.fullmatch(word):
            changed.append(f"{resource[1]}{int(resource[2]) * group}{resource[3]}")
            place += 1
        elif counted and not whole and not word.startswith("-"):
            return [*changed, *_untouched(words[place:], per_node)], counted
        else:
            changed.append(word)
            place += 1
    return changed, counted


def _untouched(words: Sequence[str], per_node: Container[str]) -> Sequence[str]:
    """Raises UserError where one that should be changed may be among them."""
    doubtful = (word for word in words if word.partition("=")[0] in per_node or _PER_RESOURCE.fullmatch(word))
    if found := next(doubtful, None):
        raise UserError(
            f"Whether '{found}' is an option of the launcher or of the program cannot be told.",
            hint="Give the program's path, as in ./program.",
        )
    return words


def settings(endpoints: int, *, oversubscribe: bool) -> Mapping[str, str]:
    """What the processes and their proxies have to know."""
    made = {"RADDLE_ENGINE": "proxy", "RADDLE_PROXIES": str(endpoints)}
    return {**made, "RADDLE_PROXY_OVERSUBSCRIBE": "1"} if oversubscribe else made
