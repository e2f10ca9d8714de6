# SPDX-License-Identifier: BSD-3-Clause
"""The rules, as data. Sentences are templates that `raddle.check.findings` fills: {call} and {other} are functions."""

from __future__ import annotations

from raddle.named import Named


class Rule(Named):
    """A rule is its name. `breaks`: a program that does this is wrong; else it leaves something behind."""

    breaks: bool
    sentence: str
    section: str

    THREAD_LEVEL = (
        "thread-level",
        True,
        "{call} is called from another thread than the one that called MPI_Init, and the level provided is "
        "MPI_THREAD_{level}.",
        "11.2.1, MPI_INIT_THREAD; 11.6 MPI and Threads",
    )
    SERIALIZED = (
        "serialized",
        True,
        "{call} and {other} are called by two threads at once, and the level provided is MPI_THREAD_SERIALIZED.",
        "11.2.1, MPI_INIT_THREAD; 11.6 MPI and Threads",
    )
    COLLECTIVES = (
        "collectives-at-once",
        True,
        "{call} and {other} are called by two threads at once on one communicator, so that nobody knows their order.",
        "11.6.2 Clarifications: collective calls; 6.14 Correctness",
    )
    REQUEST = (
        "request-twice",
        True,
        "{call} and {other} of two threads at once are to complete the same request.",
        "11.6.2 Clarifications: multiple threads completing the same request",
    )
    PROBE = (
        "probe-overtaken",
        True,
        "Before {call} a message was probed that another thread, which had seen it as well, received by {other}.",
        "11.6.2 Clarifications: probe",
    )
    BUFFER = (
        "buffer-twice",
        True,
        "{call} uses memory that {other}, which has not completed, uses as well, and one of them writes there.",
        "3.7.2 Communication Initiation",
    )
    BUFFER_FREED = (
        "buffer-freed",
        True,
        "{call} gives memory back that {other}, which has not completed, uses.",
        "3.7.2 Communication Initiation",
    )
    REQUEST_LEFT = (
        "request-left",
        True,
        "The operation that {call} began was not completed before MPI_Finalize.",
        "11.2.2 Finalizing MPI",
    )
    IN_FINALIZE = (
        "in-finalize",
        True,
        "{call} of another thread was underway during MPI_Finalize.",
        "11.6.2 Clarifications: initialization and completion",
    )
    AFTER = ("after-finalize", True, "{call} is called after MPI_Finalize.", "11.2.2 Finalizing MPI; 11.4.1")
    BEFORE = ("before-init", True, "{call} is called before MPI_Init.", "11.2.1 Starting MPI Processes; 11.4.1")
    ORDER = (
        "order",
        True,
        "On one communicator, as collective call number {number}, process {rank} calls {call} and process {with_rank} "
        "{other}.",
        "6.14 Correctness",
    )
    COMMUNICATOR_LEFT = (
        "communicator-left",
        False,
        "The communicator that {call} made was not freed before MPI_Finalize.",
        "7.4.3 Communicator Destructors",
    )
    DATATYPE_LEFT = (
        "datatype-left",
        False,
        "The datatype that {call} made was not freed before MPI_Finalize.",
        "5.1.9 Commit and Free",
    )


NAMED = {rule.value: rule for rule in Rule}
