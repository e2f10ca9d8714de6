# SPDX-License-Identifier: BSD-3-Clause
"""The job of a batch system that this process is part of, and its nodes."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from typing import Literal

import msgspec

from raddle.errors import UserError

Scheduler = Literal["slurm", "pbs"]


class Allocation(msgspec.Struct, frozen=True):
    """Part of `environment.json`: whose nodes were measured. The first of them is this one."""

    scheduler: Scheduler
    job: str
    nodes: list[str]


def current() -> Allocation | None:
    """The job around this process; None outside of any. Raises UserError where its nodes cannot be told."""
    if job := os.environ.get("SLURM_JOB_ID"):
        return Allocation("slurm", job, _own_first(_slurm_nodes(), os.environ.get("SLURMD_NODENAME", "")))
    if (job := os.environ.get("PBS_JOBID")) and (file := os.environ.get("PBS_NODEFILE")):
        return Allocation("pbs", job, _pbs_nodes(Path(file)))
    return None


def here() -> Allocation | None:
    """As `current`. Raises UserError on a login node whose shell holds a job: two machines would be measured as one."""
    allocation = current()
    # slurmd says it to all that it starts; salloc starts a shell where it was called, unless the site has it otherwise.
    if allocation and allocation.scheduler == "slurm" and "SLURMD_NODENAME" not in os.environ:
        raise UserError(
            f"This shell holds job {allocation.job} of Slurm, but runs on none of its nodes.",
            hint="Measure in a job of its own: raddle run ... --slurm (docs/use/clusters.md).",
        )
    return allocation


def _slurm_nodes() -> list[str]:
    names = os.environ.get("SLURM_JOB_NODELIST", "")
    if os.environ.get("SLURM_JOB_NUM_NODES", "1") == "1":
        return [names] if names else []
    try:
        done = subprocess.run(
            ["scontrol", "show", "hostnames", names],
            stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60, check=True,
        )  # fmt: skip
    except (OSError, subprocess.SubprocessError) as error:
        raise UserError(
            f"scontrol does not tell which nodes {names} are: {error}.",
            hint="Put Slurm's commands into PATH, or ask for a job of one node.",
        ) from error
    return done.stdout.split()


def _pbs_nodes(file: Path) -> list[str]:
    """A node is named once for each of its slots."""
    try:
        return list(dict.fromkeys(file.read_text(encoding="utf-8").split()))
    except OSError as error:
        raise UserError(
            f"PBS_NODEFILE, {file}, cannot be read: {error.strerror}.", hint="Run raddle in the job's script itself."
        ) from error


def _own_first(nodes: list[str], own: str) -> list[str]:
    return sorted(nodes, key=lambda name: name != own)
