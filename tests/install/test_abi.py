# SPDX-License-Identifier: BSD-3-Clause
"""One build for the MPI-5 ABI, run as it is with every library here that has that ABI."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from raddle import native
from raddle.launchers import LAUNCHERS
from raddle.mpi.find import Mpi, find
from raddle.mpi.places import installed, prefix_of

HOSTS = [member.name for member in installed() if (prefix_of(member) / "lib" / "libmpi_abi.so.1").exists()]
pytestmark = [pytest.mark.skipif(len(HOSTS) < 2, reason="needs two MPIs with the ABI"), pytest.mark.timeout(600)]

# Targets of the build and the tests that run them: lanes, endpoints, requests, partitioned, sparse, and programs.
FEW = {
    "abi_constants": "abi.constants",
    "abi_lacking": "abi.lacking",
    "abi_without_functions": "",
    "lanes_test": "lanes_test",
    "endpoints_test": "endpoints_test",
    "completion_test": "completion_test",
    "partitioned_test": "partitioned.processes|partitioned.endpoints",
    "sparse_test": "sparse.processes|sparse.endpoints",
    "halo": "examples.halo.endpoints|examples.halo.processes",
    "particles": "examples.particles.endpoints",
}


@pytest.fixture(scope="module")
def abi() -> Mpi:
    """The MPI that compiles for the ABI."""
    return find(["abi"])[0]


@pytest.fixture(scope="module")
def built(abi: Mpi) -> Path:
    """The directory of the one build."""
    directory = native.configure(abi, preset="quick")
    build(directory, abi, list(FEW))
    return directory


def build(directory: Path, abi: Mpi, targets: Sequence[str]) -> None:
    call([native.tool("cmake"), "--build", str(directory), "-t", *targets], abi)


def call(command: Sequence[str], mpi: Mpi) -> str:
    env = {**os.environ, **mpi.env(), **mpi.family.profile_env("shared")}
    done = subprocess.run(command, env=env, capture_output=True, text=True, errors="replace", check=False)
    assert done.returncode == 0, f"{command}\n{done.stdout[-6000:]}\n{done.stderr[-3000:]}"
    return done.stdout


def started_by(mpi: Mpi, abi: Mpi, directory: Path) -> None:
    """Makes that MPI's mpiexec start the tests; nothing is built."""
    flags = LAUNCHERS[mpi.family.launcher]().flags(mpi, oversubscribe=True)
    options = (f"-DMPIEXEC_EXECUTABLE={mpi.mpiexec}", f"-DMPIEXEC_PREFLAGS={';'.join(flags)}")
    call([native.tool("cmake"), "-S", str(native.checkout()), "-B", str(directory), *options], abi)


def digests(directory: Path) -> dict[Path, str]:
    programs = [path for path in directory.rglob("*") if path.is_file() and os.access(path, os.X_OK)]
    return {path: hashlib.sha256(path.read_bytes()).hexdigest() for path in programs}


@pytest.mark.parametrize("host", HOSTS)
def test_one_build_runs_with_each(host: str, abi: Mpi, built: Path) -> None:
    before = digests(built)
    mpi = find([host])[0]
    started_by(mpi, abi, built)
    chosen = "|".join(filter(None, FEW.values()))
    said = call(
        [native.tool("ctest"), "--test-dir", str(built), "--no-tests=error", "-R", rf"^({chosen})(\.n[0-9]+)?$"], mpi
    )
    assert "100% tests passed" in said
    assert digests(built) == before


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
