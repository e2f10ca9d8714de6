# SPDX-License-Identifier: BSD-3-Clause
"""Hydra, the launcher of MPICH, and Intel's descendant of it. Both find a PBS or Slurm allocation by themselves."""

from __future__ import annotations

import os

from raddle.launchers.base import Hosts, Mpiexec, register


class _Hydra(Mpiexec):
    """It starts as many processes as asked, so oversubscribing needs no word."""

    def setting(self, name: str, value: str) -> list[str]:
        return ["-genv", name, value]


@register("hydra")
class Hydra(_Hydra):
    """MPICH's. It binds nothing unless it is told to, and with -bind-to it starts nothing for MPI_Comm_spawn."""

    options = frozenset({"HYDRA_BINDING", "HYDRA_BIND"})

    def on(self, hosts: Hosts) -> list[str]:
        # In a job it starts its proxies by srun, where that is Slurm's, or by ssh, unless HYDRA_BOOTSTRAP says how.
        agent = ["-launcher", "ssh", "-launcher-exec", hosts.agent] if hosts.agent else []
        return [*agent, "-hosts", hosts.slots()]


@register("intel-hydra")
class IntelHydra(_Hydra):
    """Intel's takes -bind-to and ignores it; I_MPI_PIN in the family's data does the work."""

    def on(self, hosts: Hosts) -> list[str]:
        # It ignores a number behind a host's name.
        return [*self._agent(hosts), "-ppn", "1", "-hosts", ",".join(hosts.each())]

    def _agent(self, hosts: Hosts) -> list[str]:
        """Given hosts it forgets that it is in a job and would use ssh."""
        if hosts.agent:
            return ["-bootstrap", "ssh", "-bootstrap-exec", hosts.agent]
        own_choice = "I_MPI_HYDRA_BOOTSTRAP" in os.environ
        return ["-bootstrap", "slurm"] if "SLURM_JOB_ID" in os.environ and not own_choice else []
