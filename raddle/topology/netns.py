# SPDX-License-Identifier: BSD-3-Clause
"""The simulated nodes of a run, and whether they can be had here."""

from __future__ import annotations

import os
import shutil
import subprocess
from functools import cache
from pathlib import Path
from types import TracebackType

from raddle.errors import UserError
from raddle.launchers.base import Hosts
from raddle.topology.names import own_names, shares
from raddle.topology.namespace import make, remove, remove_stale

NETNS = "netns"  # the placement
AGENT = Path(__file__).with_name("enter.sh")
_COMMANDS = {"ip": "iproute2", "unshare": "util-linux", "hostname": "hostname"}  # and the packages that bring them


class SimulatedNodes:
    """Two nodes, made when they are first needed; on leaving the `with` nothing of them stays."""

    def __init__(self) -> None:
        self._names: tuple[str, str] | None = None

    def hosts(self, processes: int, each: int = 1) -> Hosts:
        """Where so many processes of a launch go, `each` times as many where proxies stay with the process they serve.

        Raises UserError when the nodes cannot be made.
        """
        if self._names is None:
            remove_stale()
            self._names = own_names()
            make(*self._names)
        counts = zip(self._names, shares(processes), strict=True)
        return Hosts({name: count * each for name, count in counts if count}, str(AGENT))

    def __enter__(self) -> SimulatedNodes:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for name in self._names or ():
            remove(name)
        self._names = None


@cache
def unavailable() -> str | None:
    """None, or the reason why there are no simulated nodes here and what to do about it. Tries it, once."""
    if os.geteuid() != 0:
        return "only root may make network namespaces: run raddle as root, for example in a container of your own"
    for command, package in _COMMANDS.items():
        if shutil.which(command) is None:
            return f"the command {command} is missing: apt-get install {package}"
    if "SLURM_JOB_ID" in os.environ:
        return "inside a Slurm allocation srun starts the processes, which knows no simulated nodes"
    if any(map(str.isspace, str(AGENT))):
        return f"launchers cannot start {AGENT}: move Raddle to a path without a space"
    try:
        _try()
    except UserError as error:
        return f"{error} {error.hint}"
    return None


def _try() -> None:
    with SimulatedNodes() as nodes:
        name = list(nodes.hosts(2).shares)[1]
        done = subprocess.run([AGENT, name, "hostname"], capture_output=True, text=True, timeout=20, check=False)
        if done.stdout.strip() != name:
            said = " ".join(done.stderr.split())
            raise UserError(
                f"A simulated node cannot be entered: {said}.",
                hint="Simulated nodes need the capabilities SYS_ADMIN and NET_ADMIN (a container: --privileged).",
            )
