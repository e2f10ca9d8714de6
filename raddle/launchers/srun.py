# SPDX-License-Identifier: BSD-3-Clause
"""Slurm's own launcher, for the MPI that a cluster built for it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from raddle.errors import UserError
from raddle.launchers.base import Hosts, Launcher, register
from raddle.mpi.find import Mpi


@register("srun")
class Srun(Launcher):
    """One job step on one node. Without --cpus-per-task or --exact the step has all CPUs of the allocation there."""

    def flags(self, mpi: Mpi, *, oversubscribe: bool) -> list[str]:
        more = ["--overcommit"] if oversubscribe else []
        return ["--nodes=1", "--cpu-bind=none", "--export=ALL", *mpi.family.srun, *more]

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
        if hosts:
            raise UserError("srun starts nothing on simulated nodes.", hint="Measure on --placement node.")
        # srun splits --export at commas, so settings travel in its environment; `env` shows them in the command.
        settings = ["env", *(f"{name}={value}" for name, value in env.items())] if env else []
        return [*settings, "srun", f"--ntasks={processes}", *self.flags(mpi, oversubscribe=oversubscribe), *argv]
