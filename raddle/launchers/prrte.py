# SPDX-License-Identifier: BSD-3-Clause
"""PRRTE, the launcher of Open MPI since version 5; these options also suit version 4."""

from __future__ import annotations

from raddle.launchers.base import Hosts, Mpiexec, register
from raddle.mpi.find import Mpi


@register("prrte")
class Prrte(Mpiexec):
    """Left alone it binds up to two processes to a core each, counts cores as slots and starts no more than these."""

    def flags(self, mpi: Mpi, *, oversubscribe: bool) -> list[str]:
        more = ["--map-by", ":OVERSUBSCRIBE"] if oversubscribe else []
        return ["--bind-to", "none", "--use-hwthread-cpus", *more]

    def on(self, hosts: Hosts) -> list[str]:
        return ["--prtemca", "plm_ssh_agent", hosts.agent, "--host", hosts.slots()]

    def setting(self, name: str, value: str) -> list[str]:
        return ["-x", f"{name}={value}"]
