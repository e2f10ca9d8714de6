# SPDX-License-Identifier: BSD-3-Clause
"""The environment variables that the command reads and that are not Raddle's own."""

from __future__ import annotations

import ast
from pathlib import Path

MEANINGS = {
    "CXX": "the C++ compiler of what the command builds. Default: c++",
    "CXXFLAGS": "further flags for it; after a change all is built anew",
    "I_MPI_F90": "the Fortran compiler that the wrapper of Intel MPI calls; after a change all is built anew",
    "I_MPI_HYDRA_BOOTSTRAP": "how Intel MPI starts processes on other nodes: where it is set, raddle does not choose",
    "LD_LIBRARY_PATH": "kept behind the libraries of the MPI that is used",
    "LD_PRELOAD": "libraries named here are loaded before libraddle, and see a program's calls first (raddle exec)",
    "MPICH_FC": "as I_MPI_F90, for MPICH",
    "OMPI_FC": "as I_MPI_F90, for Open MPI",
    "OMP_NUM_THREADS": "the threads of a process that raddle doctor judges for, without --threads",
    "PBS_JOBID": "tells that this is an allocation of PBS",
    "PBS_NODEFILE": "the file with the names of its nodes",
    "SLURMD_NODENAME": "the node that this is",
    "SLURM_JOB_ID": "tells that this is an allocation of Slurm: srun starts the processes",
    "SLURM_JOB_NODELIST": "the names of its nodes",
    "SLURM_JOB_NUM_NODES": "their number",
    "SLURM_STEP_ID": "tells that raddle runs in a step: its launches get SLURM_OVERLAP=1 and share the step's CPUs",
}


def read_by_the_command(root: Path) -> set[str]:
    """The names that the sources of the command look up in `os.environ`."""
    found: set[str] = set()
    for path in (root / "raddle").rglob("*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        constants = {
            target.id: node.value.value
            for node in tree.body
            if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant)
            for target in node.targets
            if isinstance(target, ast.Name)
        }
        for node in ast.walk(tree):
            if (key := _key(node)) is not None:
                name = key.value if isinstance(key, ast.Constant) else constants.get(getattr(key, "id", ""))
                found |= {name} if isinstance(name, str) else set()
    return found


def _key(node: ast.AST) -> ast.expr | None:
    """What is looked up where a node is os.environ[key], os.environ.get(key), os.getenv(key) or key in os.environ."""
    if isinstance(node, ast.Subscript) and ast.unparse(node.value) == "os.environ":
        return node.slice
    if isinstance(node, ast.Call) and ast.unparse(node.func) in ("os.environ.get", "os.getenv"):
        return node.args[0]
    if isinstance(node, ast.Compare) and ast.unparse(node.comparators[0]) == "os.environ":
        return node.left
    return None
