# SPDX-License-Identifier: BSD-3-Clause
"""What tests need of the machine besides a compiler and Python; on Debian, as root, it is installed."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import machine

from tests.clusters import real_slurm
from tests.report import browser


@dataclass(frozen=True)
class Need:
    """Something whose tests are skipped where it is missing, and the package that brings it."""

    what: str
    package: str
    is_there: Callable[[], bool]


def _on_path(name: str) -> Callable[[], bool]:
    return lambda: shutil.which(name) is not None


NEEDS = (
    Need("a Chromium for the test that draws the report", "chromium", lambda: browser.find() is not None),
    # What is tested with it needs root.
    Need("ip, for simulated nodes", "iproute2", lambda: os.geteuid() != 0 or _on_path("ip")()),
    Need("SimGrid, for simulated ranks", "libsimgrid-dev", _on_path("smpicxx")),
    Need("pkg-config, which finds an installed Raddle", "pkg-config", _on_path("pkg-config")),
    Need("Doxygen, for the page of the C interface", "doxygen", _on_path("doxygen")),
    Need("groff, which sets manual pages", "groff-base", _on_path("groff")),
    Need("Environment Modules", "environment-modules", lambda: Path("/usr/share/modules/init/bash").exists()),
    Need("a Slurm of one's own", "slurm-wlm", lambda: real_slurm.missing() is None),
    Need("PMIx, by which Slurm starts Open MPI", "libpmix-dev", real_slurm.has_pmix),
    Need("Valgrind, which counts instructions", "valgrind", _on_path("valgrind")),
    Need("a Fortran compiler", "gfortran", _on_path("gfortran")),
    Need("GoogleTest for the C++ unit tests", "libgtest-dev", lambda: machine.has_header("gtest/gtest.h")),
)

# Debian's MPIs, with Fortran's modules. They are older than the wheels, and what clusters have.
FORTRAN_MPIS = (
    Need("mpicc.openmpi, an MPI with Fortran", "libopenmpi-dev openmpi-bin", _on_path("mpicc.openmpi")),
    Need("mpicc.mpich, an MPI with Fortran", "libmpich-dev mpich", _on_path("mpicc.mpich")),
)


def fortran_mpis() -> list[str]:
    """The compilers of those that are there."""
    found = (shutil.which(need.what.partition(",")[0]) for need in FORTRAN_MPIS)
    return [path for path in found if path is not None]


def provide() -> list[str]:
    """Installs what is missing, at once. @returns what is missing still, which is said."""
    lacking = [need for need in (*NEEDS, *FORTRAN_MPIS) if not need.is_there()]
    if lacking:
        machine.apt_install(*(package for need in lacking for package in need.package.split()))
    lacking = [need for need in lacking if not need.is_there()]
    for need in lacking:
        print(f"MISSING: {need.what}; its tests are skipped. Debian: apt-get install {need.package}", flush=True)
    return [need.what for need in lacking]
