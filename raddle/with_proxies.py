# SPDX-License-Identifier: BSD-3-Clause
"""The command of a launcher, changed so that it starts the proxies of each process as well."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from raddle.errors import UserError
from raddle.launcher_words import COUNT_HINT, per_node, with_counts
from raddle.threads_as_ranks import parts, program


def with_proxies(launcher: str, words: Sequence[str], endpoints: int) -> list[str]:
    """The words behind `launcher` with 1 + `endpoints` times as many processes in each part (colons divide them)."""
    changed: list[str] = []
    for part in parts(words):
        place = program(part)
        made, count = with_counts(
            part[:place], lambda number: number * (1 + endpoints), per_node(launcher), whole=place is not None
        )
        if count is None:
            raise UserError(
                f"How many processes '{' '.join(words)}' starts cannot be told, so their proxies cannot be added.",
                hint=COUNT_HINT,
            )
        changed += [*made, *([] if place is None else part[place:])]
    return changed


def settings(endpoints: int, *, oversubscribe: bool) -> Mapping[str, str]:
    """What the processes and their proxies have to know."""
    made = {"RADDLE_ENGINE": "proxy", "RADDLE_PROXIES": str(endpoints)}
    return {**made, "RADDLE_PROXY_OVERSUBSCRIBE": "1"} if oversubscribe else made
