# SPDX-License-Identifier: BSD-3-Clause
"""All sentences that the verdict of a profile can have, and all remedies, as data.

Sentences are templates; `raddle.profile.judge` fills them. Remedies say how their bound comes about; the numbers are
made by `raddle.profile.offers`. A test proves that each entry can occur.
"""

from __future__ import annotations

from enum import Enum

from raddle.named import Named


class Group(str, Enum):
    """What a sentence is about, in the order of the verdict."""

    DOUBT = "doubt"  # read the rest with care
    TIME = "time"
    LOCKS = "locks"
    CAUSE = "cause"  # the heaviest first, as far as there is room


class Finding(Named):
    """A finding is its name and carries its sentence."""

    group: Group
    sentence: str

    LEVEL_LOWER = (
        "level-lower",
        Group.DOUBT,
        "Thread level {requested} was asked for and {provided} provided: threads that call the MPI all the same break "
        "its rules.",
    )
    CUT_OFF = ("cut-off", Group.DOUBT, "The program was {how}: this is what was seen until then.")
    ROOM = (
        "no-room",
        Group.DOUBT,
        "For {lost} calls there was no more room: they are in the totals of threads and in no table of functions.",
    )
    WHERE = (
        "where",
        Group.TIME,
        "Of the time of {threads}, {computing} is computing{idle}, {communicating} communicating, {partner} waiting "
        "for partners{setup} and {locks} waiting for locks of the MPI.",
    )
    LOCKS = (
        "locks",
        Group.LOCKS,
        "Threads lose {mean} of their time to locks inside the MPI ({how}){worst}; without these the program would "
        "take at most {most} less time.",
    )
    LOOSE = (
        "locks-loose",
        Group.LOCKS,
        "Threads lose {mean} of their time to locks inside the MPI ({how}){worst}; that contention costs more cannot "
        "be excluded, since calls that wait for a partner do not show it.",
    )
    NOTHING = (
        "nothing",
        Group.LOCKS,
        "Nothing to gain here from less contention: {mean} of the time is lost to locks, and without any the program "
        "would take at most {most} less time.",
    )
    UNTOLD = (
        "untold",
        Group.LOCKS,
        "Locks were seen to cost {mean} of the time; that contention costs up to {most} cannot be excluded, since "
        "calls that wait for a partner do not show it.",
    )
    ALONE = (
        "alone",
        Group.LOCKS,
        "Nothing to gain here from lanes or endpoints: one thread of each process calls the MPI, so none waits for "
        "another.",
    )
    ONE_CPU = (
        "one-cpu",
        Group.CAUSE,
        "{threads} of {processes} may use {cpus} only, less than its share of the host's: they take turns.",
    )
    CROWDED = (
        "crowded",
        Group.CAUSE,
        "{threads} threads on {host} want to run on {cpus}, and were interrupted {preempted} times; inside the MPI "
        "they took {burnt} of the CPUs' time.",
    )
    LATE = (
        "late",
        Group.CAUSE,
        "{share} of the threads' time is waiting for partners, {part} of that for {process}: work is divided unevenly, "
        "which no setting of an MPI mends.",
    )
    UNEVEN = (
        "uneven",
        Group.CAUSE,
        "{share} of the threads' time is waiting for partners, now for one and now for another ({kinds}).",
    )
    PARTS = (
        "parts",
        Group.CAUSE,
        "{threads} of {processes} each send as many messages, as long, to the same partner: they may be parts "
        "of one buffer.",
    )
    SPARSE = ("sparse", Group.CAUSE, "{share} of the threads' time is in {functions}: {how}.")
    LEVEL_HIGHER = (
        "level-higher",
        Group.CAUSE,
        "Thread level multiple was asked for, and one thread of each process calls the MPI: it takes locks for "
        "nothing.",
    )
    MOVED = (
        "moved",
        Group.CAUSE,
        "Threads were seen on another CPU than before {times} times, {rate} times a second of each: the operating "
        "system moves them, and their caches are cold.",
    )


class Remedy(Named):
    """A remedy is its name and carries what to do, the page about it, and what bounds it."""

    label: str
    do: str
    page: str
    bounded: str

    BINDING = (
        "binding",
        "Binding",
        "Give each process as many CPUs as it has threads: {option}.",
        "docs/use/doctor.md",
        "threads off the CPU",
    )
    YIELD = (
        "settings-yield",
        "Settings: yield",
        "Let threads that wait give the CPU away: {settings}.",
        "docs/use/doctor.md",
        "all but what the thread computes that computes longest",
    )
    CONTEXTS = (
        "settings-contexts",
        "Settings: contexts",
        "Threads have communicators of their own already; give these contexts of their own: {settings}.",
        "docs/use/lanes.md",
        "waits for locks, measured, and what hidden ones cannot be excluded",
    )
    LEVEL = (
        "settings-level",
        "Settings: level",
        "Ask for MPI_THREAD_FUNNELED in MPI_Init_thread.",
        "docs/use/doctor.md",
        "all communicating",
    )
    LANES = (
        "lanes",
        "Lanes",
        "Give each thread a communicator (Raddle_Lanes_create){settings}.",
        "docs/use/lanes.md",
        "waits for locks, measured, and what hidden ones cannot be excluded",
    )
    ENDPOINTS = (
        "endpoints",
        "Endpoints",
        "Make threads ranks (MPIX_Comm_create_endpoints).",
        "docs/use/endpoints.md",
        "all in the MPI",
    )
    PARTITIONED = (
        "partitioned",
        "Partitioned",
        "Send one message in parts (MPI_Psend_init, MPI_Pready) in place of one for each thread.",
        "docs/use/partitioned.md",
        "all in point-to-point calls on these communicators",
    )
    SPARSE = (
        "sparse",
        "Sparse exchange",
        "If most pairs have nothing to send, use Raddle_Sparse_exchange in place of {functions}.",
        "docs/use/sparse.md",
        "all in these calls",
    )
    FEWER = (
        "fewer-threads",
        "Fewer threads",
        "Run no more threads than there are CPUs: {cpus} on {host}.",
        "docs/use/doctor.md",
        "threads off the CPU",
    )
    FEWER_CALLING = (
        "fewer-calling",
        "Fewer callers",
        "Let fewer threads call the MPI at once, each for several.",
        "docs/use/lanes.md",
        "waits for locks, measured, and what hidden ones cannot be excluded",
    )
