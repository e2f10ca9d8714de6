# SPDX-License-Identifier: BSD-3-Clause
"""Run under mpiexec by test_sparse.py: exchanges of arrays, each checked by its receiver."""

from __future__ import annotations

from typing import Any

import numpy as np
from mpi4py import MPI  # type: ignore[import-not-found,unused-ignore]

import raddle

PARTICLE = np.dtype([("x", "f8"), ("id", "i4")])


def made(source: int, dest: int) -> Any:
    """What goes from one rank to another: each pair's has a type and a shape of its own."""
    kinds = [
        np.arange(source + 3 * dest + 1, dtype="f8").reshape(1, -1),
        np.full((2, 0, 3), 1, dtype="i2"),
        np.array(source * 100 + dest),  # no dimension
        np.array([(0.5, source)], dtype=PARTICLE),
        np.asfortranarray(np.arange(6, dtype=">i4").reshape(2, 3) + source),
        np.array(["word", "lengthy"]),
    ]
    return kinds[(source + dest) % len(kinds)]


def same(a: Any, b: Any) -> bool:
    return bool(a.dtype == b.dtype and a.shape == b.shape and np.array_equal(a, b))


def main() -> None:
    comm = MPI.COMM_WORLD
    rank, size = comm.Get_rank(), comm.Get_size()
    for algorithm in (None, "nbx", "pcx"):
        got = raddle.sparse_exchange(comm, {to: made(rank, to) for to in range(size) if to <= rank}, algorithm)
        assert sorted(got) == list(range(rank, size)), sorted(got)
        assert all(same(one, made(source, rank)) for source, one in got.items())
    assert raddle.sparse_exchange(comm, {}) == {}
    for wrong, error in (({rank: [object()]}, TypeError), ({size: [1]}, MPI.Exception)):
        try:
            raddle.sparse_exchange(comm, wrong)
        except error:
            continue
        raise AssertionError(wrong)
    got = raddle.sparse_exchange(comm, {(rank + 1) % size: [rank]})
    assert {source: one.tolist() for source, one in got.items()} == {(rank - 1) % size: [(rank - 1) % size]}
    if comm.allreduce(1) == size and rank == 0:
        print("all good", flush=True)


if __name__ == "__main__":
    main()
