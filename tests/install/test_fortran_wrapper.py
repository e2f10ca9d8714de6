# SPDX-License-Identifier: BSD-3-Clause
"""Which compiler wrapper builds the Fortran module: one that belongs to the C wrapper, by whatever name."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from raddle import native
from tests.cli.mpi_fakes import executable

pytestmark = [
    pytest.mark.timeout(100),
    pytest.mark.skipif(shutil.which("gfortran") is None, reason="needs a Fortran compiler"),
]

CMAKE = Path(__file__).resolve().parents[2] / "cmake"
PROJECT = """\
cmake_minimum_required(VERSION 3.22)
project(fortran LANGUAGES C)
include({place}/RaddleFortran.cmake)
message(STATUS "found: ${{RADDLE_FORTRAN}} ${{MPI_Fortran_COMPILER}}")
"""


def found(place: Path, c_wrapper: str, wrappers: Sequence[str], broken: Sequence[str] = ()) -> str:
    """What CMake says of an MPI with these wrappers; those that are broken have no compiler behind them."""
    modules = place / "modules"
    modules.mkdir()
    (modules / "mpi.f90").write_text("module mpi\n  integer, parameter :: MPI_COMM_WORLD = 0\nend module mpi\n")
    subprocess.run(["gfortran", "-c", "mpi.f90"], cwd=modules, check=True)
    for name in wrappers:
        executable(place / "bin" / name, "exit 1" if name in broken else f'exec gfortran -I{modules} "$@"')
    (place / "CMakeLists.txt").write_text(PROJECT.format(place=CMAKE), encoding="utf-8")
    done = subprocess.run(
        [
            *(native.tool("cmake"), "-S", str(place), "-B", str(place / "build"), "-G", "Ninja"),
            *(f"-DCMAKE_MAKE_PROGRAM={native.tool('ninja')}", f"-DMPI_C_COMPILER={place / 'bin' / c_wrapper}"),
        ],
        capture_output=True, text=True, timeout=90, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout.replace(f"{place}/bin/", "")


@pytest.mark.parametrize(
    ("c_wrapper", "wrappers", "expected"),
    [
        ("mpicc", ["mpif90"], "mpif90"),
        ("mpicc.mpich", ["mpifort", "mpifort.mpich"], "mpifort.mpich"),
        ("mpiicx", ["mpif90", "mpiifort", "mpiifx"], "mpiifx"),
        ("mpiicc", ["mpif90", "mpiifort"], "mpiifort"),
        ("mpigcc", ["mpif90", "mpiifx"], "mpif90"),
        ("cc", ["ftn", "mpif90"], "ftn"),
    ],
)
def test_its_name_follows_from_that_of_the_c_wrapper(
    tmp_path: Path, c_wrapper: str, wrappers: list[str], expected: str
) -> None:
    assert f"found: ON {expected}\n" in found(tmp_path, c_wrapper, wrappers)


def test_one_without_a_compiler_is_passed_over(tmp_path: Path) -> None:
    assert "found: ON mpif90\n" in found(tmp_path, "mpiicx", ["mpiifx", "mpif90"], broken=["mpiifx"])


@pytest.mark.parametrize(
    ("c_wrapper", "wrappers", "said"),
    [
        ("mpicc.mpich", ["mpifort"], "there is no mpifort.mpich or mpif90.mpich beside"),  # that is another MPI's
        ("mpixyz", ["mpifort"], "there is no Fortran wrapper whose name is known beside"),
        ("mpiicx", ["mpiifx"], "no program with `use mpi` is compiled by mpiifx."),
    ],
)
def test_without_one_it_says_what_it_looked_for(tmp_path: Path, c_wrapper: str, wrappers: list[str], said: str) -> None:
    text = found(tmp_path, c_wrapper, wrappers, broken=["mpiifx"])
    assert f"Without the Fortran module: {said}" in text
    assert "found: OFF" in text
