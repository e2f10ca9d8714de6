# SPDX-License-Identifier: BSD-3-Clause
"""Threads of Python that are ranks: each passes a word around all threads of all processes.

    raddle exec -- mpiexec -n 2 python examples/endpoints_python/endpoints_python.py

Needs mpi4py, built for the MPI in use or from its wheel.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

from mpi4py import MPI  # type: ignore[import-not-found,unused-ignore]

import raddle

THREADS = 3


def around(comm: Any) -> tuple[int, str]:
    rank, size = comm.Get_rank(), comm.Get_size()
    word = comm.sendrecv(f"hello from {rank}", dest=(rank + 1) % size, source=(rank - 1) % size)
    assert word == f"hello from {(rank - 1) % size}"
    return comm.allreduce(1), word


def main() -> None:
    comms = raddle.endpoints(MPI.COMM_WORLD, THREADS)
    with ThreadPoolExecutor(THREADS) as pool:
        told = list(pool.map(around, comms))
    for comm in comms:
        comm.Free()
    if MPI.COMM_WORLD.Get_rank() == 0:
        print(f"{told[0][0]} ranks in {MPI.COMM_WORLD.Get_size()} processes; rank 0 heard: {told[0][1]}")


if __name__ == "__main__":
    main()
