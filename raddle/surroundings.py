# SPDX-License-Identifier: BSD-3-Clause
"""What is not the same around two runs: a ratio between them may be the work of any of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import zip_longest
from typing import NamedTuple

from raddle.environment import Environment, Host
from raddle.wording import cpu_ranges

_HOST = {
    "cpu": "CPU",
    "cores": "CPUs of the machine",
    "allowed_cpus": "CPUs allowed",
    "kernel": "kernel",
    "os": "operating system",
    "governor": "frequency governor",
    "smt": "SMT",
    "numa_nodes": "NUMA nodes",
}


class Difference(NamedTuple):
    """One thing that differs, in words: what it is, on side A, on side B."""

    what: str
    a: str
    b: str


def differences(a: Environment, b: Environment, mpis: Iterable[str]) -> list[Difference]:
    """All that may bear on the numbers: machine, compiler, those of `mpis` that both have, settings for MPI."""
    found = [
        *(Difference(what, _told(a.host, field), _told(b.host, field)) for field, what in _HOST.items()),
        Difference("nodes of the job", _nodes(a), _nodes(b)),
        Difference("compiler", a.compiler, b.compiler),
        *_mpis(a, b, mpis),
        *(Difference(name, _setting(a, name), _setting(b, name)) for name in sorted({*a.settings, *b.settings})),
    ]
    return [each for each in found if each.a != each.b]


def _told(host: Host, field: str) -> str:
    value = getattr(host, field)
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, list):
        return cpu_ranges(value)
    return "unknown" if value in ("", None) else str(value)


def _mpis(a: Environment, b: Environment, mpis: Iterable[str]) -> Iterator[Difference]:
    """Versions; where these agree, the first line in which what the libraries say of themselves does not."""
    known_a, known_b = ({mpi.name: mpi for mpi in each.mpis} for each in (a, b))
    for name in mpis:
        if name not in known_a or name not in known_b:
            continue
        one, other = known_a[name], known_b[name]
        yield Difference(f"{name} version", one.version, other.version)
        if one.version == other.version:
            lines = zip_longest(one.library_version.splitlines(), other.library_version.splitlines(), fillvalue="")
            pair = next((pair for pair in lines if pair[0] != pair[1]), ("", ""))
            yield Difference(f"{name} library", *pair)


def _nodes(environment: Environment) -> str:
    return ", ".join(environment.allocation.nodes) if environment.allocation else "none"


def _setting(environment: Environment, name: str) -> str:
    return environment.settings.get(name, "not set")
