# SPDX-License-Identifier: BSD-3-Clause
"""What a profile is: the records of `profile.jsonl`, one JSON object a line, told apart by `record`.

docs/use/profile.md describes them.

Times are in seconds, and points in time are seconds of the node's monotonic clock since the first process of the job
began. Counts of calls, messages, bytes and lock waits are exact. What is sampled or estimated says so.
"""

from __future__ import annotations

import msgspec

SCHEMA = 1


class _Record(msgspec.Struct, frozen=True, kw_only=True, tag_field="record"):
    pass


class Program(_Record, frozen=True, kw_only=True, tag="program"):
    """The whole job; the first line."""

    schema: int = SCHEMA
    command: list[str]
    mpi: str  # as MPI_Get_library_version begins
    raddle: str  # version
    began: str  # ISO 8601, UTC
    status: int  # of the command; 128 + n by signal n
    ended: str  # "finalized", "aborted", "killed", "interrupted", "exited" (without MPI_Finalize), "no-mpi"
    seconds: float  # of the command


class Process(_Record, frozen=True, kw_only=True, tag="process"):
    """One process that has called MPI_Init."""

    process: int  # rank in MPI_COMM_WORLD
    size: int  # of MPI_COMM_WORLD
    host: str
    pid: int
    requested: str  # thread level: single, funneled, serialized, multiple
    provided: str
    began: float
    ended: float  # when it was last seen
    how: str  # "finalized", "exited", "aborted" (by MPI_Abort), "running" when its file was read: killed, or crashed
    cpus: int  # that it may use
    cpu: float  # CPU time of all its threads
    engine: str = ""  # of Raddle's endpoints, where it has some
    call_cost: float  # what recording one call costs: measured in this process at its start, seconds
    lost: int = 0  # calls of threads or communicators for which there was no more room


class Thread(_Record, frozen=True, kw_only=True, tag="thread"):
    """One thread that has called the MPI. Outermost calls count, not those that the MPI makes itself."""

    process: int
    thread: int  # in the order of first calls; 0 is the one that called MPI_Init
    tid: int
    name: str
    rank: int = -1  # of the endpoint that it has adopted, in its endpoints communicator
    began: float  # first call
    ended: float
    calls: int
    mpi: float  # inside the MPI
    lock: float  # of that: waited for POSIX locks inside MPI calls (measured)
    cpu: float  # CPU time of the thread between began and ended
    cpu_mpi: float  # CPU time inside the MPI: sampled, scaled to all calls
    preempted: int  # involuntary context switches
    moved: int  # to another CPU, as seen at calls that are sampled
    bin: float  # width of a bin of the timelines that follow, seconds; the first begins at Process.began
    bins_mpi: list[float]
    bins_lock: list[float]


class Communicator(_Record, frozen=True, kw_only=True, tag="communicator"):
    """One communicator as a process knows it."""

    process: int
    communicator: int  # number in this process; 0 is MPI_COMM_WORLD, 1 MPI_COMM_SELF, -1 stands for none
    name: str
    size: int
    key: str  # the same in all its processes, and different for different ones (hash of how it was made)


class Call(_Record, frozen=True, kw_only=True, tag="call"):
    """Calls of one function by one thread on one communicator."""

    process: int
    thread: int
    communicator: int
    function: str  # "MPI_Send"
    calls: int
    seconds: float
    longest: float
    lock: float
    lock_waits: int
    bytes: int  # that they were given to send, or to receive for those that only receive
    sizes: list[int]  # calls by bytes: [0], [1], [2,3], [4,7] ... the last nonzero one ends the list


class Peer(_Record, frozen=True, kw_only=True, tag="peer"):
    """Point-to-point messages of one thread with one rank of one communicator."""

    process: int
    thread: int
    communicator: int
    peer: int
    sent: int
    sent_bytes: int
    received: int
    received_bytes: int


class Concurrency(_Record, frozen=True, kw_only=True, tag="concurrency"):
    """How many threads of a process were inside the MPI at once: looked at again and again by a thread of Raddle's."""

    process: int
    looks: int
    seconds: list[float]  # with 0, 1, 2 ... threads inside
    bin: float
    bins: list[float]  # mean number inside, over time


class Slowdown(_Record, frozen=True, kw_only=True, tag="slowdown"):
    """What calls of one function took beside others, of some of the calls: for an estimate of locks not seen.

    Of each thread every n-th call looks at how many other threads are inside as it begins.
    """

    process: int
    function: str
    size: int  # class of bytes, as the index in Call.sizes
    inside: int  # others inside the MPI as it began
    calls: int
    seconds: float
    squares: float  # sum of squared seconds
    least: float


class LockWait(_Record, frozen=True, kw_only=True, tag="lock"):
    """Time that one thread waited for a lock of the MPI that another one held (-1: not known who)."""

    process: int
    thread: int
    holder: int
    kind: str  # "mutex", "spin", "rwlock", "condition", "semaphore"
    waits: int
    seconds: float


class PartnerWait(_Record, frozen=True, kw_only=True, tag="wait"):
    """Time in calls that was spent waiting for a partner, where both sides are of one node and could be matched."""

    process: int
    thread: int
    communicator: int
    function: str
    kind: str  # "late-sender", "late-receiver", "imbalance"
    partner_process: int  # who came late; -1 for several
    partner_thread: int
    matched: int  # calls that could be matched
    calls: int  # of this function on this communicator, matched or not
    seconds: float  # of the matched calls, scaled to all by calls/matched


Record = Program | Process | Thread | Communicator | Call | Peer | Concurrency | Slowdown | LockWait | PartnerWait
