# SPDX-License-Identifier: BSD-3-Clause
"""The right row stands on the other side of a ratio."""

from __future__ import annotations

import pytest

from raddle.judge.points import PointIndex, ratio, speed
from raddle.model import ResultRow
from tests.stats.builders import result_row

NINE = [1.0] * 9


def test_counterparts_differ_in_variant_and_processes_only() -> None:
    thread = result_row("msgrate", "thread", NINE, threads=2, processes=2)
    process = result_row("msgrate", "process", NINE, threads=2, processes=4)
    near_misses = [
        result_row("msgrate", "process", NINE, threads=2, processes=4, bytes=16),
        result_row("msgrate", "process", NINE, threads=4, processes=8),
        result_row("msgrate", "process", NINE, threads=2, processes=4, mpi="intel"),
        result_row("msgrate", "process", NINE, threads=2, processes=4, profile="shared"),
        result_row("latency", "process", NINE, threads=2, processes=4),
        result_row("msgrate", "process", NINE, threads=2, processes=4, window=1),
    ]
    index = PointIndex([*near_misses, thread, process])
    assert index.counterpart(thread, "process") is process
    assert index.counterpart(process, "thread") is thread
    assert PointIndex([*near_misses, thread]).counterpart(thread, "process") is None
    assert index.counterpart(thread, "lane") is None


def test_a_pair_in_one_process_finds_its_processes_in_the_node() -> None:
    thread = result_row("latency", "thread", NINE, placement="one-process", processes=1)
    process = result_row("latency", "process", NINE)
    index = PointIndex([thread, process])
    assert index.counterpart(thread, "process") is None
    assert index.counterpart(thread, "process", "node") is process


def test_the_limit_is_that_of_as_many_pairs_with_a_cpu_each() -> None:
    def limit(**keys: int) -> ResultRow:
        return result_row("msgrate", "physical", NINE, placement="one-process", processes=1, **keys)

    one, two, large = limit(threads=1), limit(threads=2), limit(threads=1, bytes=1024)
    index = PointIndex([one, two, large])
    assert index.physical(result_row("msgrate", "thread", NINE)) is one
    assert index.physical(result_row("msgrate", "thread", NINE, threads=2)) is two
    assert index.physical(result_row("msgrate", "thread", NINE, threads=2, profile="shared")) is None
    assert index.physical(result_row("msgrate", "thread", NINE, bytes=1024)) is large
    assert index.physical(result_row("msgrate", "thread", NINE, bytes=1024, threads=3)) is None
    assert index.physical(result_row("msgrate", "thread", NINE, bytes=9)) is None
    assert index.physical(result_row("latency", "thread", NINE)) is None


def test_among_limits_the_one_that_agrees_most() -> None:
    wide, narrow = (result_row("msgrate", "physical", NINE, window=window) for window in (64, 1))
    index = PointIndex([wide, narrow])
    assert index.physical(result_row("msgrate", "thread", NINE, window=1)) is narrow
    assert index.physical(result_row("msgrate", "thread", NINE, window=64)) is wide


def test_ratio_is_as_measured_and_speed_as_meant() -> None:
    slow, fast = result_row("latency", "thread", [4.0] * 9), result_row("latency", "process", [1.0] * 9)
    as_measured, meant = ratio(slow, fast), speed(slow, fast)
    assert as_measured
    assert meant
    assert (as_measured.estimate, meant.estimate) == (4, 0.25)
    more, less = result_row("msgrate", "thread", [4.0] * 9), result_row("msgrate", "process", [1.0] * 9)
    assert speed(more, less) == ratio(more, less)


def test_ratio_pairs_blocks_by_id() -> None:
    a = result_row("latency", "thread", [2.0, 30.0, 2.0], block_ids=[0, 2, 1])
    b = result_row("latency", "process", [1.0, 1.0, 10.0], block_ids=[0, 1, 2])
    found = ratio(a, b)
    assert found is not None
    assert (round(found.estimate, 9), found.n) == (2.0, 3)  # 2, 2 and 3


def test_no_ratio_of_different_units() -> None:
    with pytest.raises(ValueError, match="us"):
        ratio(result_row("latency", "thread", NINE), result_row("msgrate", "thread", NINE))
