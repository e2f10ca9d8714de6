# SPDX-License-Identifier: BSD-3-Clause
"""Which parameters of the partitioned benchmarks suit each other: all combinations would be thousands."""

from __future__ import annotations

from raddle.model import Params

_OF_RADDLE = "raddle-"
# Endpoints have no windows and no partitions but Raddle's; how single messages do between them others measure.
_OF_ENDPOINTS = ("bulk",)


def suits(variant: str, params: Params) -> bool:
    """Whether a combination is worth measuring, and possible."""
    mechanism = str(params["mechanism"])
    ours = mechanism.startswith(_OF_RADDLE)
    if params.get("direct") == "no" and not ours:
        return False  # only Raddle has a choice
    if params.get("noise") == "single" and params["threads"] == 1:
        return False  # there is nobody who could be later than the others
    if params.get("completion", "wait") != "wait" and not (ours or mechanism == "psend"):
        return False  # only a partitioned request is asked whether it is complete
    if params.get("completion", "wait") != "wait" and params.get("order", "linear") != "linear":
        return False  # who asks and in which order they come have nothing to do with each other
    if params.get("direct") == "no" and params.get("order", "linear") != "linear":
        return False  # nor has the way
    if variant.startswith("endpoint-"):
        if params.get("order", "linear") != "linear":
            return False
        return (ours and params.get("direct") != "no") or mechanism in _OF_ENDPOINTS
    return True
