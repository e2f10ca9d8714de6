# SPDX-License-Identifier: BSD-3-Clause
"""PRRTE, the launcher of Open MPI since version 5; these options also suit version 4."""

from __future__ import annotations

import os

from raddle.launchers.base import Hosts, Mpiexec, register
from raddle.mpi.find import Mpi


@register("prrte")
class Prrte(Mpiexec):
    """Left alone it binds up to two processes to a core each, counts cores as slots and starts no more than these."""

    unbinding = ("--bind-to", "none")

    def flags(self, mpi: Mpi, *, oversubscribe: bool) -> list[str]:
        # A job may have granted fewer slots than its nodes have CPUs.
        granted = "SLURM_JOB_ID" in os.environ or "PBS_JOBID" in os.environ
        more = ["--map-by", ":OVERSUBSCRIBE"] if oversubscribe or granted else []
        return [*self.unbinding, "--use-hwthread-cpus", *more]

    def on(self, hosts: Hosts) -> list[str]:
        agent = ["--prtemca", "plm_ssh_agent", hosts.agent] if hosts.agent else []
        return [*agent, "--host", hosts.slots()]

    def setting(self, name: str, value: str) -> list[str]:
        return ["-x", f"{name}={value}"]
