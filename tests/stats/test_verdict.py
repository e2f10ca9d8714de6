# SPDX-License-Identifier: BSD-3-Clause
"""Sentences on constructed data: each says what the intervals allow, and no more."""

from __future__ import annotations

import msgspec
import pytest

from raddle.judge.points import speed
from raddle.judge.verdict import Sentence, Topic, verdict
from raddle.model import ResultRow
from tests.report.suite import suite_row
from tests.stats.builders import result_row

# Of nine, the second smallest is 0.97 and the second largest 1.03: those are the ends of the interval.
SPREAD = [1.0, 0.96, 1.04, 0.97, 1.03, 0.98, 1.02, 0.99, 1.01]
MPICH_LANES = {"MPIR_CVAR_CH4_NUM_VCIS": "2"}


def spread(value: float, blocks: int = 9) -> list[float]:
    """Block medians around `value`; against `steady` ones their ratio is exact and its interval +- 3 %."""
    return [value * each for each in SPREAD[:blocks]]


def steady(value: float, blocks: int = 9) -> list[float]:
    return [value] * blocks


def one_process(benchmark: str, variant: str, blocks: list[float], **keys: object) -> ResultRow:
    return result_row(benchmark, variant, blocks, placement="one-process", processes=1, **keys)


def sentence(rows: list[ResultRow], topic: Topic, env: dict[str, dict[str, str]] | None = None) -> Sentence:
    [only] = [each for each in verdict(rows, env) if each.topic is topic]
    return only


def rates(blocks: int = 9, lane: float = 2.1e6, **keys: object) -> list[ResultRow]:
    return [
        one_process("msgrate", "thread", spread(0.9e6, blocks), launches=["t"], **keys),
        one_process("msgrate", "lane", spread(lane, blocks), launches=["l"], **keys),
        result_row("msgrate", "process", steady(2.25e6, blocks), launches=["p"], **keys),
    ]


def test_threads_against_processes_with_lanes_and_the_setting() -> None:
    found = sentence(rates(), Topic.THREADS, {"t": {"COMMON": "1"}, "l": {"COMMON": "1", **MPICH_LANES}})
    assert found.text == (
        "On MPICH 5.0.2 two threads of one process reach 0.40x [0.39, 0.41] of the message rate of two processes, "
        "0.900 M msg/s against 2.25 M msg/s at 8 B; lanes reach 0.93x [0.91, 0.96]. Set MPIR_CVAR_CH4_NUM_VCIS=2."
    )
    assert (found.mpi, found.benchmark, found.shared) == ("mpich", "msgrate", False)
    assert [row.variant for row in found.rows] == ["thread", "process", "lane"]
    assert found.ratio is not None
    assert found.ratio.shown


def test_n_too_small_is_said_and_nothing_is_claimed() -> None:
    found = sentence(rates(blocks=3), Topic.THREADS, {"l": MPICH_LANES})
    assert "reach about 0.40x of the message rate of two processes (n too small: 3 blocks)" in found.text
    assert "lanes reach about 0.93x" in found.text
    assert "Worth a try: set MPIR_CVAR_CH4_NUM_VCIS=2." in found.text
    assert "[" not in found.text
    [limit] = [each for each in verdict(rates(1)) if each.topic is Topic.THREADS]
    assert "(n too small: 1 block)" in limit.text


def test_an_interval_that_holds_one_shows_no_difference() -> None:
    rows = [one_process("msgrate", "thread", spread(1e6)), result_row("msgrate", "process", steady(1e6))]
    found = sentence(rows, Topic.THREADS)
    assert found.text == (
        "On MPICH 5.0.2 no difference in message rate is shown between two threads of one process and two processes "
        "(1.00x [0.97, 1.03]), 1.00 M msg/s against 1.00 M msg/s at 8 B."
    )
    assert "reach" not in found.text


