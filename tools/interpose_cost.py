# SPDX-License-Identifier: BSD-3-Clause
"""Measures what the interception layer costs a call that has nothing to do with endpoints (docs/build/interception.md).

    .venv/bin/python tools/interpose_cost.py --blocks 12 --out results/interpose-cost

In a launch, calls to the MPI itself and through the layer take turns, and the difference is taken within it. Writes
environment.json, readings.jsonl line by line, and readings.json.
"""

from __future__ import annotations

import msgspec
from blocks import measure, told

from raddle.stats.order import median


class Reading(msgspec.Struct):
    """One function in one launch, nanoseconds a call; `beside`: through the layer, with an endpoint in the process."""

    call: str
    native: float
    wrapped: float
    beside: float


def main() -> None:
    for label, launches in measure("raddle-interpose-cost", Reading, __doc__ or "").items():
        for of_call in zip(*launches, strict=True):
            print(line(label, of_call))


def line(label: str, launches: tuple[Reading, ...]) -> str:
    native = f"{median([one.native for one in launches]):.1f}"
    through = told([one.wrapped - one.native for one in launches], "+.2f")
    beside = told([one.beside - one.native for one in launches], "+.2f")
    return f"{label}: {launches[0].call}: {native} ns by itself, through the layer {through}, with an endpoint {beside}"


if __name__ == "__main__":
    main()
