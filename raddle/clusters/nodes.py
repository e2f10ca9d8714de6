# SPDX-License-Identifier: BSD-3-Clause
"""Which nodes of a job the processes of a launch go to: half of them to each of two, or all of them to this one."""

from __future__ import annotations

import shutil
from collections.abc import Sequence

from raddle.clusters.allocation import Allocation
from raddle.errors import UserError
from raddle.launchers.base import Hosts
from raddle.mpi.family import Family
from raddle.topology.names import shares

NODES = "nodes"  # the placement


def obstacle(placement: str, family: Family, allocation: Allocation | None) -> str | None:
    """Why an MPI of this family cannot be measured so, or None."""
    if placement == NODES:
        if allocation is None:
            return "it needs a job of two nodes: raddle run ... --slurm or --pbs (docs/use/clusters.md)"
        if len(allocation.nodes) < 2:
            return "this job has one node: ask for one of two (--nodes 2)"
    # Started by nobody knows what, processes would be where nobody knows.
    several = allocation is not None and len(allocation.nodes) > 1
    if several and family.launcher == "plain" and not _srun(allocation):
        return "how its launcher is given nodes is not known to Raddle: ask for a job of one node"
    return None


def on_two(allocation: Allocation | None, processes: int, each: int = 1) -> Hosts:
    """Half of the processes on each of the job's first two nodes, `each` times as many where proxies stay beside them.

    Raises UserError where there are no two: a run that was planned in another job.
    """
    names = allocation.nodes[:2] if allocation else []
    if len(names) < 2:
        raise UserError(
            f"The placement {NODES} needs a job of two nodes, and this is none.", hint="Go on in a job like the first."
        )
    return Hosts({name: count * each for name, count in zip(names, shares(processes), strict=True) if count})


def on_this(allocation: Allocation | None, processes: int) -> Hosts | None:
    """All of them here, where a launcher left alone might spread them over a job's nodes."""
    if allocation is None or len(allocation.nodes) < 2:
        return None
    return Hosts({allocation.nodes[0]: processes})


def busiest(placement: str, busy: Sequence[int]) -> int:
    """How many of the busy contexts, told process by process, compete for the CPUs of one node."""
    if placement != NODES:
        return sum(busy)
    first, _ = shares(len(busy))
    return max(sum(busy[:first]), sum(busy[first:]))


def _srun(allocation: Allocation | None) -> bool:
    return allocation is not None and allocation.scheduler == "slurm" and shutil.which("srun") is not None
