# SPDX-License-Identifier: BSD-3-Clause
"""Hydra, the launcher of MPICH, and Intel's descendant of it. Both find a PBS or Slurm allocation by themselves."""

from __future__ import annotations

from raddle.launchers.base import Hosts, Mpiexec, register
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

    def on(self, hosts: Hosts) -> list[str]:
        return ["-launcher", "ssh", "-launcher-exec", hosts.agent, "-hosts", hosts.slots()]


@register("intel-hydra")
class IntelHydra(_Hydra):
    """Intel's takes -bind-to and ignores it; I_MPI_PIN in the family's data does the work."""

    def on(self, hosts: Hosts) -> list[str]:
        # It ignores a number behind a host's name.
        each = [name for name, count in hosts.shares.items() for _ in range(count)]
        return ["-bootstrap", "ssh", "-bootstrap-exec", hosts.agent, "-ppn", "1", "-hosts", ",".join(each)]
