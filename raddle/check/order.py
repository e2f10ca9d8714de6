# SPDX-License-Identifier: BSD-3-Clause
"""Whether processes have called the same collectives on each communicator, in the same order."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from raddle.check.records import Call, Order, Process


@dataclass(frozen=True)
class Differs:
    """Call `number` of a communicator, counted from 1, by two processes; None: it has called no more."""

    number: int
    rank: int
    call: Call | None
    with_rank: int
    other: Call | None


def differences(processes: Sequence[Process]) -> Iterator[Differs]:
    """The first on each communicator. Where it is not among the calls that are kept, nothing is said."""
    by_key: dict[str, list[Order]] = defaultdict(list)
    for process in processes:
        for each in process.orders:
            by_key[each.key].append(each)
    for orders in by_key.values():
        ranks = {each.rank for each in orders}
        # Where two communicators of a process have one key, it is not known which is which.
        if len(ranks) == len(orders) and len({each.size for each in orders}) == 1:
            yield from _first_difference(sorted(orders, key=lambda each: each.rank))


def _first_difference(orders: Sequence[Order]) -> Iterator[Differs]:
    first = orders[0]
    for other in orders[1:]:
        if (first.calls, first.hash) == (other.calls, other.hash):
            continue
        most = max(len(first.first), len(other.first))
        for at in range(most):
            one, two = _at(first, at), _at(other, at)
            if (one and one.function, one and one.root) != (two and two.function, two and two.root):
                yield Differs(at + 1, first.rank, one, other.rank, two)
                return


def _at(order: Order, at: int) -> Call | None:
    return order.first[at] if at < len(order.first) else None
