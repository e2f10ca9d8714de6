# SPDX-License-Identifier: BSD-3-Clause
"""The command of a launcher, changed so that libraddle is between its programs and their MPI."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path

from raddle import native
from raddle.belonging import launched, refuse
from raddle.errors import UserError
from raddle.inspection.start import Starter
from raddle.launchers import LAUNCHERS
from raddle.launchers.base import Mpiexec
from raddle.launchers.nested import sharing
from raddle.mpi.find import Mpi
from raddle.threads_as_ranks import as_ranks
from raddle.unbound import for_threads, unbound
from raddle.with_proxies import settings, with_proxies

_VARIABLE = "LD_PRELOAD"


class Engine(str, Enum):
    """Of endpoints."""

    direct = "direct"
    proxy = "proxy"


@dataclass(frozen=True)
class Way:
    """How a program is to run: `threads` of each process are ranks (0: processes are), with `proxies` for each."""

    threads: int = 0
    proxies: int = 0
    oversubscribe: bool = False
    options: Sequence[str] = field(default=())  # of raddle-ranks


@dataclass(frozen=True)
class Tool:
    """A library that sees the calls of a program before all others, and the variables that its processes get for it."""

    library: Path
    settings: Mapping[str, str]


@dataclass(frozen=True)
class Under:
    """What is built for an MPI: the library, and the programs that start ranks and proxies."""

    mpi: Mpi
    launcher: Path
    built: Path

    @property
    def library(self) -> Path:
        return self.built / "lib" / "libraddle.so"

    @property
    def starter(self) -> Path:
        return self.built / "bin" / "raddle-ranks"

    def environment(self) -> dict[str, str]:
        """That of the launcher."""
        return {**os.environ, **sharing(), **Starter(self.mpi, self.library).place()}

    def command(self, words: Sequence[str], way: Way, tool: Tool | None = None) -> tuple[list[str], dict[str, str]]:
        """The command that comes of the launcher's `words`, and its environment. Raises UserError."""
        env = self.environment()
        given = list(words)
        if way.threads and not way.proxies and self.launcher.name != "srun":
            given = for_threads(given, self.mpi)
        if way.threads:
            given = as_ranks(given, way.threads, self.starter, way.options)
        if way.proxies:
            given = with_proxies(self.launcher.name, given, way.proxies)
            env |= settings(way.proxies, oversubscribe=way.oversubscribe)
            if self.launcher.name != "srun":
                given, settings_of_binding = unbound(given, self.mpi)
                env |= settings_of_binding
        if tool:
            env |= tool.settings
        return [str(self.launcher), *preloading(given, self.launcher.name, self.mpi, self.library, tool)], env


def under(
    command: Sequence[str],
    mpi: str | None,
    *,
    threads: bool,
    proxies: bool,
    report: Callable[[str], None],
    besides: Sequence[str] = (),
) -> Under:
    """For a launcher's command: finds its MPI and builds what it takes, and the targets `besides`.

    Raises UserError.
    """
    chosen, launcher = launched(command, mpi)
    refuse(command[1:], launcher, chosen, {**os.environ, **Starter(chosen, launcher).place()})
    targets = ["raddle", *(["raddle-ranks"] if threads else []), *(["raddle-proxy"] if proxies else []), *besides]
    return Under(chosen, launcher, native.build(chosen, targets=targets, report=report))


def proxies(engine: Engine, endpoints: int | None, threads: int | None, *, oversubscribe: bool) -> int:
    """How many each process gets: where nobody says it, one for each thread that is a rank. Raises UserError."""
    if engine is not Engine.proxy:
        for option, given in (("--endpoints", endpoints), ("--oversubscribe", oversubscribe)):
            if given:
                raise UserError(f"{option} is for --engine proxy.", hint="Leave it out, or say --engine proxy.")
        return 0
    if found := endpoints or threads:
        return found
    raise UserError("--engine proxy needs a number of proxies.", hint="Say --endpoints E.")


def preloading(words: Sequence[str], launcher: str, mpi: Mpi, library: Path, tool: Tool | None = None) -> list[str]:
    """The launcher's words with those that preload the library into the processes it starts, and not into itself.

    A tool's library comes first of all, and its settings go the same way: launchers give processes on other nodes only
    what they are told to.
    """
    if any(word.partition("=")[0] == _VARIABLE for word in words):
        raise UserError(
            f"The command sets {_VARIABLE} itself.",
            hint="Set it in the environment of raddle: what it names then comes before libraddle.",
        )
    named = [*([tool.library] if tool else []), library]
    if bad := next((path for path in named if set(str(path)) & set(" :,")), None):
        raise UserError(
            f"{_VARIABLE} cannot name {bad}: it ends names at spaces and colons, and launchers at commas.",
            hint="Move the checkout of Raddle to a path without them.",
        )
    # Another tool's library stays in front: it sees the program's calls first.
    first = str(tool.library) if tool else None
    value = ":".join(filter(None, [first, os.environ.get(_VARIABLE), str(library)]))
    if launcher == "srun":
        return [_export(words, value), *words]
    more = tool.settings if tool else {}
    setting = [word for name, each in {_VARIABLE: value, **more}.items() for word in _setting(mpi, name, each)]
    # PRRTE's setting is one of a part of the job.
    again = {":": [":", *setting]} if mpi.family.launcher == "prrte" else {}
    return [*setting, *(given for word in words for given in again.get(word, [word]))]


def _export(words: Sequence[str], value: str) -> str:
    if any(word.partition("=")[0] == "--export" for word in words):
        raise UserError(
            "srun is given an --export of its own.", hint="Leave it out, and set the variables in the environment."
        )
    return f"--export=ALL,{_VARIABLE}={value}"


def _setting(mpi: Mpi, name: str, value: str) -> list[str]:
    launcher = LAUNCHERS[mpi.family.launcher]()
    if words := launcher.setting(name, value) if isinstance(launcher, Mpiexec) else []:
        return words
    raise UserError(
        f"Raddle does not know how the mpiexec of {mpi.prefix} gives a variable to its processes alone.",
        hint="Link the program with -lraddle before -lmpi instead (docs/use/exec.md).",
    )
