# SPDX-License-Identifier: BSD-3-Clause
"""How `raddle-inspect` is started: as the user starts a program, whose binding and settings are what is looked at."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from raddle.clusters.allocation import current
from raddle.clusters.nodes import on_this
from raddle.errors import UserError
from raddle.execute.command import Command
from raddle.launchers import launcher_for, launcher_name
from raddle.launchers.nested import sharing
from raddle.launchers.srun import on
from raddle.mpi.find import Mpi
from raddle.mpi.variables import MPI_PREFIXES


@dataclass(frozen=True)
class Starter:
    """Commands for one MPI; `needs` holds those of Raddle's settings without which nothing starts here."""

    mpi: Mpi
    program: Path
    needs: Mapping[str, str] = field(default_factory=dict)

    def as_user(
        self,
        words: Sequence[str],
        processes: int,
        settings: Mapping[str, str] | None = None,
        *,
        without: Callable[[str], bool] = lambda name: False,
    ) -> Command:
        """With the user's environment, save the variables in `without`, and no option but the number of processes."""
        inherited = {name: value for name, value in os.environ.items() if not without(name)} | sharing()
        made = {**self.place(), **self.needs, **(settings or {})}
        return Command([*self._launcher(processes), str(self.program), *words], {**inherited, **made}, made)

    def as_raddle(self, words: Sequence[str], processes: int, settings: Mapping[str, str] | None = None) -> Command:
        """Unbound and with as many processes as asked for, whatever the number of CPUs."""
        made = {**self.mpi.env(), **(settings or {})}
        env = launcher_for(self.mpi).environment(self.mpi, settings or {})
        return Command(self._unbound(words, processes, settings or {}, oversubscribe=True), env, made)

    def as_measured(
        self, words: Sequence[str], processes: int, settings: Mapping[str, str], *, oversubscribe: bool
    ) -> Command:
        """Unbound, and with the user's own settings: what is advised is added to them."""
        options = launcher_for(self.mpi).options
        inherited = {name: value for name, value in os.environ.items() if name not in options} | sharing()
        made = {**self.mpi.env(), **settings}
        argv = self._unbound(words, processes, settings, oversubscribe=oversubscribe)
        return Command(argv, {**inherited, **made}, made)

    def _unbound(
        self, words: Sequence[str], processes: int, env: Mapping[str, str], *, oversubscribe: bool
    ) -> list[str]:
        return launcher_for(self.mpi).command(
            self.mpi,
            [str(self.program), *words],
            processes=processes,
            env=env,
            oversubscribe=oversubscribe,
            hosts=on_this(current(), processes),
        )

    def place(self) -> dict[str, str]:
        """Of Raddle's settings those that only say where the MPI is; a user's module makes them."""
        family = self.mpi.family
        return {name: value for name, value in self.mpi.env().items() if "{prefix}" in family.env.get(name, "{prefix}")}

    def liberties(self) -> dict[str, str]:
        """The others, save those that change the binding: what Raddle takes upon itself so that processes start."""
        place, bindings = self.place(), self.mpi.family.doctor.bindings
        return {name: value for name, value in self.mpi.env().items() if name not in place and name not in bindings}

    def _launcher(self, processes: int) -> list[str]:
        if launcher_name(self.mpi) == "srun":
            # It judges what is on a node; of a job's nodes, on this one.
            node = on(hosts) if (hosts := on_this(current(), processes)) else []
            return ["srun", f"--ntasks={processes}", *node, *self.mpi.family.srun]
        if not self.mpi.mpiexec.exists():
            raise UserError(
                f"{self.mpi.family.title} has no mpiexec beside {self.mpi.mpicc}.",
                hint="Inside a Slurm allocation srun is used; elsewhere name an MPI that has one: --mpi PATH",
            )
        return [str(self.mpi.mpiexec), "-n", str(processes)]


def binds_threads(name: str) -> bool:
    """Whether an environment variable tells an OpenMP runtime where its threads may run."""
    return name in ("OMP_PROC_BIND", "OMP_PLACES", "GOMP_CPU_AFFINITY", "KMP_AFFINITY")


def is_mpi_setting(name: str) -> bool:
    """Whether an environment variable is one that an MPI library or what it is built on reads."""
    return name.startswith(MPI_PREFIXES)
