# SPDX-License-Identifier: BSD-3-Clause
"""What a launcher is. To add one: a module here with a registered class, and its name in a family's data."""

from __future__ import annotations

import os
import shlex
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from raddle.errors import UserError
from raddle.launchers.nested import sharing
from raddle.mpi.find import Mpi


@dataclass(frozen=True)
class Hosts:
    """Where processes start when not just here: `shares` has each host's number of them, in the order of ranks.

    `agent` is a command that is called like ssh, its path without a space. Without one they are nodes of the job around
    us, which a launcher reaches in its own way.
    """

    shares: Mapping[str, int]
    agent: str | None = None

    def slots(self) -> str:
        """As hydra and PRRTE write it: "a:1,b:2"."""
        return ",".join(f"{name}:{count}" for name, count in self.shares.items())

    def each(self) -> list[str]:
        """A host for every process, in the order of ranks."""
        return [name for name, count in self.shares.items() for _ in range(count)]

    def on_first(self, command: Sequence[str]) -> list[str]:
        """The same command, started on the first host: launchers expect to be on one of theirs. A job's first is this
        one."""
        if self.agent is None:
            return list(command)
        return [self.agent, next(iter(self.shares)), *map(shlex.quote, command)]


class Launcher(ABC):
    """Starts the processes of one MPI program, unbound: `raddle-bench` pins its threads itself and reads it back."""

    # Variables of the environment that it would take for options of this launch.
    options: frozenset[str] = frozenset()
    # What lets a process have all CPUs, where it is bound to a core unless something else is said; else nothing.
    unbinding: tuple[str, ...] = ()

    @abstractmethod
    def flags(self, mpi: Mpi, *, oversubscribe: bool) -> list[str]:
        """Options that are the same for every program."""

    @abstractmethod
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
        """The command line that starts `argv` in so many processes, here or on `hosts`; each process gets `env`."""

    def environment(self, mpi: Mpi, env: Mapping[str, str]) -> dict[str, str]:
        """The environment to run that command in: the user's, without what would undo the choice of a variant."""
        left_out = {*mpi.family.managed, *self.options}
        inherited = {name: value for name, value in os.environ.items() if name not in left_out}
        return {**inherited, **sharing(), **mpi.env(), **env}


Class = TypeVar("Class", bound=type[Launcher])
LAUNCHERS: dict[str, type[Launcher]] = {}


def register(name: str) -> Callable[[Class], Class]:
    """Makes a class available under the name that families use."""

    def add(launcher: Class) -> Class:
        LAUNCHERS[name] = launcher
        return launcher

    return add


class Mpiexec(Launcher):
    """What all that are called mpiexec share; each has its own options and its own way to name a variable."""

    def flags(self, mpi: Mpi, *, oversubscribe: bool) -> list[str]:
        return []

    def on(self, hosts: Hosts) -> list[str]:
        """Options that start processes on these hosts."""
        raise UserError(
            "This MPI's launcher is not known well enough to be given hosts.",
            hint="Measure it on --placement node, in a job of one node.",
        )

    def setting(self, name: str, value: str) -> list[str]:
        """Options that give every process a variable, on other nodes as well."""
        return []

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
        # Another library's mpiexec would start processes that do not find each other.
        if not mpi.mpiexec.exists():
            raise UserError(
                f"{mpi.family.title} has no mpiexec beside {mpi.mpicc}.",
                hint="Inside a Slurm allocation srun is used; elsewhere name an MPI that has one: --mpi PATH",
            )
        settings = [word for name, value in env.items() for word in self.setting(name, value)]
        flags = self.flags(mpi, oversubscribe=oversubscribe) + (self.on(hosts) if hosts else [])
        command = [str(mpi.mpiexec), "-n", str(processes), *flags, *settings, *argv]
        return hosts.on_first(command) if hosts else command
