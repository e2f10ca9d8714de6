# SPDX-License-Identifier: BSD-3-Clause
"""Which parameters of the benchmarks of sparse exchange suit each other: all combinations would be thousands."""

from __future__ import annotations

from collections.abc import Collection

from raddle.model import Params, Value

# What the article did; what a program does differs from it in one of these at a time, and in the number of ranks.
_USUAL: dict[str, Value] = {"bytes": 1024, "fraction": 0.1, "pattern": "random"}
# Endpoints have no windows; and threads that spin until others of their process have sent measure the scheduler.
_NOT_ON_ENDPOINTS = ("rsx", "native-nbx")


def suits(variant: str, placement: str, params: Params, asked: Collection[str] = ()) -> bool:
    """Whether a combination is worth measuring, and possible; parameters that were asked for are worth it."""
    unusual = [name for name, value in _USUAL.items() if params[name] != value and name not in asked]
    if len(unusual) > 1:
        return False
    if variant == "process":
        return True
    if placement != "one-process" and int(params["ranks"]) % 2:
        return False  # two processes have half of them each
    return params["algorithm"] not in _NOT_ON_ENDPOINTS
