# SPDX-License-Identifier: BSD-3-Clause
"""What exchanges are made of, in LogGP's terms: messages to neighbours, and the MPI's collectives."""

from __future__ import annotations

from dataclasses import dataclass

from raddle.scale.parameters import LogGP, Machine

INT, COUNT = 4, 8  # bytes of a number of messages or a length, and of a counter that others add to
# What MPICH and Open MPI choose for an MPI_Alltoall of short blocks (MPIR_CVAR_ALLTOALL_SHORT_MSG_SIZE).
BRUCK_UP_TO = 256


@dataclass(frozen=True)
class Cost:
    """Of the rank that has most to do. Memory is what the algorithm needs besides the program's own messages."""

    seconds: float = 0.0
    messages: float = 0.0
    memory: float = 0.0

    def __add__(self, other: Cost) -> Cost:
        return Cost(self.seconds + other.seconds, self.messages + other.messages, self.memory + other.memory)


@dataclass(frozen=True)
class Way:
    """A way of messages, and how many ranks share its cores and its link."""

    one: LogGP
    crowd: float = 1.0
    sharing: float = 1.0

    def busy(self, calls: float) -> float:
        """A processor, with `calls` messages sent or received."""
        return calls * self.one.o * self.crowd

    def round(self, payload: float) -> float:
        """All ranks send one message and wait for another one: sending and receiving take turns on a processor."""
        return self.one.L + self.busy(2) + payload * self.one.G * self.sharing

    def neighbours(self, out: float, most: float, payload: float, *, probes: bool, synchronous: bool = False) -> float:
        """Messages to `out` ranks, and from `most`; a probe costs as much as a receive, and so does an answer."""
        calls = out + most * (1 + probes + synchronous)
        apart = max(out, most) * max(self.one.g, payload * self.one.G * self.sharing)
        return max(self.busy(calls), apart) + self.one.L * (1 + synchronous)


def way_between(machine: Machine, ranks: int) -> Way:
    """From a rank to any other. On one node there is no other way than that within."""
    if ranks <= machine.per_node:
        return way_within(machine, ranks)
    return Way(machine.between, machine.crowd(ranks), machine.per_node)


def way_within(machine: Machine, ranks: int) -> Way:
    crowd = machine.crowd(ranks)
    return Way(machine.within, crowd, crowd)


def rounds(ranks: float, radix: int = 2) -> int:
    """The logarithm, rounded up."""
    count, reach = 0, 1
    while reach < ranks:
        count, reach = count + 1, reach * radix
    return count


def barrier(way: Way, ranks: float) -> Cost:
    """By dissemination."""
    number = rounds(ranks)
    return Cost(number * way.round(0), number)


def alltoall(way: Way, ranks: int, block: int) -> Cost:
    """Of equal blocks: by Bruck's algorithm if they are short, else pair by pair."""
    if block > BRUCK_UP_TO:
        return Cost((ranks - 1) * way.round(block), ranks - 1)
    number = rounds(ranks)
    moved = ranks / 2 * block
    # Blocks are gathered into each message and put back from it.
    copied = 2 * moved * way.one.G * way.crowd
    return Cost(number * (way.round(moved) + copied), number, ranks * block)


def reduce_scatter_block(way: Way, ranks: int) -> Cost:
    """Of one counter for each rank, by recursive halving: half of what is left in each round, then added up."""
    number = rounds(ranks)
    moved = (ranks - 1) * INT
    seconds = number * way.round(0) + moved * way.one.G * (way.sharing + way.crowd)
    return Cost(seconds, number, ranks * INT)


def look_through(way: Way, ranks: int, bytes_each: int) -> float:
    """A pass over arrays that have an entry for every rank."""
    return ranks * bytes_each * way.one.G * way.crowd
