# SPDX-License-Identifier: BSD-3-Clause
"""Where time went: parts add up, no second counts twice, and totals of threads win over their calls."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.profile_command.planted import Plant


def test_the_parts_of_a_thread() -> None:
    plant = Plant(threads=1, seconds=10.0).call("MPI_Init", 0.5, calls=1, processes=[0])
    plant.call("MPI_Recv", 4.0, lock=1.0, processes=[0]).wait(2.0, 1)
    times = plant.facts().ledger.process(0)
    assert (times.setup, times.lock, times.partner, times.communicating) == (0.5, 1.0, 2.0, 1.0)
    assert times.computing == pytest.approx(5.5)
    assert times.all == pytest.approx(10.0)


def test_a_thread_that_sleeps_outside_the_mpi_is_not_computing() -> None:
    plant = Plant(threads=1, seconds=10.0).call("MPI_Recv", 4.0, processes=[0])
    plant.thread = {"cpu": 5.0, "cpu_mpi": 3.0}
    times = plant.facts().ledger.process(0)
    assert (times.computing, times.idle, times.communicating) == (2.0, 4.0, 4.0)


def test_a_partner_has_room_only_where_no_lock_was() -> None:
    plant = Plant(threads=1).call("MPI_Recv", 4.0, lock=3.0, processes=[0]).wait(2.0, 1)
    times = plant.facts().ledger.process(0)
    assert (times.lock, times.partner, times.communicating) == (3.0, 1.0, 0.0)


def test_waits_of_a_completion_are_found_though_it_names_no_communicator() -> None:
    plant = Plant(threads=1).call("MPI_Waitall", 4.0, communicator=-1, processes=[0])
    assert plant.wait(2.0, 1, function="MPI_Waitall").facts().ledger.process(0).partner == 2.0


def test_calls_without_a_record_are_in_the_totals() -> None:
    plant = Plant(threads=1)
    plant.thread = {"mpi": 3.0}
    assert plant.facts().ledger.process(0).communicating == 3.0


def test_communicators_are_those_of_all_processes() -> None:
    plant = Plant().call("MPI_Allreduce", 1.0).call("MPI_Waitall", 0.5, communicator=-1)
    found = {each.name: each.times.all for each in plant.summary().communicators}
    assert found == {"MPI_COMM_WORLD": 4.0, "no communicator": 2.0}


@given(
    st.floats(0, 10), st.floats(0, 10), st.floats(0, 10), st.floats(0, 10),
    st.lists(st.floats(1e-6, 1e-3), min_size=2, max_size=4),
)  # fmt: skip
def test_parts_add_up_whatever_records_say(
    send: float, receive: float, lock: float, partner: float, means: list[float]
) -> None:
    plant = Plant(processes=1).call("MPI_Isend", send, lock=lock).call("MPI_Recv", receive, lock=lock)
    plant.wait(partner, 0).slowdown("MPI_Isend", means)
    facts = plant.facts()
    for thread in facts.view.threads:
        times = facts.ledger.thread(thread)
        parts = (
            times.computing, times.idle, times.setup, times.communicating, times.partner, times.lock, times.hidden,
        )  # fmt: skip
        assert all(part >= 0 for part in parts)
        assert times.mpi == pytest.approx(thread.mpi)
        assert times.all == pytest.approx(max(10.0, thread.mpi))
