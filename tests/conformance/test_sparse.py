# SPDX-License-Identifier: BSD-3-Clause
"""Exchanges of arrays among processes of Python, with libraddle and without."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from raddle import native
from raddle.errors import UserError
from raddle.launchers import launcher_for
from raddle.mpi.find import find
from raddle.mpi.places import installed
from raddle.source_tree import sources
from tests.conformance import suite

PROGRAM = Path(__file__).with_name("sparse_program.py")
EXAMPLE = sources() / "examples" / "sparse_python" / "sparse_python.py"
each_mpi = pytest.mark.parametrize("name", [member.name for member in installed()])


def run(name: str, program: Path, processes: int, *, with_raddle: bool = True) -> subprocess.CompletedProcess[str]:
    (mpi,) = find([name])
    try:
        package = suite.bring() / "package"
    except UserError as error:
        pytest.skip(str(error))
    env = {"PYTHONPATH": f"{package}{os.pathsep}{sources()}", **mpi.family.profile_env("shared")}
    preload = {"LD_PRELOAD": str(native.build(mpi, targets=["raddle"]) / "lib" / "libraddle.so")} if with_raddle else {}
    launcher = launcher_for(mpi)
    command = launcher.command(
        mpi, [sys.executable, str(program)], processes=processes, env={**env, **preload}, oversubscribe=True
    )
    environment = launcher.environment(mpi, env)
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=100, check=False)


@each_mpi
@pytest.mark.parametrize("processes", [1, 3])
def test_arrays_arrive_with_type_and_shape(name: str, processes: int) -> None:
    done = run(name, PROGRAM, processes)
    assert (done.returncode, done.stdout.strip()) == (0, "all good"), done.stderr


@each_mpi
def test_particles_move_to_where_they_belong(name: str) -> None:
    done = run(name, EXAMPLE, 3)
    assert done.returncode == 0, done.stderr
    assert "3000 particles of 3 ranks are where they belong" in done.stdout


@pytest.mark.skipif(not installed(), reason="no MPI installed")
def test_without_libraddle_it_says_how() -> None:
    done = run(installed()[0].name, PROGRAM, 1, with_raddle=False)
    assert done.returncode != 0
    assert "libraddle is not loaded" in done.stdout + done.stderr


def test_without_mpi4py_it_says_what_is_missing() -> None:
    code = "import sys; sys.modules['mpi4py'] = None; import raddle; raddle.sparse_exchange(None, {})"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=sources(), capture_output=True, text=True, timeout=60, check=False
    )
    assert "mpi4py is missing" in done.stderr
