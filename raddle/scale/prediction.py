# SPDX-License-Identifier: BSD-3-Clause
"""All predictions that were asked for, and from where on which algorithm is the fastest."""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec

from raddle.errors import UserError
from raddle.scale.algorithms import ALGORITHMS
from raddle.scale.cost import Cost
from raddle.scale.crossover import Range, ranges
from raddle.scale.parameters import Machine
from raddle.scale.workload import Workload

_POWER = re.compile(r"(\d+)(?:\^(\d+))?")
_MOST = 1 << 30


class Prediction(msgspec.Struct, frozen=True):
    """What each algorithm costs at each number of ranks."""

    machine: Machine
    works: list[Workload]
    costs: list[dict[str, Cost]]
    fastest: list[Range]


def predict(machine: Machine, work: Workload, sizes: Sequence[int]) -> Prediction:
    def at(ranks: int) -> Workload:
        return msgspec.structs.replace(work, ranks=ranks)

    def costs(ranks: int) -> dict[str, Cost]:
        return {name: algorithm(at(ranks), machine) for name, algorithm in ALGORITHMS.items()}

    def fastest(ranks: int) -> str:
        found = costs(ranks)
        return min(found, key=lambda name: found[name].seconds)

    return Prediction(machine, [at(one) for one in sizes], [costs(one) for one in sizes], ranges(fastest, sizes))


def sizes(text: str) -> list[int]:
    """`64,448` or `2^10..2^20`: with dots, twice as many each time. Raises UserError."""
    found: set[int] = set()
    for word in text.split(","):
        first, dots, last = word.strip().partition("..")
        low = _number(first, text)
        high = _number(last, text) if dots else low
        if high < low:
            raise UserError(f"--ranks cannot be {text!r}.", hint="2^10..2^20: the smaller number comes first.")
        while low <= high:
            found.add(low)
            low *= 2
    return sorted(found)


def _number(word: str, text: str) -> int:
    found = _POWER.fullmatch(word)
    # A power is not taken before it is known to be small.
    if found is None or (found[2] and (int(found[2]) > 30 or int(found[1]) > 1024)):
        raise UserError(f"--ranks cannot be {text!r}.", hint="Give 2^10..2^20, or 64,448,1024.")
    value = int(found[1]) ** int(found[2] or 1)
    if not 2 <= value <= _MOST:
        raise UserError(f"--ranks cannot be {word}.", hint=f"It can be 2 to 2^{_MOST.bit_length() - 1}.")
    return int(value)
