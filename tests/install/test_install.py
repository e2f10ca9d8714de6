# SPDX-License-Identifier: BSD-3-Clause
"""`raddle install`, and programs that find what it has put there: by CMake, by pkg-config, moved elsewhere."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest
from reference import header

from raddle import __version__, native
from raddle.launchers import launcher_for
from raddle.mpi.find import Mpi, find
from raddle.mpi.places import installed
from tests.cli.command import Raddle

pytestmark = pytest.mark.timeout(300)

CONSUMER = Path(__file__).with_name("consumer")
MODULES = Path("/usr/share/modules/init/bash")
NAMES = [member.name for member in installed()]


@pytest.fixture(scope="module", params=NAMES)
def mpi(request: pytest.FixtureRequest) -> Mpi:
    (found,) = find([request.param])
    return found


@pytest.fixture(scope="module")
def prefix(mpi: Mpi, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Installed in one place, and moved to another."""
    first = tmp_path_factory.mktemp("installed") / "first"
    done = Raddle(first.parent)("install", str(first), "--mpi", mpi.name)
    assert done.returncode == 0, done.stderr
    assert f"-DCMAKE_PREFIX_PATH={first}" in done.stdout
    return Path(shutil.move(first, first.with_name("moved")))


def call(command: Sequence[str], mpi: Mpi, **env: str) -> str:
    done = subprocess.run(
        command, env={**os.environ, **mpi.env(), **env}, capture_output=True, text=True, timeout=200, check=False
    )
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout + done.stderr


