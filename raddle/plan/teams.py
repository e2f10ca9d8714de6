# SPDX-License-Identifier: BSD-3-Clause
"""The teams of benchmarks: how many processes a point needs and how many contexts are busy.

`bench/core/teams.cpp` says the same in C++; a launch of another size is refused there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from raddle.catalogue import Benchmark, Variant
from raddle.model import Params


class Team(NamedTuple):
    """The size of a launch."""

    contexts: tuple[int, ...]  # of each process of the application
    helpers: int = 0  # threads that each context starts beside itself
    proxies: int = 0  # that the launcher starts beside each process

    @property
    def processes(self) -> int:
        return len(self.contexts)

    @property
    def busy(self) -> tuple[int, ...]:
        """For each process, threads and proxies that want a CPU of their own."""
        return tuple(own * (1 + self.helpers) + self.proxies for own in self.contexts)


def _flows(variant: Variant, placement: str, flows: int, parties: int) -> Team:
    """Groups of contexts: processes each, or threads of a process for each party."""
    if placement == "one-process":
        return Team((flows * parties,))
    if variant.ranks == "process":
        return Team((1,) * (flows * parties))
    return Team((flows,) * parties)


def _pairs(variant: Variant, placement: str, params: Params) -> Team:
    return _flows(variant, placement, int(params["threads"]), 2)


def _partners(variant: Variant, placement: str, params: Params) -> Team:
    """Pairs; or contexts that are their own partners, all in one process if they are threads."""
    return _flows(variant, placement, int(params["threads"]), 1 if params["partner"] == "self" else 2)


def _groups(variant: Variant, placement: str, params: Params) -> Team:
    return _flows(variant, placement, int(params["threads"]), int(params["parties"]))


def _sides(variant: Variant, placement: str, params: Params) -> Team:
    """One flow of all contexts: as many on each side, two where nothing is said of them."""
    return _flows(variant, placement, int(params["threads"]), int(params.get("parties", 2)))


def _short_long(variant: Variant, placement: str, params: Params) -> Team:
    """Two senders and two receivers, of which only the senders may share a process."""
    return Team((1, 1, 1, 1) if variant.ranks == "process" else (2, 1, 1))


def _ring(variant: Variant, placement: str, params: Params) -> Team:
    """Each process and its neighbours; a helper thread, whoever starts it, is busy as well."""
    return Team((1,) * (int(params["neighbours"]) + 1), helpers=0 if params["progress"] in ("none", "proxy") else 1)


def _collective_compute(variant: Variant, placement: str, params: Params) -> Team:
    return _flows(variant, placement, int(params["threads"]) + 1, 2)


def _partitioned(variant: Variant, placement: str, params: Params) -> Team:
    """The threads that make partitions ready, and the one that receives them or as many where both sides send."""
    threads = int(params["threads"])
    others = threads if params.get("order") == "neighbours" else 1
    if placement == "one-process":
        return Team((threads + others,))
    return Team((threads, others))


def _ranks(variant: Variant, placement: str, params: Params) -> Team:
    """So many ranks: processes, or endpoints of one process or of two."""
    ranks = int(params["ranks"])
    if variant.ranks == "process":
        return Team((1,) * ranks)
    return Team((ranks,) if placement == "one-process" else ((ranks + 1) // 2, ranks // 2))


def team_of(benchmark: Benchmark, variant: Variant, placement: str, params: Params) -> Team:
    """What a point needs. Every process has as many proxies as the one with most contexts: the launcher knows no other
    way, and a proxy that serves nobody may be busy as well."""
    team = TEAMS[benchmark.team](variant, placement, params)
    return team._replace(proxies=max(team.contexts)) if variant.proxies else team


TEAMS: Mapping[str, Callable[[Variant, str, Params], Team]] = {
    "pairs": _pairs,
    "partners": _partners,
    "groups": _groups,
    "sides": _sides,
    "short-long": _short_long,
    "ring": _ring,
    "collective-compute": _collective_compute,
    "partitioned": _partitioned,
    "ranks": _ranks,
}
