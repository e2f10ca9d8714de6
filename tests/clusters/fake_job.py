# SPDX-License-Identifier: BSD-3-Clause
"""Batch systems that are not there: their commands, which keep what they are called with, and a job's environment."""

from __future__ import annotations

import json
from pathlib import Path

from tests.cli.mpi_fakes import executable

# One word a line; what it starts is started here, once, as the fake mpiexec does.
_SRUN = """
printf '%s\\n' "$@" >>"$TEST_LOG/srun"; echo >>"$TEST_LOG/srun"
while case $1 in --*) true ;; *) false ;; esac; do shift; done
"$@"
"""
# Nodes are named as in "a,b"; what else there is to Slurm's lists is Slurm's to know.
_SCONTROL = '[ "$1 $2" = "show hostnames" ] && echo "$3" | tr , "\\n"'
# They take the job at once, in the environment of its first node.
_SBATCH = """
echo "Submitted batch job 7"
SLURM_JOB_ID=7 SLURM_JOB_NODELIST=$TEST_NODES SLURM_JOB_NUM_NODES=$(echo $TEST_NODES | tr , "\\n" | wc -l) \\
  SLURMD_NODENAME=${TEST_NODES%%,*} SLURM_NTASKS_PER_NODE=1 bash "$1" >"$TEST_LOG/out" 2>&1
true
"""
_QSUB = """
echo 7.server
echo $TEST_NODES | tr , "\\n" | sed p >"$TEST_LOG/nodes"
script=$(realpath "$1")
cd / && PBS_JOBID=7.server PBS_NODEFILE="$TEST_LOG/nodes" bash "$script" >"$TEST_LOG/out" 2>&1
true
"""


def commands(place: Path) -> Path:
    """A directory with srun, scontrol, sbatch and qsub."""
    for name, script in {"srun": _SRUN, "scontrol": _SCONTROL, "sbatch": _SBATCH, "qsub": _QSUB}.items():
        executable(place / name, script)
    return place


def steps(log: Path) -> list[list[str]]:
    """The words of each call of srun."""
    file = log / "srun"
    calls = file.read_text(encoding="utf-8").split("\n\n") if file.exists() else []
    return [call.splitlines() for call in calls if call]


def slurm(nodes: str) -> dict[str, str]:
    """What Slurm tells a job's script on its first node."""
    names = nodes.split(",")
    return {
        "SLURM_JOB_ID": "7",
        "SLURM_JOB_NODELIST": nodes,
        "SLURM_JOB_NUM_NODES": str(len(names)),
        "SLURMD_NODENAME": names[0],
    }


def placements(directory: Path) -> set[str]:
    """Where the rows of a run were measured, without the machine's limit."""
    lines = map(json.loads, (directory / "launches.jsonl").read_text(encoding="utf-8").splitlines())
    rows = [line for line in lines if line["type"] == "row" and line["variant"] != "physical"]
    return {row["params"]["placement"] for row in rows}
