# SPDX-License-Identifier: BSD-3-Clause
"""The MPIs that the Linux distribution packages: rivals worth measuring.

Most people have them, and they are often faster than a build that was made to run everywhere.
"""

from __future__ import annotations

import platform
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from raddle.mpi.family import Family, families


@dataclass(frozen=True, kw_only=True)
class Packaged:
    """An MPI of the distribution, there or not."""

    family: Family
    system: str  # as `ID` of os-release says it, e.g. "debian"
    title: str  # as people do, e.g. "Debian"
    compiler: str
    packages: tuple[str, ...]

    @property
    def name(self) -> str:
        """What plans and results call it, e.g. `mpich-debian`."""
        return f"{self.family.name}-{self.system}"

    @property
    def full_title(self) -> str:
        """E.g. "Debian's MPICH"."""
        return f"{self.title}'s {self.family.title}"

    @property
    def mpicc(self) -> Path | None:
        """Its compiler; None when the packages are not installed."""
        found = shutil.which(self.compiler)
        return Path(found) if found else None

    @property
    def how(self) -> str:
        """What installs it."""
        return f"apt-get install {' '.join(self.packages)}"


def packaged() -> dict[str, Packaged]:
    """Those that this distribution has, by name; none where it is not known how it packages MPIs."""
    release = _release()
    system = release.get("ID", "")
    known: dict[str, Packaged] = {}
    for member in families().values():
        # Derivatives keep the packages, and say of whom: Ubuntu is like Debian.
        like = next(
            (word for word in (system, *release.get("ID_LIKE", "").split()) if word in member.distributions), None
        )
        if like is not None:
            build = member.distributions[like]
            title = release.get("NAME", system).split()[0]
            one = Packaged(
                family=member, system=system, title=title, compiler=build.compiler, packages=tuple(build.packages)
            )
            known[one.name] = one
    return known


def present() -> list[Packaged]:
    """Those whose compiler is there."""
    return [one for one in packaged().values() if one.mpicc]


def names() -> list[str]:
    """All that `--mpi` takes by name: the families, whose wheels they are, and the distribution's MPIs."""
    return [*families(), *packaged()]


@cache
def _release() -> Mapping[str, str]:
    try:
        return platform.freedesktop_os_release()
    except OSError:
        return {}
