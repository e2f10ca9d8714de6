# SPDX-License-Identifier: BSD-3-Clause
"""How long each rank of a collective call waited for others to come, and for whom."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Member:
    """What one rank did in a collective call."""

    process: int
    communicator: int
    thread: int
    function: str
    root: int  # -1: it has none
    began: float
    ended: float


# Whom a rank has to wait for. All others are waited for by all.
_FROM_ROOT = {"MPI_Bcast", "MPI_Scatter", "MPI_Scatterv"}
_TO_ROOT = {"MPI_Gather", "MPI_Gatherv", "MPI_Reduce"}
_FROM_BELOW = {"MPI_Scan", "MPI_Exscan"}


def waits_of(ranks: Mapping[int, Member]) -> dict[int, tuple[float, int]]:
    """By rank, the seconds and the rank that came last of those it had to wait for; of all ranks there are."""
    return {rank: _wait(ranks, rank) for rank in ranks}


def _wait(ranks: Mapping[int, Member], rank: int) -> tuple[float, int]:
    one = ranks[rank]
    late = max(_needed(ranks, rank, one), key=lambda other: ranks[other].began, default=rank)
    return max(min(ranks[late].began, one.ended) - one.began, 0.0), late


def _needed(ranks: Mapping[int, Member], rank: int, one: Member) -> list[int]:
    function = one.function.removesuffix("_c")
    if function in _FROM_ROOT:
        return [one.root] if one.root in ranks else []
    if function in _TO_ROOT:
        return list(ranks) if rank == one.root else []
    if function in _FROM_BELOW:
        return [other for other in ranks if other <= rank]
    return list(ranks)
