# SPDX-License-Identifier: BSD-3-Clause
"""The command of a launcher, changed so that it binds nothing, save where the user has said how it binds."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence

from raddle.launchers import LAUNCHERS
from raddle.mpi.find import Mpi
from raddle.threads_as_ranks import parts, program

# Options of launchers (one hyphen or two), and settings, each by how it begins.
_OPTIONS = ("bind-to", "binding", "bind", "cpu-set", "cpu-list", "rankfile", "rf")
_SETTINGS = ("I_MPI_PIN", "HYDRA_BINDING", "HYDRA_BIND", "PRTE_MCA_hwloc_default_binding_policy", "OMPI_MCA_hwloc_base")
_MAPPINGS = ("map-by",)
_MORE = "OVERSUBSCRIBE"
# Of a mapping: each process has several cores, to which it is bound.
_CORES = re.compile(r"[:,]pe=", re.IGNORECASE)


def unbound(words: Sequence[str], mpi: Mpi) -> tuple[list[str], dict[str, str]]:
    """The launcher's words, and what its environment needs: proxies and threads take their CPUs themselves.

    What the user says about binding stays as it is, and the launcher is told nothing else about it.
    """
    flags = LAUNCHERS[mpi.family.launcher]().flags(mpi, oversubscribe=True)
    options = _options(words)
    settings = {name: value for name, value in mpi.env().items() if name in mpi.family.doctor.bindings}
    if _says(options, _OPTIONS) or any(word.startswith(_SETTINGS) for word in (*options, *os.environ)):
        settings, flags = {}, _without(flags, ("bind-to",))
    if not _says(options, _MAPPINGS):
        return [*flags, *words], settings
    # PRRTE takes one mapping. The proxies are more processes than the user's one counts with.
    return [*_without(flags, _MAPPINGS), *(_oversubscribed(words) if "--map-by" in flags else words)], settings


def for_threads(words: Sequence[str], mpi: Mpi) -> list[str]:
    """The launcher's words, so that the threads of a process do not share the one core that it would be bound to."""
    options = _options(words)
    said = _says(options, _OPTIONS) or any(word.startswith(_SETTINGS) for word in (*options, *os.environ))
    if said or any(_CORES.search(word) for word in options):
        return list(words)
    return [*LAUNCHERS[mpi.family.launcher].unbinding, *words]


def _options(words: Sequence[str]) -> list[str]:
    """Those of the launcher. Where the program cannot be told, all words: then one of its own may be among them."""
    return [word for part in parts(words) for word in part[: program(part)]]


def _says(words: Sequence[str], names: Sequence[str]) -> bool:
    return any(_name(word) in names for word in words)


def _name(word: str) -> str | None:
    return word.lstrip("-").partition("=")[0] if word.startswith("-") else None


def _without(flags: Sequence[str], names: Sequence[str]) -> list[str]:
    """Each of these has a value."""
    return [
        word
        for before, word in zip(["", *flags], flags, strict=False)
        if _name(word) not in names and _name(before) not in names
    ]


def _oversubscribed(words: Sequence[str]) -> list[str]:
    """The user's mapping with leave for more processes than there are slots."""
    changed = []
    for before, word in zip(["", *words], words, strict=False):
        option = word if "=" in word and word.startswith("-") else "" if "=" in before else before
        mapping = _name(option) == "map-by"
        changed.append(f"{word}:{_MORE}" if mapping and _MORE not in word.upper() else word)
    return changed
