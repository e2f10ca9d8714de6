# SPDX-License-Identifier: BSD-3-Clause
"""Launchers: how each MPI's processes are started."""

from __future__ import annotations

import os
import shutil

from raddle.launchers import hydra, plain, prrte, srun  # noqa: F401  (each registers its classes)
from raddle.launchers.base import LAUNCHERS, Hosts, Launcher
from raddle.mpi.find import Mpi

__all__ = ["LAUNCHERS", "Hosts", "Launcher", "launcher_for", "launcher_name"]


def launcher_name(mpi: Mpi) -> str:
    """srun inside a Slurm allocation, save for our wheels, which know nothing of that Slurm; else the family's own."""
    in_allocation = "SLURM_JOB_ID" in os.environ and shutil.which("srun") is not None
    return "srun" if in_allocation and not mpi.ours else mpi.family.launcher


def launcher_for(mpi: Mpi) -> Launcher:
    """The launcher that starts this MPI's processes here."""
    return LAUNCHERS[launcher_name(mpi)]()
