# SPDX-License-Identifier: BSD-3-Clause
"""Particles that move to other ranks: nobody knows from whom it gets some.

    raddle exec -- mpiexec -n 4 python examples/sparse_python/sparse_python.py

Needs mpi4py, built for the MPI in use or from its wheel, and NumPy.
"""

from __future__ import annotations

import numpy as np
from mpi4py import MPI  # type: ignore[import-not-found,unused-ignore]

import raddle

PARTICLES, STEPS = 1000, 10


def main() -> None:
    comm = MPI.COMM_WORLD
    rank, size = comm.Get_rank(), comm.Get_size()
    random = np.random.default_rng(rank)
    # Rank r owns those between r and r + 1.
    mine = rank + random.random((PARTICLES, 2))
    for _ in range(STEPS):
        mine[:, 0] = (mine[:, 0] + random.normal(0, 0.3, len(mine))) % size
        owner = mine[:, 0].astype(int) % size
        moved = raddle.sparse_exchange(comm, {int(to): mine[owner == to] for to in np.unique(owner)})
        mine = np.concatenate([np.empty((0, 2)), *moved.values()])
        assert (mine[:, 0].astype(int) % size == rank).all()
    total = comm.allreduce(len(mine))
    if rank == 0:
        print(f"{total} particles of {size} ranks are where they belong")


if __name__ == "__main__":
    main()
