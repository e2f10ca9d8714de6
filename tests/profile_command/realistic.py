# SPDX-License-Identifier: BSD-3-Clause
"""A profile such as a halo exchange of threads leaves: phases, an uneven process, locks that threads hold in turn."""

from __future__ import annotations

import math
import random

import msgspec

from raddle.profile.model import Concurrency, Process, Record, Thread
from tests.profile_command.planted import BINS, Plant

SECONDS = 24.0


def realistic(processes: int = 4, threads: int = 4) -> list[Record]:
    """Its records. Process 2 has more to compute than the others; all threads share one communicator."""
    chance = random.Random(31)
    plant = Plant(processes, threads, seconds=SECONDS, cpus=4)
    plant.program = {"command": ["mpiexec", "-n", str(processes), "./halo", "--grid", "4096", "--steps", "500"]}
    plant.call("MPI_Init_thread", 0.31, calls=1, threads=[0], size=0, communicator=-1)
    plant.call("MPI_Isend", 2.6, calls=60000, lock=1.7, size=13)
    plant.call("MPI_Irecv", 0.5, calls=60000, lock=0.2, size=13)
    plant.call("MPI_Waitall", 3.9, calls=15000, lock=0.6, communicator=-1, size=0)
    plant.call("MPI_Allreduce", 1.4, calls=500, threads=[0], size=4)
    plant.call("MPI_Finalize", 0.02, calls=1, threads=[0], size=0, communicator=-1)
    for process in range(processes):
        busy = [9.0, 6.5, 4.0, 3.0, 1.5][: threads + 1]
        plant.inside(*busy, process=process, looks=48000)
        plant.slowdown("MPI_Isend", [1.2e-5, 2.6e-5, 4.1e-5, 5.2e-5], calls=900, process=process, size=13)
        plant.slowdown("MPI_Irecv", [6e-6, 7e-6, 8e-6, 9e-6], calls=900, process=process, size=13)
        for thread in range(threads):
            for other in (process - 1, process + 1):
                if 0 <= other < processes:
                    plant.sent(15000, 8192, other, process=process, thread=thread)
                    seconds = 1.1 if other == 2 else 0.12
                    plant.wait(
                        seconds, other, function="MPI_Waitall", process=process, thread=thread, calls=15000,
                        matched=7400 if 0 < process < processes - 1 else 14800,
                    )  # fmt: skip
            for holder in range(threads):
                if holder != thread:
                    plant.held(thread, holder, 0.4 + 0.5 * chance.random(), process=process)
        plant.wait(0.9, 2, kind="imbalance", function="MPI_Allreduce", process=process, calls=500, matched=480)
    records = [_phased(each, chance) for each in plant.records()]
    return [_ended(each) for each in records]


def _ended(record: Record) -> Record:
    if isinstance(record, Process):
        return msgspec.structs.replace(record, cpu=SECONDS * 3.9, ended=SECONDS - 0.01 * record.process)
    return record


def _phased(record: Record, chance: random.Random) -> Record:
    """Timelines with steps, and with a phase in which nothing is sent."""
    if isinstance(record, Thread):
        shape = [_level(place) * chance.uniform(0.7, 1.3) for place in range(BINS)]
        scale = sum(shape)
        mpi = [min(record.mpi * each / scale, record.bin) for each in shape]
        locks = [record.lock * each / scale * chance.uniform(0.6, 1.0) for each in shape]
        return msgspec.structs.replace(record, bins_mpi=mpi, bins_lock=locks)
    if isinstance(record, Concurrency):
        return msgspec.structs.replace(record, bins=[4.0 * _level(place) / 1.4 for place in range(BINS)])
    return record


def _level(place: int) -> float:
    if place < 3:
        return 0.9
    if 55 <= place < 68:
        return 0.04
    return 0.6 + 0.35 * math.sin(place / 2.3) ** 2