def test_lanes_that_bring_nothing_advise_nothing() -> None:
    found = sentence(rates(lane=0.9e6), Topic.THREADS, {"l": MPICH_LANES})
    assert "Set" not in found.text
    assert "set" not in found.text
    worse = sentence(rates(lane=0.5e6), Topic.THREADS, {"l": MPICH_LANES})
    assert "Set" not in worse.text


def test_lanes_without_a_setting_advise_nothing() -> None:
    assert "Set" not in sentence(rates(mpi="openmpi"), Topic.THREADS, {"l": {"A": "1"}, "t": {"A": "1"}}).text


def shared_finding(**keys: object) -> list[ResultRow]:
    described = {"threads": 2, "profile": "shared", "flags": ["oversubscribed"], **keys}
    return [
        result_row("msgrate", "thread", steady(0.5e6), launches=["t"], **described),
        result_row("msgrate", "lane", spread(1.0e6), launches=["l"], **described),
        result_row("msgrate", "process", steady(1.1e6), **(described | {"processes": 4})),
    ]


def test_the_seeds_finding_is_labelled_shared() -> None:
    intel = {"I_MPI_THREAD_SPLIT": "1", "I_MPI_THREAD_RUNTIME": "generic", "YIELD": "1"}
    found = sentence(shared_finding(mpi="intel"), Topic.LANES, {"l": intel, "t": {"YIELD": "1"}})
    assert found.text.startswith(
        "On Intel MPI 2021.18 lanes (a communicator for each thread) in two processes of two threads each reach "
        "2.00x [1.94, 2.06] the message rate of one communicator for all threads, 1.00 M msg/s against 0.500 M msg/s"
    )
    assert "; lanes reach 0.91x [0.88, 0.94] of the message rate of four processes." in found.text
    assert "Set I_MPI_THREAD_RUNTIME=generic and I_MPI_THREAD_SPLIT=1." in found.text
    assert "profile shared: more busy threads than CPUs" in found.text
    assert found.shared
    assert [row.variant for row in found.rows] == ["lane", "thread", "process"]


def test_clean_rows_are_preferred_and_never_compared_to_shared_ones() -> None:
    clean = [
        result_row("msgrate", variant, spread(rate), threads=2, processes=2)
        for variant, rate in (("thread", 1e6), ("lane", 3e6))
    ]
    found = sentence([*shared_finding(), *clean], Topic.LANES)
    assert not found.shared
    assert "3.00x" in found.text
    assert "four processes" not in found.text  # measured in profile shared only


def test_most_pairs_tell_most() -> None:
    rows = [
        one_process("msgrate", "thread", spread(1e6 / threads), threads=threads)
        for threads in (1, 8)
    ] + [result_row("msgrate", "process", steady(1e6 * threads), threads=threads) for threads in (1, 8)]  # fmt: skip
    assert "16 threads of one process reach 0.016x [0.015, 0.016] of the message rate of 16 processes" in (
        sentence(rows, Topic.THREADS).text
    )


def test_latency_compares_times() -> None:
    rows = [
        one_process("latency", "thread", spread(3.4)),
        one_process("latency", "threadcomm", spread(0.7)),
        one_process("latency", "endpoint-direct", spread(0.2)),
        result_row("latency", "process", steady(1.0)),
    ]
    found = sentence(rows, Topic.THREADS)
    assert found.text == (
        "On MPICH 5.0.2 two threads of one process reach 0.29x [0.29, 0.30] of the speed of two processes, 3.40 us "
        "against 1.00 us at 8 B; thread communicators reach 1.43x [1.39, 1.47]; endpoints reach 5.00x [4.85, 5.15]."
    )


def test_size_people_quote() -> None:
    rows = [
        row
        for size in (4096, 1 << 20, 8 << 20)
        for row in (
            one_process("bandwidth", "thread", spread(6000), bytes=size),
            result_row("bandwidth", "process", steady(10000), bytes=size),
        )
    ]
    assert "reach 0.60x [0.58, 0.62] of the bandwidth of two processes, 6.00 GB/s against 10.0 GB/s at 1 MiB" in (
        sentence(rows, Topic.THREADS).text
    )


