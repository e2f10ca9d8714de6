# SPDX-License-Identifier: BSD-3-Clause
"""The command of a launcher, changed so that it starts the proxies of each process as well."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from raddle.errors import UserError
from raddle.threads_as_ranks import parts

_COUNTS = ("-n", "-np", "--n", "--np", "--ntasks")
_JOINED = re.compile(r"(--?(?:np?|ntasks)=)(\d+)")
# A launcher that is told how many processes a node gets would break the groups of a process and its proxies.
_PER_NODE = ("-ppn", "--ppn", "-perhost", "--npernode", "--ntasks-per-node")


def with_proxies(words: Sequence[str], endpoints: int) -> list[str]:
    """The launcher's words with 1 + `endpoints` times as many processes in each part (parts are divided by colons)."""
    group = 1 + endpoints
    changed: list[str] = []
    for part in parts(words):
        counted = 0
        place = 0
        while place < len(part):
            word = part[place]
            following = part[place + 1] if place + 1 < len(part) else ""
            per_node = word.partition("=")[0] in _PER_NODE
            if (word in _COUNTS or per_node) and following.isdigit():
                changed += [word, str(int(following) * group)]
                counted += not per_node
                place += 2
            elif joined := _JOINED.fullmatch(word) or (per_node and re.fullmatch(r"(.*=)(\d+)", word)) or None:
                changed.append(f"{joined[1]}{int(joined[2]) * group}")
                counted += not per_node
                place += 1
            else:
                # From the program on, words are its own.
                rest = part[place:] if counted and not word.startswith("-") else [word]
                changed += rest
                place += len(rest)
        if not counted:
            raise UserError(
                f"How many processes '{' '.join(words)}' starts cannot be told, so their proxies cannot be added.",
                hint="Say it as -n N (mpiexec) or --ntasks=N (srun).",
            )
    return changed


def settings(endpoints: int, *, oversubscribe: bool) -> Mapping[str, str]:
    """What the processes and their proxies have to know."""
    made = {"RADDLE_ENGINE": "proxy", "RADDLE_PROXIES": str(endpoints)}
    return {**made, "RADDLE_PROXY_OVERSUBSCRIBE": "1"} if oversubscribe else made
