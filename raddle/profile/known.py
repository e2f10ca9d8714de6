# SPDX-License-Identifier: BSD-3-Clause
"""What is known of a profile's MPI and machine beside its records: both are optional, and nothing is guessed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from raddle.environment import read_environment
from raddle.errors import UserError
from raddle.mpi.family import Family, family


@dataclass(frozen=True)
class Known:
    """`cpus`: of the machine that the command was started on, as far as it may use them. `settings`: the command's
    environment, as far as it concerns MPI."""

    family: Family | None = None
    cpus: int | None = None
    title: str = ""  # of the MPI, e.g. MPICH 5.0.2
    settings: Mapping[str, str] = field(default_factory=dict)


def known(directory: Path) -> Known:
    """By the environment that is kept in the directory of a profile."""
    found = read_environment(directory)
    if found is None:
        return Known()
    record = found.mpis[0] if found.mpis else None
    name = record.name.partition("-")[0] if record else ""  # mpich-debian is of the family mpich
    title = " ".join(filter(None, [record.title, record.version])) if record else ""
    try:
        member = family(name) if name else None
    except UserError:
        member = None
    return Known(member, len(found.host.allowed_cpus) or None, title, found.settings)
