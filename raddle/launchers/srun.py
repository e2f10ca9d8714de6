# SPDX-License-Identifier: BSD-3-Clause
"""Slurm's own launcher, for the MPI that a cluster built for it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from raddle.errors import UserError
from raddle.launchers.base import Hosts, Launcher, register
from raddle.mpi.find import Mpi

# What the options of a job leave in its environment, srun takes for options of each step.
_SHAPE = frozenset(
    {
        *("SLURM_CPUS_PER_TASK", "SRUN_CPUS_PER_TASK", "SLURM_CPU_BIND", "SLURM_DISTRIBUTION", "SLURM_EXACT"),
        *("SLURM_GPUS_PER_TASK", "SLURM_NTASKS_PER_GPU", "SLURM_TRES_PER_TASK"),
        *("SLURM_HOSTFILE", "SLURM_NPROCS", "SLURM_NTASKS", "SLURM_NTASKS_PER_CORE", "SLURM_NTASKS_PER_NODE"),
        *("SLURM_NTASKS_PER_SOCKET", "SLURM_OVERCOMMIT", "SLURM_WHOLE"),
    }
)


@register("srun")
class Srun(Launcher):
    """One job step, on one node or on those it is given. Without --cpus-per-task or --exact it has all CPUs of the
    allocation there."""

    options = _SHAPE

    def flags(self, mpi: Mpi, *, oversubscribe: bool) -> list[str]:
        more = ["--overcommit"] if oversubscribe else []
        return ["--cpu-bind=none", "--export=ALL", *mpi.family.srun, *more]

    def command(
        self,
        mpi: Mpi,
        argv: Sequence[str],
        *,
        processes: int,
        env: Mapping[str, str],
        oversubscribe: bool,
        hosts: Hosts | None = None,
    ) -> list[str]:
        if hosts and hosts.agent:
            raise UserError("srun starts nothing on simulated nodes.", hint="Measure on --placement node.")
        # srun splits --export at commas, so settings travel in its environment; `env` shows them in the command.
        settings = ["env", *(f"{name}={value}" for name, value in env.items())] if env else []
        flags = [*on(hosts), *self.flags(mpi, oversubscribe=oversubscribe)]
        return [*settings, "srun", f"--ntasks={processes}", *flags, *argv]


def on(hosts: Hosts | None) -> list[str]:
    """Options that start a step on these nodes, each process where it belongs."""
    if hosts is None:
        return ["--nodes=1"]
    if len(hosts.shares) == 1:
        return ["--nodes=1", f"--nodelist={next(iter(hosts.shares))}"]
    # Any other distribution fills the first node as far as its CPUs go.
    return [f"--nodes={len(hosts.shares)}", "--distribution=arbitrary", f"--nodelist={','.join(hosts.each())}"]
