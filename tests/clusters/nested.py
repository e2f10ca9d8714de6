# SPDX-License-Identifier: BSD-3-Clause
"""Runs inside a step, as in a shell of `srun --pty bash`: starts two processes of each MPI in each of our ways."""

from __future__ import annotations

import itertools
import json
import os
import subprocess
import threading
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from raddle.inspection.start import Starter
from raddle.launchers import launcher_for, launcher_name
from raddle.launchers.nested import sharing
from raddle.mpi.find import Mpi
from tests.cli.programs import measurable
from tests.clusters.real_slurm import has_pmix

_SECONDS = 60  # for two processes; beside other tests the daemons of Open MPI take up to half of it
# On a busy machine PRRTE's daemon waits for ever, in one of ten launches, once its processes have ended.
_SECONDS_TO_END = 10


def main() -> None:
    mpis = measurable()
    theirs = [replace(mpi, ours=False) for mpi in mpis if mpi.name != "openmpi" or has_pmix()]
    print(json.dumps([told for mpi in (*mpis, *theirs) for told in _started(mpi)]))


def _started(mpi: Mpi) -> Iterator[tuple[str, str, str, str]]:
    """By which launcher and for whom, and what came of it."""
    launcher = launcher_for(mpi)
    argv = launcher.command(mpi, ["echo", "here"], processes=2, env={}, oversubscribe=True)
    yield mpi.name, launcher_name(mpi), "run", _said(argv, {**launcher.environment(mpi, {}), **mpi.env()}, 2)
    doctor = Starter(mpi, Path("/bin/echo"), mpi.env())
    as_user = doctor.as_user(["here"], 1)
    yield mpi.name, launcher_name(mpi), "doctor", _said(as_user.argv, as_user.env, 1)
    measured = doctor.as_measured(["here"], 2, {}, oversubscribe=True)
    yield mpi.name, launcher_name(mpi), "gain", _said(measured.argv, measured.env, 2)
    # As `raddle exec` does it, which has a command of the user's.
    yield mpi.name, launcher_name(mpi), "exec", _said(argv, {**os.environ, **mpi.env(), **sharing()}, 2)


def _said(argv: list[str], env: Mapping[str, str], count: int) -> str:
    """What `count` processes said, a line each, or what failed."""
    with subprocess.Popen(
        argv, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as started:
        late = threading.Timer(_SECONDS, started.terminate)
        late.start()
        assert started.stdout is not None
        lines = list(itertools.islice(started.stdout, count))
        late.cancel()
        try:
            more, error = started.communicate(timeout=_SECONDS_TO_END)
        except subprocess.TimeoutExpired:
            started.kill()
            more, error = started.communicate()
            return "".join(lines) + more
    return "".join(lines) + more if started.returncode == 0 else f"{started.returncode}: {error[-1000:]}"


if __name__ == "__main__":
    main()