def expect_good(program: Path, mpi: Mpi, prefix: Path | None = None) -> None:
    """It runs; without `prefix` as it is, since it was linked so that it finds its library itself."""
    launcher = launcher_for(mpi)
    paths = [*([f"{prefix}/lib"] if prefix else []), mpi.env().get("LD_LIBRARY_PATH", "")]
    env = {**mpi.family.profile_env("shared"), "LD_LIBRARY_PATH": ":".join(paths)}
    command = launcher.command(mpi, [str(program)], processes=2, env=env, oversubscribe=True)
    done = subprocess.run(
        command, env=launcher.environment(mpi, env), capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr
    assert sorted(done.stdout.splitlines()) == ["rank 0: all good", "rank 1: all good"]


def configure(mpi: Mpi, prefix: Path, build: Path, *more: str) -> str:
    return call(
        [
            *(native.tool("cmake"), "-S", str(CONSUMER), "-B", str(build), "-G", "Ninja"),
            *(f"-DCMAKE_MAKE_PROGRAM={native.tool('ninja')}", f"-DCMAKE_PREFIX_PATH={prefix}"),
            *(f"-DMPI_C_COMPILER={mpi.mpicc}", "-DMPI_CXX_SKIP_MPICXX=ON"),
            *more,
        ],
        mpi,
    )


def test_cmake_finds_the_package(mpi: Mpi, prefix: Path, tmp_path: Path) -> None:
    said = configure(mpi, prefix, tmp_path)
    assert "was built with the MPI of" not in said
    call([native.tool("cmake"), "--build", str(tmp_path)], mpi)
    for program in ("in_c", "in_cxx"):
        expect_good(tmp_path / program, mpi, prefix)


def test_pkg_config_finds_it(mpi: Mpi, prefix: Path, tmp_path: Path) -> None:
    flags = call(["pkg-config", "--cflags", "--libs", "raddle"], mpi, PKG_CONFIG_PATH=f"{prefix}/lib/pkgconfig").split()
    program = tmp_path / "consumer"
    call([str(mpi.mpicc), str(CONSUMER / "consumer.c"), "-o", str(program), *flags], mpi)
    expect_good(program, mpi)


@pytest.mark.skipif(not MODULES.exists(), reason="needs environment-modules")
def test_its_module_sets_the_paths(prefix: Path) -> None:
    script = f". {MODULES}; module use {prefix}/share/modulefiles; module load raddle; env; module unload raddle; env"
    clean = {
        name: value for name, value in os.environ.items() if name not in ("MANPATH", "MODULEPATH", "LOADEDMODULES")
    }
    done = subprocess.run(["bash", "-c", script], env=clean, capture_output=True, text=True, timeout=60, check=True)
    assert done.stderr == ""
    expected = {
        "PATH": "bin",
        "LD_LIBRARY_PATH": "lib",
        "LIBRARY_PATH": "lib",
        "CPATH": "include",
        "CMAKE_PREFIX_PATH": "",
        "PKG_CONFIG_PATH": "lib/pkgconfig",
        "MANPATH": "share/man",
    }
    for name, below in expected.items():
        there = [line for line in done.stdout.splitlines() if line.startswith(f"{name}={prefix / below}")]
        assert len(there) == 1, name  # and not after it was unloaded


def test_fortran_programs_find_the_module(mpi: Mpi, prefix: Path, tmp_path: Path) -> None:
    """By CMake and by pkg-config, in both without another word on libraddle."""
    if not (prefix / "lib" / "libraddle_fortran.a").exists():
        pytest.skip(f"no Fortran with {mpi.family.title} here")
    wrapper = mpi.mpicc.with_name("mpif90")
    configure(mpi, prefix, tmp_path, "-DFORTRAN=ON", f"-DCMAKE_Fortran_COMPILER={wrapper}")
    call([native.tool("cmake"), "--build", str(tmp_path)], mpi)
    expect_good(tmp_path / "in_fortran", mpi, prefix)
    path = f"{prefix}/lib/pkgconfig"
    flags = call(["pkg-config", "--cflags", "--libs", "raddle-fortran"], mpi, PKG_CONFIG_PATH=path).split()
    program = tmp_path / "consumer"
    at = next(place for place, word in enumerate(flags) if word.startswith("-L"))
    call([str(wrapper), *flags[:at], str(CONSUMER / "consumer.f90"), "-o", str(program), *flags[at:]], mpi)
    expect_good(program, mpi)


@pytest.mark.skipif("intel" not in NAMES, reason="needs an MPI with Fortran")
@pytest.mark.skipif(shutil.which("gfortran") is None, reason="needs a Fortran compiler")
@pytest.mark.parametrize("mpi", ["intel"], indirect=True)
def test_where_fortran_can_be_had_it_is_installed(prefix: Path) -> None:
    there = {str(path.relative_to(prefix)) for path in prefix.rglob("*") if path.is_file()}
    assert {
        *("include/raddle/fortran/raddle.mod", "lib/libraddle_fortran.a", "lib/pkgconfig/raddle-fortran.pc"),
        "lib/cmake/raddle/raddleFortranTargets.cmake",
    } <= there


@pytest.mark.skipif(len(NAMES) < 2, reason="needs two MPIs")
def test_another_mpi_is_warned_of(mpi: Mpi, prefix: Path, tmp_path: Path) -> None:
    (other,) = find([next(name for name in NAMES if name != mpi.family.name)])
    assert "was built with the MPI of" in configure(other, prefix, tmp_path)


def test_a_place_that_is_not_ones_own_is_told(mpi: Mpi, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    done = Raddle(tmp_path)("install", str(tmp_path / "file" / "inside"), "--mpi", mpi.name)
    assert done.returncode == 2
    assert "Cannot install in" in done.stderr


@pytest.mark.skipif(len(NAMES) < 2, reason="needs two MPIs")
def test_which_mpi_has_to_be_said(tmp_path: Path) -> None:
    done = Raddle(tmp_path)("install", str(tmp_path))
    assert done.returncode == 2
    assert "--mpi" in done.stderr


def test_all_is_there(prefix: Path) -> None:
    there = {str(path.relative_to(prefix)) for path in prefix.rglob("*") if path.is_file()}
    assert {
        *("bin/raddle-bench", "bin/raddle-proxy", "bin/raddle-ranks", "lib/libraddle.so", "lib/pkgconfig/raddle.pc"),
        *("share/man/man1/raddle-run.1", "share/man/man3/raddle_lanes.3", "share/man/man7/raddle.7"),
        "share/doc/raddle/docs/use/lanes.md",
        *("include/raddle/raddle.h", "include/raddle/raddle.hpp", "lib/cmake/raddle/raddleConfig.cmake"),
        f"share/modulefiles/raddle/{__version__}",
    } <= there


def test_each_function_has_a_manual_page(prefix: Path) -> None:
    sections = header.sections((prefix / "include/raddle/raddle.h").read_text(encoding="utf-8"))
    assert len(sections) > 1
    for section in sections:
        for name in section.names:
            page = (prefix / f"share/man/man3/{name}.3").read_text(encoding="utf-8")
            assert page == f".so man3/raddle_{section.slug}.3\n"
