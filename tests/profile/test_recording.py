# SPDX-License-Identifier: BSD-3-Clause
"""What programs with known answers do is what their profile says, on the real MPIs."""

from __future__ import annotations

from pathlib import Path

from raddle.mpi.find import Mpi
from raddle.profile.model import Call, Communicator, Concurrency, Peer, Process, Thread
from tests.profile.launch import run
from tests.profile.real import each_mpi, on_real_mpis

pytestmark = on_real_mpis


def ending(count: int, bytes_: int) -> list[int]:
    """A histogram of calls that all have this size."""
    return [0] * bytes_.bit_length() + [count]


@each_mpi
def test_counts(mpi: Mpi, tmp_path: Path) -> None:
    ran = run(mpi, tmp_path, "counts.c")
    assert ran.status == 0, ran.errors
    processes = ran.records(Process)
    assert [(one.process, one.size, one.how, one.requested, one.provided) for one in processes] == [
        (rank, 2, "finalized", "multiple", "multiple") for rank in range(2)
    ]
    assert all(one.lost == 0 and 0 < one.call_cost < 1e-5 and one.cpus >= 1 for one in processes)
    comms = [one for one in ran.records(Communicator) if one.process == 0]
    assert [one.name for one in comms[:2]] == ["MPI_COMM_WORLD", "MPI_COMM_SELF"]
    assert (len(comms), comms[3].name) == (4, "second")
    keys = [{one.communicator: one.key for one in ran.records(Communicator) if one.process == rank} for rank in (0, 1)]
    assert [at for at in range(4) if keys[0][at] == keys[1][at]] == [0, 2, 3]  # not MPI_COMM_SELF
    assert len(set(keys[0].values())) == 4

    calls = {(one.process, one.thread, one.communicator, one.function): one for one in ran.records(Call)}
    for rank in range(2):
        for thread, comm, times, size in ((0, 2, 50, 0), (1, 3, 100, 80)):
            sends = calls[rank, thread, comm, "MPI_Send"]
            assert (sends.calls, sends.bytes, sends.sizes) == (times, times * size, ending(times, size))
            receives = calls[rank, thread, comm, "MPI_Irecv"]
            assert (receives.calls, receives.bytes, receives.sizes) == (times, times * 800, ending(times, 800))
        assert calls[rank, 1, -1, "MPI_Wait"].calls == 100
        assert calls[rank, 0, -1, "MPI_Wait"].calls == 53
        sums = calls[rank, 0, 0, "MPI_Allreduce"]
        assert (sums.calls, sums.bytes, sums.sizes) == (5, 80, ending(5, 16))
        assert calls[rank, 0, 0, "MPI_Bcast"].bytes == 16
        assert calls[rank, 0, 0, "MPI_Alltoall"].bytes == 16
        assert calls[rank, 0, 0, "MPI_Allgather"].bytes == 8
        assert calls[rank, 0, 0, "MPI_Scatter"].bytes == (16 if rank == 0 else 8)
        assert calls[rank, 0, -1, "MPI_Init_thread"].calls == calls[rank, 0, -1, "MPI_Finalize"].calls == 1
        assert all(one.seconds >= one.longest > 0 and one.lock <= one.seconds for one in calls.values())
    peers = {(one.process, one.thread, one.communicator): one for one in ran.records(Peer)}
    first, second = peers[0, 0, 2], peers[1, 1, 3]
    assert (first.peer, first.sent, first.sent_bytes, first.received, first.received_bytes) == (1, 50, 0, 50, 40000)
    assert (second.peer, second.sent, second.sent_bytes, second.received) == (0, 100, 8000, 100)
    # From anybody, and persistent ones.
    world = [peers[rank, 0, 0] for rank in range(2)]
    assert (world[0].received, world[0].received_bytes, world[0].sent, world[0].sent_bytes) == (3, 24, 3, 48)
    assert (world[1].received, world[1].received_bytes, world[1].sent, world[1].sent_bytes) == (3, 48, 3, 24)


@each_mpi
def test_threads(mpi: Mpi, tmp_path: Path) -> None:
    ran = run(mpi, tmp_path, "counts.c")
    threads = ran.records(Thread)
    assert [(one.process, one.thread) for one in threads] == [(0, 0), (0, 1), (1, 0), (1, 1)]
    for one in threads:
        assert one.tid > 0
        assert 0 <= one.began <= one.ended
        assert 0 <= one.lock <= one.mpi <= one.ended - one.began + 1e-3
        assert 0 <= one.cpu_mpi <= one.cpu
        assert abs(sum(one.bins_mpi) - one.mpi) < 0.02 * one.mpi + 1e-4
        assert all(0 <= value <= one.bin * 1.001 for value in one.bins_mpi)


@each_mpi
def test_threads_inside_at_once(mpi: Mpi, tmp_path: Path) -> None:
    ran = run(mpi, tmp_path, "inside.c", "2", "800", processes=1)
    assert ran.status == 0, ran.errors
    (concurrency,) = ran.records(Concurrency)
    assert concurrency.looks > 100
    assert 0.6 < concurrency.seconds[2] < 1.3
    assert sum(concurrency.seconds[3:]) < 0.2
    assert max(concurrency.bins) > 1.5


@each_mpi
def test_nobody_inside(mpi: Mpi, tmp_path: Path) -> None:
    ran = run(mpi, tmp_path, "inside.c", "0", "500", processes=1)
    (concurrency,) = ran.records(Concurrency)
    assert concurrency.seconds[0] > 0.4
    assert sum(concurrency.seconds[2:]) == 0