def test_the_price_of_the_level() -> None:
    rows = [
        result_row("msgrate", "thread", spread(1.8e6)),
        result_row("msgrate", "process", steady(2.25e6)),
    ]
    found = sentence(rows, Topic.LEVEL)
    assert "one thread each under MPI_THREAD_MULTIPLE reach 0.80x [0.78, 0.82]" in found.text
    assert "two processes that called plain MPI_Init" in found.text


def test_several_threads_in_each_of_two_processes() -> None:
    rows = [
        suite_row("message_rate", variant, rate, spread=variant != "process", threads=2, placement=place, mode=mode)
        for place, mode, slow in (("netns", "published", 10), ("node", "windowed", 5), ("node", "published", 1))
        for variant, rate in (("process", 4e6 / slow), ("thread", 1e6 / slow / slow), ("lane", 3e6 / slow))
    ]
    found = sentence(rows, Topic.THREADS)
    assert found.text == (
        "On MPICH 5.0.2 two processes of two threads each reach 0.25x [0.24, 0.26] of the message rate of four "
        "processes, 1.00 M msg/s against 4.00 M msg/s at 0 B; lanes reach 0.75x [0.73, 0.77]."
    )
    elsewhere = sentence([row for row in rows if row.params["placement"] == "netns"], Topic.THREADS)
    assert "reach 0.025x [0.024, 0.026] of the message rate of four processes" in elsewhere.text
    alone = [msgspec.structs.replace(row, params=row.params | {"threads": 1}) for row in rows]
    assert [each.topic for each in verdict(alone)] == [Topic.NOTHING]


def test_the_price_of_the_level_where_nothing_else_differs() -> None:
    rows = [
        suite_row("thread_overhead", "process", value, spread=level != "single", level=level)
        for level, value in (("single", 1.0), ("funneled", 3.0), ("multiple", 1.5))
    ]
    assert sentence(rows, Topic.LEVEL).text == (
        "On MPICH 5.0.2 two processes that asked for MPI_THREAD_MULTIPLE and use one thread reach 0.67x [0.65, 0.69] "
        "of the speed of two that called plain MPI_Init, 1.50 us against 1.00 us at 8 B."
    )


def sparse(algorithm: str, value: float, ranks: int = 16, benchmark: str = "dsde_algorithms") -> ResultRow:
    return suite_row(
        benchmark, "process", value, spread=False, profile="shared", algorithm=algorithm, ranks=ranks, bytes=1024,
        pattern="random", placement="node",
    )  # fmt: skip


def test_sparse_exchanges_against_collectives() -> None:
    rows = [
        *(sparse(name, value) for name, value in (("native-alltoallv", 200.0), ("nbx", 250.0), ("auto", 50.0))),
        *(sparse(name, 9.0, ranks=4) for name in ("native-alltoallv", "auto")),
    ]
    said = sentence(rows, Topic.SPARSE).text
    assert "Raddle's sparse exchanges among 16 processes reach 4.00x" in said
    assert "the speed of MPI_Alltoall and MPI_Alltoallv" in said
    assert "those by its nonblocking census reach 0.80x" in said
    assert "profile shared" in said


def test_sparse_exchanges_that_nothing_can_be_held_against_are_passed_over() -> None:
    rows = [sparse("auto", 50.0), *(sparse(name, 9.0, ranks=4) for name in ("native-alltoallv", "auto"))]
    assert "among four processes" in sentence(rows, Topic.SPARSE).text
    assert [one.topic for one in verdict([sparse("auto", 50.0)])] == [Topic.NOTHING]


def partitioned(mechanism: str, value: float, size: int) -> ResultRow:
    return suite_row(
        "partitioned_bandwidth", "thread", value, spread=False, mechanism=mechanism, partition_bytes=size, direct="yes",
        order="linear", bytes=8 << 20, threads=1, placement="node",
    )  # fmt: skip


