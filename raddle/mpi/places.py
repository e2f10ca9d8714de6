# SPDX-License-Identifier: BSD-3-Clause
"""Where Raddle keeps what it downloads and finds out; nothing of it is needed to read results."""

from __future__ import annotations

import os
from pathlib import Path

from platformdirs import user_cache_path

from raddle.mpi.family import Family, families
from raddle.paths import expanded


def home() -> Path:
    """The root of it: RADDLE_HOME, else the user's cache directory."""
    chosen = os.environ.get("RADDLE_HOME")
    return expanded(chosen).absolute() if chosen else user_cache_path("raddle")


def prefix_of(family: Family) -> Path:
    """Where the MPI from the family's wheels lives. The version is part of it, so a new pin never meets old files."""
    return home() / "mpi" / f"{family.name}-{family.pinned_version}"


def is_installed(family: Family) -> bool:
    """Prefixes appear by one rename, so one that is there is whole."""
    return (prefix_of(family) / "bin" / "mpicc").exists()


def installed() -> list[Family]:
    """The families whose MPI is there."""
    return [member for member in families().values() if is_installed(member)]
