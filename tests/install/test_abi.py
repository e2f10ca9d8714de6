# SPDX-License-Identifier: BSD-3-Clause
"""One build for the MPI-5 ABI, run as it is with every library here that has that ABI."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from raddle import native
from raddle.launchers import LAUNCHERS
from raddle.mpi.find import Mpi, find
from raddle.mpi.places import installed, prefix_of
from raddle.source_tree import sources
from tests import leftovers

HOSTS = [member.name for member in installed() if (prefix_of(member) / "lib" / "libmpi_abi.so.1").exists()]
pytestmark = [pytest.mark.skipif(len(HOSTS) < 2, reason="needs two MPIs with the ABI"), pytest.mark.timeout(600)]

# Targets of the build and the tests that run them: constants, lanes, requests, endpoints.
FEW = {
    "abi_constants": "abi.constants",
    "abi_lacking": "abi.lacking",
    "abi_without_functions": "",
    "lanes_test": "lanes_test",
    "completion_test": "completion_test",
    "halo": "examples.halo.endpoints|examples.halo.processes",
}
MANY = {
    "endpoints_test": "endpoints_test",
    "halo_partitioned": "examples.halo_partitioned.*",
    "particles": "examples.particles.*",
    "adopt_test": "adopt_test",
    "collectives_test": "collectives_test",
    "communicators_test": "communicators_test",
    "groups_test": "groups_test",
    "interpose_test": "interpose_test",
    "layout_test": "layout_test",
    "partitioned_test": "partitioned.processes|partitioned.endpoints",
    "sparse_test": "sparse.processes|sparse.endpoints",
    "topologies_test": "topologies_test",
    "traffic": "traffic.processes|traffic.endpoints",
}


# What MPI-3.0 has removed, the ABI does not have; MPICH's library keeps it without names for tools.
REMOVED = {
    *("MPI_Address", "MPI_Errhandler_create", "MPI_Errhandler_get", "MPI_Errhandler_set", "MPI_Type_extent"),
    *("MPI_Type_hindexed", "MPI_Type_hvector", "MPI_Type_lb", "MPI_Type_struct", "MPI_Type_ub"),
}


@pytest.fixture(scope="module")
def abi() -> Mpi:
    """The MPI that compiles for the ABI."""
    return find(["abi"])[0]


@pytest.fixture(scope="module")
def built(abi: Mpi) -> Path:
    """The directory of the one build."""
    return native.build(abi, preset="quick", targets=list(FEW))


def call(command: Sequence[str], mpi: Mpi) -> str:
    env = {**os.environ, **mpi.env(), **mpi.family.profile_env("shared")}
    done = subprocess.run(command, env=env, capture_output=True, text=True, errors="replace", check=False)
    assert done.returncode == 0, f"{command}\n{done.stdout[-6000:]}\n{done.stderr[-3000:]}"
    return done.stdout


def started_by(mpi: Mpi, abi: Mpi, directory: Path) -> None:
    """Makes that MPI's mpiexec start the tests; nothing is built."""
    flags = LAUNCHERS[mpi.family.launcher]().flags(mpi, oversubscribe=True)
    options = (f"-DMPIEXEC_EXECUTABLE={mpi.mpiexec}", f"-DMPIEXEC_PREFLAGS={';'.join(flags)}")
    call([native.tool("cmake"), "-S", str(sources()), "-B", str(directory), *options], abi)


def digests(directory: Path) -> dict[Path, str]:
    programs = [path for path in directory.rglob("*") if path.is_file() and os.access(path, os.X_OK)]
    return {path: hashlib.sha256(path.read_bytes()).hexdigest() for path in programs}


def run_with(host: str, abi: Mpi, directory: Path, tests: Mapping[str, str]) -> None:
    """Runs tests of the build under that MPI's mpiexec, with its library."""
    before = digests(directory)
    mpi = find([host])[0]
    started_by(mpi, abi, directory)
    chosen = rf"^({'|'.join(filter(None, tests.values()))})(\.n[0-9]+)?$"
    with leftovers.swept():
        said = call([native.tool("ctest"), "--test-dir", str(directory), "--no-tests=error", "-R", chosen], mpi)
    assert "100% tests passed" in said
    assert digests(directory) == before


@pytest.mark.parametrize("host", HOSTS)
def test_the_library_lets_others_stand_in_front(host: str) -> None:
    """All that a program calls has a PMPI_ name as well, by which one build can call it."""
    library = prefix_of(find([host])[0].family) / "lib" / "libmpi_abi.so.1"
    listed = subprocess.run(["nm", "-D", "--defined-only", str(library)], capture_output=True, text=True, check=True)
    names = {line.split()[-1].partition("@")[0] for line in listed.stdout.splitlines()}
    profiling = {name for name in names if name.startswith("PMPI_")}
    lacking = {name for name in names if name.startswith("MPI_") and f"P{name}" not in profiling}
    assert len(profiling) > 600
    of_fortran = {name for name in lacking if name.startswith(("MPI_F_", "MPI_F08_"))}  # variables
    assert lacking - of_fortran <= REMOVED


@pytest.mark.parametrize("host", HOSTS)
def test_one_build_runs_with_each(host: str, abi: Mpi, built: Path) -> None:
    run_with(host, abi, built, FEW)


@pytest.mark.long
@pytest.mark.timeout(3000)
def test_it_runs_with_each_in_all_that_it_does(abi: Mpi, built: Path) -> None:
    native.build(abi, preset="quick", targets=list(MANY))
    for host in HOSTS:
        run_with(host, abi, built, MANY)


@pytest.mark.long
@pytest.mark.timeout(3000)
def test_an_installed_one_is_bound_to_none(abi: Mpi, tmp_path: Path) -> None:
    """A program built with it once runs with each MPI that the environment names."""
    call([sys.executable, "-m", "raddle", "install", str(tmp_path), "--mpi", "abi"], abi)
    dynamic = call(["readelf", "-d", str(tmp_path / "lib" / "libraddle.so")], abi)
    assert "[libmpi_abi.so.1]" in dynamic
    assert "PATH" not in dynamic
    flags = call(["pkg-config", "--cflags", "--libs", str(tmp_path / "lib" / "pkgconfig" / "raddle.pc")], abi).split()
    program = tmp_path / "consumer"
    call([str(abi.mpicc), str(Path(__file__).with_name("consumer") / "consumer.c"), "-o", str(program), *flags], abi)
    for host in HOSTS:
        mpi = find([host])[0]
        launcher = LAUNCHERS[mpi.family.launcher]()
        env = {"LD_LIBRARY_PATH": f"{tmp_path}/lib:{mpi.env()['LD_LIBRARY_PATH']}", **mpi.family.profile_env("shared")}
        command = launcher.command(mpi, [str(program)], processes=2, env=env, oversubscribe=True)
        done = subprocess.run(
            command, env=launcher.environment(mpi, env), capture_output=True, text=True, timeout=100, check=False
        )
        assert sorted(done.stdout.splitlines()) == ["rank 0: all good", "rank 1: all good"], done.stderr
