# SPDX-License-Identifier: BSD-3-Clause
"""Collectives of several processes side by side."""

from __future__ import annotations

from raddle.check.order import differences
from raddle.check.records import Call, Order, Process


def order(rank: int, *functions: str, key: str = "1", hash_of_all: str | None = None) -> Process:
    calls = [Call(name.partition(":")[0], 0, "", 1, "/m", 1, int(name.partition(":")[2] or -1)) for name in functions]
    made = Order(key, 2, rank, len(calls), hash_of_all or " ".join(functions), calls)
    return Process(orders=[made])


def numbers(*processes: Process) -> list[tuple[int, int, int]]:
    return [(each.number, each.rank, each.with_rank) for each in differences(processes)]


def test_the_same_is_no_difference() -> None:
    assert numbers(order(0, "MPI_Barrier", "MPI_Bcast:0"), order(1, "MPI_Barrier", "MPI_Bcast:0")) == []


def test_another_function_or_root_is_one() -> None:
    assert numbers(order(1, "MPI_Barrier", "MPI_Scan"), order(0, "MPI_Barrier", "MPI_Exscan")) == [(2, 0, 1)]
    assert numbers(order(0, "MPI_Bcast:0"), order(1, "MPI_Bcast:1")) == [(1, 0, 1)]


def test_one_call_more_is_one() -> None:
    (differs,) = differences([order(0, "MPI_Barrier"), order(1, "MPI_Barrier", "MPI_Barrier")])
    assert (differs.number, differs.call, differs.other and differs.other.function) == (2, None, "MPI_Barrier")


def test_what_is_not_kept_is_not_said() -> None:
    assert numbers(order(0, "MPI_Barrier", hash_of_all="a"), order(1, "MPI_Barrier", hash_of_all="b")) == []


def test_two_communicators_with_one_key_are_not_compared() -> None:
    assert numbers(order(0, "MPI_Barrier"), order(0, "MPI_Scan"), order(1, "MPI_Scan")) == []
