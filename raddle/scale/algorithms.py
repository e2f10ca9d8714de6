# SPDX-License-Identifier: BSD-3-Clause
"""What each algorithm of a sparse exchange costs, after what it does (src/sparse).

Source: T. Hoefler, C. Siebert, A. Lumsdaine: Scalable communication protocols for dynamic sparse data exchange,
PPoPP '10, section 3, for pex, pcx, rsx and nbx.
"""

from __future__ import annotations

from collections.abc import Callable

from raddle.scale.cost import (
    COUNT,
    INT,
    Cost,
    Way,
    alltoall,
    barrier,
    look_through,
    reduce_scatter_block,
    rounds,
    way_between,
    way_within,
)  # fmt: skip
from raddle.scale.parameters import Machine
from raddle.scale.workload import Workload, distinct

Algorithm = Callable[[Workload, Machine], Cost]
HEADER = 16  # of a message in a bundle: source, destination, length
REQUEST = 8  # a handle, and so an entry of a list of them
FOUND = 24  # what is kept of a message that came without being expected: source, place, length
WHERE = 3 * INT  # what is kept of each rank by those that know who is where (src/sparse/exchange_lane.hpp)
NODE = 24  # and of each node: the head of its list
RADIX = 4  # src/sparse/exchange.hpp


def alltoallv(work: Workload, machine: Machine) -> Cost:
    """The lengths by an Alltoall, the messages by an Alltoallv, which looks at every rank but sends no empty ones."""
    way = way_between(machine, work.ranks)
    moved = Cost(way.neighbours(work.out, work.most, work.payload, probes=False), work.out)
    # Counts and displacements of both directions.
    arrays = Cost(look_through(way, work.ranks, 4 * INT), 0, work.ranks * 4 * INT)
    return alltoall(way, work.ranks, INT) + arrays + moved + Cost(memory=2 * INT * work.ranks)


def pex(work: Workload, machine: Machine) -> Cost:
    """The lengths by an Alltoall; messages whose sources and lengths are then known."""
    way = way_between(machine, work.ranks)
    moved = way.neighbours(work.out, work.most, work.payload, probes=False)
    looked = look_through(way, work.ranks, INT)
    mine = Cost(looked + moved, work.out, 2 * INT * work.ranks + REQUEST * (work.out + work.most))
    return alltoall(way, work.ranks, INT) + mine


def pcx(work: Workload, machine: Machine) -> Cost:
    """How many messages to expect, by a Reduce_scatter_block; messages that are probed for."""
    way = way_between(machine, work.ranks)
    moved = way.neighbours(work.out, work.most, work.payload, probes=True)
    mine = Cost(moved, work.out, INT * work.ranks + REQUEST * work.out + FOUND * work.most)
    return reduce_scatter_block(way, work.ranks) + mine


def rsx(work: Workload, machine: Machine) -> Cost:
    """How many messages to expect, by counters at the destinations and a barrier; messages are probed for."""
    way = way_between(machine, work.ranks)
    # A target's processor takes part: no MPI that we know leaves it to the network card by default.
    added = way.neighbours(work.out, work.most, COUNT, probes=False, synchronous=True)
    moved = way.neighbours(work.out, work.most, work.payload, probes=True)
    mine = Cost(added + moved, 2 * work.out, 2 * COUNT + 2 * REQUEST * work.out + FOUND * work.most)
    return mine + barrier(way, work.ranks)


def nbx(work: Workload, machine: Machine) -> Cost:
    """Messages that are acknowledged when they are found; a barrier that each rank enters when all of its own are."""
    return _census(way_between(machine, work.ranks), work.ranks, work.out, work.most, work.payload)


def nary(work: Workload, machine: Machine) -> Cost:
    """From digit to digit of the distance: a message passes as many ranks as that has digits that are not 0."""
    way = way_between(machine, work.ranks)
    stages, partners = rounds(work.ranks, RADIX), RADIX - 1
    # All that a rank holds has a random digit; as many messages come as go.
    held = work.out * (work.payload + HEADER)
    forwarded = held * partners / RADIX
    each = way.neighbours(partners, partners, forwarded / partners, probes=True) + 2 * forwarded * way.one.G * way.crowd
    # Bundles of all stages are kept until the last one has gone.
    return Cost(stages * each, stages * partners, 2 * stages * forwarded)


def locality(work: Workload, machine: Machine) -> Cost:
    """A bundle to each other node, for its rank of the same place, by nbx; then a bundle to each rank of the node."""
    inside = way_within(machine, work.ranks)
    nodes = work.ranks / machine.per_node
    if nodes <= 1:
        return _bundled(inside, work.ranks, distinct(work.ranks, work.out), work)
    # Who is on this node already is not sent to it. Where the others are is known to every rank.
    away = work.out * (1 - 1 / nodes)
    first = _bundled(way_between(machine, work.ranks), work.ranks, distinct(nodes - 1, away), work)
    first += Cost(memory=WHERE * work.ranks + NODE * nodes)
    if machine.per_node == 1:
        return first
    return first + _bundled(inside, machine.per_node, distinct(machine.per_node, work.out), work)


def _census(way: Way, ranks: float, out: float, most: float, payload: float) -> Cost:
    moved = way.neighbours(out, most, payload, probes=True, synchronous=True)
    return Cost(moved, out, REQUEST * out + FOUND * most) + barrier(way, ranks)


def _bundled(way: Way, ranks: float, bundles: float, work: Workload) -> Cost:
    """All that a rank has, in so many bundles."""
    held = work.out * (work.payload + HEADER)
    most = bundles * work.most / work.out
    packed = Cost(2 * held * way.one.G * way.crowd, 0, 2 * held)
    return _census(way, ranks, bundles, most, held / bundles) + packed


ALGORITHMS: dict[str, Algorithm] = {
    "alltoallv": alltoallv,
    "pex": pex,
    "pcx": pcx,
    "rsx": rsx,
    "nbx": nbx,
    "nary": nary,
    "locality": locality,
}