def test_partitioned_messages_against_the_mpis_own() -> None:
    rows = [
        partitioned(mechanism, value, size)
        for mechanism, value in (("psend", 4000.0), ("raddle-auto", 12000.0))
        for size in (512, 8192)
    ]
    said = sentence(rows, Topic.PARTITIONED).text
    assert "in partitions of 512 B reach 3.00x" in said
    assert "the bandwidth of the MPI's own" in said


def test_distance_to_the_limit() -> None:
    rows = [
        result_row("latency", "process", spread(0.95)),
        one_process("latency", "thread", spread(3.4)),
        one_process("latency", "physical", steady(0.19)),
        result_row("msgrate", "process", spread(2e6)),
        one_process("msgrate", "physical", steady(100e6)),
    ]
    rate, latency = (each for each in verdict(rows) if each.topic is Topic.LIMIT)
    assert rate.text == (
        "The best message rate of MPICH 5.0.2 for one pair at 8 B, 2.00 M msg/s (process, node), is "
        "0.020x [0.019, 0.021] that of physical (the same work without an MPI: 100 M msg/s)."
    )
    assert latency.text == (
        "The best latency of MPICH 5.0.2 for one pair at 8 B, 0.950 us (process, node), is "
        "5.00x [4.85, 5.15] that of physical (the same work without an MPI: 0.190 us)."
    )
    assert [row.variant for row in latency.rows] == ["process", "physical"]
    assert not [each for each in verdict(rows[:2]) if each.topic is Topic.LIMIT]


def test_nothing_to_compare() -> None:
    [only] = verdict([result_row("msgrate", "process", steady(1e6), mpi="openmpi")])
    assert only.topic is Topic.NOTHING
    assert only.text.startswith("On Open MPI 5.0.11 there is no verdict")
    assert (only.benchmark, only.rows) == ("", ())
    assert verdict([]) == []


def test_blocks_that_never_met() -> None:
    rows = [
        one_process("msgrate", "thread", [1e6], block_ids=[0]),
        result_row("msgrate", "process", [1e6], block_ids=[1]),
    ]
    found = sentence(rows, Topic.THREADS)
    assert found.ratio is None
    assert "no block measured both" in found.text


def test_spoiled_rows_are_not_trusted() -> None:
    rows = rates()
    rows[0].flags.append("one-cpu")
    assert sentence(rows, Topic.THREADS).text.endswith("It rests on rows flagged one-cpu: do not trust it.")


def test_order_and_names_of_mpis() -> None:
    rows = [row for mpi in ("openmpi", "intel", "mpich", "odd") for row in rates(mpi=mpi)]
    assert list(dict.fromkeys(each.mpi for each in verdict(rows))) == ["intel", "mpich", "odd", "openmpi"]
    named = verdict(rows, titles={"odd": "Odd MPI 3", "mpich": "MPICH here"})
    assert list(dict.fromkeys(each.mpi for each in named)) == ["odd", "mpich", "intel", "openmpi"]
    assert named[0].text.startswith("On Odd MPI 3 ")


@pytest.mark.parametrize("blocks", [1, 5, 6, 9])
@pytest.mark.parametrize("factor", [0.5, 1.0, 2.0])
def test_a_difference_is_claimed_only_when_shown(blocks: int, factor: float) -> None:
    """Whatever the data, the words agree with the interval."""
    rows = [
        one_process("msgrate", "thread", spread(factor * 1e6, blocks)),
        result_row("msgrate", "process", steady(1e6, blocks)),
    ]
    found, true = sentence(rows, Topic.THREADS), speed(*rows)
    assert true is not None
    assert found.ratio == true
    assert ("n too small" in found.text) == (true.interval is None)
    assert ("no difference in message rate is shown" in found.text) == (true.words == "no difference shown")
    assert (" reach " in found.text and " reach about " not in found.text) == true.shown
