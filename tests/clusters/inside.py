# SPDX-License-Identifier: BSD-3-Clause
"""Runs inside a job of two nodes: tells where the processes of each MPI go, and measures with one by srun."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec

from raddle.clusters.allocation import here
from raddle.clusters.nodes import NODES, on_this, on_two
from raddle.execute.starter import Starter
from raddle.launchers import launcher_for, launcher_name
from raddle.mpi.find import Mpi
from tests.cli.programs import measurable
from tests.clusters.real_slurm import has_pmix
from tests.topology.test_paths import launch, starter

_SECONDS = 60
# Slurm says it to srun's processes; those of an mpiexec have the environment of its first one, but not so their parent.
_SHOW = r"""
node=$(tr '\0' '\n' </proc/$PPID/environ | sed -n 's/^SLURMD_NODENAME=//p')
echo "${PMI_RANK:-${PMIX_RANK:-$SLURM_PROCID}} ${node:-$SLURMD_NODENAME}"
sleep 0.3
"""


def main(place: Path) -> None:
    mpis = measurable()
    theirs = [replace(mpi, ours=False) for mpi in mpis if mpi.name != "openmpi" or has_pmix()]
    told = [one for mpi in (*mpis, *theirs) for one in _places(mpi)]
    # Intel MPI finds its network library by a setting that only the user's module, or our wheel, makes.
    measured = [_measured(mpi, place) for mpi in theirs if mpi.name != "intel"]
    (place / "told.json").write_text(json.dumps({"places": told, "measured": measured}))


def _places(mpi: Mpi) -> Iterator[tuple[str, str, list[str]]]:
    """For several numbers of processes on two nodes and on this one: the node of each rank."""
    job = here()
    for hosts in (on_two(job, 3), on_two(job, 4), on_this(job, 6)):
        assert hosts
        launcher, processes = launcher_for(mpi), len(hosts.each())
        argv = launcher.command(mpi, ["sh", "-c", _SHOW], processes=processes, env={}, oversubscribe=True, hosts=hosts)
        done = subprocess.run(
            argv, env={**launcher.environment(mpi, {}), **mpi.env()}, stdin=subprocess.DEVNULL, capture_output=True,
            text=True, timeout=_SECONDS, check=False,
        )  # fmt: skip
        ranks = sorted(done.stdout.splitlines())
        yield mpi.name, launcher_name(mpi), [line.partition(" ")[2] for line in ranks] or [done.stderr]


def _measured(mpi: Mpi, place: Path) -> dict[str, Any]:
    """The row of a short launch between both nodes."""
    programs = starter(replace(mpi, ours=True), None, place).programs  # built for the wheel, which it is
    made = Starter(place, {mpi.name: mpi}, programs, allocation=here())
    work = launch(mpi, NODES)
    # Both nodes are one machine: left alone, MPICH forgets a segment of shared memory there.
    work = msgspec.structs.replace(work, env={**work.env, "MPIR_CVAR_NOLOCAL": "1"})
    command = made.command(work)
    done = subprocess.run(
        command.argv, env=command.env, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=_SECONDS,
        check=False,
    )  # fmt: skip
    lines = [json.loads(line) for line in done.stdout.splitlines() if line.startswith('{"')]
    rows: list[dict[str, Any]] = [line for line in lines if line["type"] == "row"]
    return rows[0] if rows else {"failed": done.stdout[-1000:] + done.stderr[-1000:]}


if __name__ == "__main__":
    main(Path(sys.argv[1]))
