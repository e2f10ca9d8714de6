# SPDX-License-Identifier: BSD-3-Clause
"""Endpoints for Python threads: the example, with libraddle and without."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from raddle import native
from raddle.errors import UserError
from raddle.launchers import launcher_for
from raddle.mpi.find import find
from raddle.mpi.places import installed
from raddle.source_tree import sources
from tests.conformance import suite

EXAMPLE = sources() / "examples" / "endpoints_python" / "endpoints_python.py"


def run(name: str, *, with_raddle: bool) -> subprocess.CompletedProcess[str]:
    (mpi,) = find([name])
    try:
        package = suite.bring() / "package"
    except UserError as error:
        pytest.skip(str(error))
    env = {"PYTHONPATH": f"{package}{os.pathsep}{sources()}", **mpi.family.profile_env("shared")}
    preload = {"LD_PRELOAD": str(native.build(mpi, targets=["raddle"]) / "lib" / "libraddle.so")} if with_raddle else {}
    launcher = launcher_for(mpi)
    argv = [sys.executable, str(EXAMPLE)]
    command = launcher.command(mpi, argv, processes=2, env={**env, **preload}, oversubscribe=True)
    environment = launcher.environment(mpi, env)
    return subprocess.run(command, env=environment, capture_output=True, text=True, timeout=100, check=False)


@pytest.mark.parametrize("name", [member.name for member in installed()])
def test_threads_of_python_are_ranks(name: str) -> None:
    done = run(name, with_raddle=True)
    assert done.returncode == 0, done.stderr
    assert "6 ranks in 2 processes; rank 0 heard: hello from 5" in done.stdout


@pytest.mark.skipif(not installed(), reason="no MPI installed")
def test_without_libraddle_it_says_how() -> None:
    done = run(installed()[0].name, with_raddle=False)
    assert done.returncode != 0
    assert "libraddle is not loaded" in done.stdout + done.stderr
