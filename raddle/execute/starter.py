# SPDX-License-Identifier: BSD-3-Clause
"""From a planned launch to the command that starts it."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from raddle.catalogue import catalogue
from raddle.clusters.allocation import Allocation
from raddle.clusters.nodes import NODES, on_this, on_two
from raddle.execute.command import Command
from raddle.files import write_whole
from raddle.launchers import Hosts, launcher_for
from raddle.model import NO_MPI
from raddle.mpi.find import Mpi
from raddle.plan.launches import LIBRARY, PRELOAD, PROGRAMS
from raddle.plan.schedule import Launch
from raddle.topology.netns import NETNS, SimulatedNodes


@dataclass(frozen=True)
class Starter:
    """Makes commands; `programs` has the program of each MPI by the name that launches use, and the probe as "none"."""

    directory: Path
    mpis: Mapping[str, Mpi]
    programs: Mapping[str, Path]
    nodes: SimulatedNodes = field(default_factory=SimulatedNodes)
    allocation: Allocation | None = None

    @property
    def probe(self) -> Path:
        """The program that measures the machine without an MPI."""
        return self.programs[NO_MPI]

    def command(self, launch: Launch) -> Command:
        """Write the launch's plan and say what starts it; makes the simulated nodes when it needs them.

        Raises UserError when there is no launcher or no room.
        """
        plan = self.directory.absolute() / "plans" / f"{launch.launch}.json"
        plan.parent.mkdir(exist_ok=True)
        write_whole(plan, msgspec.json.encode(launch.plan()) + b"\n")
        program = str(self.programs[launch.mpi])
        mpi = self.mpis.get(launch.mpi)
        if mpi is None:
            return Command([program, "--plan", str(plan)], dict(os.environ), {})
        env = {name: value for name, value in launch.env.items() if name != PRELOAD}
        launcher = launcher_for(mpi)
        argv = launcher.command(
            mpi,
            [*self._preloading(launch), program, "--level", launch.level, "--plan", str(plan)],
            processes=launch.started,
            env=env,
            oversubscribe=launch.profile == "shared",
            hosts=self._hosts(launch),
        )
        ours = catalogue().settings - env.keys()
        inherited = {name: value for name, value in launcher.environment(mpi, env).items() if name not in ours}
        # Shown as it was planned: where our programs lie says nothing to a reader.
        return Command(argv, inherited, {**mpi.env(), **launch.env})

    def _hosts(self, launch: Launch) -> Hosts | None:
        """Where its processes go, when not just here."""
        if launch.topology == NETNS:
            return self.nodes.hosts(launch.processes, 1 + launch.proxies)
        if launch.topology == NODES:
            return on_two(self.allocation, launch.processes, 1 + launch.proxies)
        return on_this(self.allocation, launch.started)

    def _preloading(self, launch: Launch) -> list[str]:
        """What goes before the program's name so that it alone is preloaded, and not the launcher."""
        if PRELOAD not in launch.env:
            return []
        places = {PROGRAMS: self.programs[NO_MPI].parent, LIBRARY: self.programs[launch.mpi].parents[1] / "lib"}
        libraries = launch.env[PRELOAD]
        for name, place in places.items():
            libraries = libraries.replace(name, str(place))
        # Another tool's library stays in front, as in the launches that preload nothing.
        return ["env", f"{PRELOAD}={':'.join(filter(None, (os.environ.get(PRELOAD), libraries)))}"]
