# SPDX-License-Identifier: BSD-3-Clause
"""The teams of benchmarks: how many processes a point needs and how many contexts are busy.

`bench/core/team.hpp` and the benchmarks say the same in C++; a launch of another size is refused there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from raddle.catalogue import Variant
from raddle.model import Params


class Team(NamedTuple):
    """The size of a launch."""

    processes: int
    busy: int  # threads that want a CPU of their own


def _flows(variant: Variant, placement: str, flows: int, parties: int) -> Team:
    """Groups of contexts: processes each, or threads of a process for each party."""
    if placement == "one-process":
        return Team(1, flows * parties)
    return Team(flows * parties if variant.ranks == "process" else parties, flows * parties)


def _pairs(variant: Variant, placement: str, params: Params) -> Team:
    return _flows(variant, placement, int(params["threads"]), 2)


def _groups(variant: Variant, placement: str, params: Params) -> Team:
    return _flows(variant, placement, int(params["threads"]), int(params["parties"]))


def _short_long(variant: Variant, placement: str, params: Params) -> Team:
    """Two senders and two receivers, of which only the senders may share a process."""
    return Team(4 if variant.ranks == "process" else 3, 4)


def _ring(variant: Variant, placement: str, params: Params) -> Team:
    """Each process and its neighbours; a helper, whoever starts it, is busy as well."""
    processes = int(params["neighbours"]) + 1
    return Team(processes, processes * (1 if params["progress"] == "none" else 2))


def _collective_compute(variant: Variant, placement: str, params: Params) -> Team:
    return _flows(variant, placement, int(params["threads"]) + 1, 2)


TEAMS: Mapping[str, Callable[[Variant, str, Params], Team]] = {
    "pairs": _pairs,
    "groups": _groups,
    "sides": _pairs,  # one flow of all ranks, half of them on each side: as many contexts, in the same places
    "short-long": _short_long,
    "ring": _ring,
    "collective-compute": _collective_compute,
}
