# SPDX-License-Identifier: BSD-3-Clause
"""What kind of thing each function of MPI does, by its name: which calls may wait for others, which begin a program."""

from __future__ import annotations

import re
from enum import Enum


class Kind(str, Enum):
    """What a call is for."""

    SETUP = "setup"  # MPI_Init, MPI_Finalize and their like: before and after the program's own work
    POINT = "point-to-point"
    COLLECTIVE = "collective"
    OTHER = "other"


_SETUP = re.compile(r"MPI_(Init(_thread)?|Finalize|Abort|Session_(init|finalize))")
_START = re.compile(r"MPI_(I(b|s|r)?send(recv(_replace)?)?|I(m)?recv|Start(all)?|Pready\w*|Parrived)")
_ASK = re.compile(r"MPI_(Test(all|any|some)?|I(m)?probe|Request_get_status\w*)")
_POINT = re.compile(
    r"MPI_((B|S|R)?send(recv(_replace)?)?|Send(recv(_replace)?)?|M?recv|Recv|M?probe|Probe|Wait(all|any|some)?)"
)
_COLLECTIVE = re.compile(
    r"MPI_(I?(barrier|bcast|gatherv?|scatterv?|allgatherv?|alltoall[vw]?|reduce|allreduce|reduce_scatter(_block)?"
    r"|scan|exscan|neighbor_\w+)|Comm_(i?dup(_with_info)?|split(_type)?|create(_group)?|free|i?dup\w*|spawn\w*)"
    r"|Win_(fence|create|allocate\w*|free)|File_\w+_all\w*)",
    re.IGNORECASE,
)
_NONBLOCKING = re.compile(
    r"MPI_I(barrier|bcast|gatherv?|scatterv?|allgatherv?|alltoall[vw]?|reduce|allreduce|reduce_scatter(_block)?"
    r"|scan|exscan|neighbor_\w+)"
)
_BARE = re.compile(r"MPI_(Wait\w*|M?[Pp]robe|Start(all)?|Pready\w*|Parrived)")
_DATA = re.compile(
    r"MPI_I?(bcast|gatherv?|scatterv?|allgatherv?|alltoall[vw]?|reduce|allreduce|reduce_scatter(_block)?|scan|exscan"
    r"|neighbor_\w+)",
    re.IGNORECASE,
)
_ALLTOALLV = re.compile(r"MPI_(I)?(neighbor_)?alltoall[vw]")
_COUNTS = re.compile(r"MPI_(I)?(alltoall|allreduce|reduce_scatter(_block)?|barrier)", re.IGNORECASE)
_PROBE = re.compile(r"MPI_(I?m?probe)", re.IGNORECASE)


def plain(function: str) -> str:
    """The name without the ending of functions with large counts: `MPI_Send` of `MPI_Send_c`."""
    return function.removesuffix("_c")


def kind(function: str) -> Kind:
    """What a function is for."""
    name = plain(function)
    if _SETUP.fullmatch(name):
        return Kind.SETUP
    if _START.fullmatch(name) or _ASK.fullmatch(name) or _POINT.fullmatch(name):
        return Kind.POINT
    return Kind.COLLECTIVE if _COLLECTIVE.fullmatch(name) else Kind.OTHER


def may_wait(function: str) -> bool:
    """Whether a call may last until a partner does something; the others end by themselves."""
    name = plain(function)
    if _START.fullmatch(name) or _ASK.fullmatch(name) or _NONBLOCKING.fullmatch(name):
        return False
    if name == "MPI_Finalize":
        return True
    return kind(name) in (Kind.POINT, Kind.COLLECTIVE) and not name.endswith("_free") and name != "MPI_Bsend"


def carries(function: str) -> bool:
    """Whether a call is given data to send, or room to receive them."""
    name = plain(function)
    if _ASK.fullmatch(name) or _BARE.fullmatch(name):
        return False
    return kind(name) is Kind.POINT or bool(_DATA.fullmatch(name))


def varies(function: str) -> bool:
    """Whether it is an exchange in which each pair has a length of its own."""
    return bool(re.fullmatch(_ALLTOALLV.pattern, plain(function), re.IGNORECASE))


def counts(function: str) -> bool:
    """Whether it may serve to find out who sends how much to whom, or that all have come."""
    return bool(_COUNTS.fullmatch(plain(function)))


def probes(function: str) -> bool:
    """Whether it looks for messages that nobody has announced."""
    return bool(_PROBE.fullmatch(plain(function)))
