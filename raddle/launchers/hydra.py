# SPDX-License-Identifier: BSD-3-Clause
"""Hydra, the launcher of MPICH, and Intel's descendant of it. Both find a PBS or Slurm allocation by themselves."""

from __future__ import annotations

from raddle.launchers.base import Mpiexec, register
from raddle.mpi.find import Mpi


class _Hydra(Mpiexec):
    """It starts as many processes as asked, so oversubscribing needs no word."""

    def setting(self, name: str, value: str) -> list[str]:
        return ["-genv", name, value]


@register("hydra")
class Hydra(_Hydra):
    """MPICH's."""

    def flags(self, mpi: Mpi, *, oversubscribe: bool) -> list[str]:
        return ["-bind-to", "none"]


@register("intel-hydra")
class IntelHydra(_Hydra):
    """Intel's takes -bind-to and ignores it; I_MPI_PIN in the family's data does the work."""
