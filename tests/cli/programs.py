# SPDX-License-Identifier: BSD-3-Clause
"""The real programs, where they have been built. Tests do not build them: that takes minutes."""

from __future__ import annotations

from pathlib import Path

from raddle.mpi.find import Mpi, find
from raddle.mpi.places import installed

BUILD = Path(__file__).resolve().parents[2] / "build"


def built() -> list[Path]:
    """The probe, and the raddle-bench of each MPI."""
    return sorted(BUILD.glob("release-*/bin/raddle-probe")) + sorted(BUILD.glob("release-*/bin/raddle-bench"))


def measurable() -> list[Mpi]:
    """The installed MPIs whose raddle-bench is there, if the probe is there too."""
    if not list(BUILD.glob("release-no-mpi/bin/raddle-probe")):
        return []
    mpis = [find([family.name])[0] for family in installed()]
    return [mpi for mpi in mpis if (BUILD / f"release-{mpi.label}" / "bin" / "raddle-bench").exists()]
