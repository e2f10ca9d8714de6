# SPDX-License-Identifier: BSD-3-Clause
"""From lines to rows: nothing measured is lost, blocks carry the interval, flags are gathered."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from raddle.model import RowLine
from raddle.results.launch_log import Launch
from raddle.results.merge import merge
from raddle.stats.order import median_interval
from tests.stats.builders import launch_lines, merge_lines, row_line


def test_blocks_carry_median_and_interval() -> None:
    lines: list[str] = []
    for block in range(9):
        samples = [10.0 + block, 20.0 + block, 1000.0]
        lines += launch_lines(f"b{block}", [row_line(f"b{block}", block, samples)])
    [row] = merge_lines(lines)
    assert row.blocks == [20.0 + block for block in range(9)]
    assert row.median == 24
    assert row.ci95 == (21, 27)  # ranks 2 and 8 of 9
    assert row.block_ids == list(range(9))
    assert row.block_sizes == [3] * 9
    assert len(row.samples) == 27
    assert row.samples[:4] == [10, 20, 1000, 11]
    assert (row.min, row.max, row.p50) == (10, 1000, 24)
    assert row.launches == [f"b{block}" for block in range(9)]
    assert (row.mpi, row.mpi_version, row.profile) == ("mpich", "5.0.2", "clean")
    assert "n-too-small" not in row.flags


def test_outliers_are_counted_and_kept() -> None:
    [row] = merge_lines(launch_lines("a", [row_line("a", 0, [1.0, 2.0, 3.0, 2.0, 1.0, 500.0])]))
    assert row.outliers == 1
    assert 500.0 in row.samples
    assert (row.mad, row.median) == (0.5 + 0.5, 2.0)


def test_points_are_told_apart() -> None:
    rows = [row_line("a", 0, [1.0]), row_line("a", 0, [1.0], variant="lane"), row_line("a", 0, [1.0], metric="other")]
    rows.append(row_line("a", 0, [1.0], params={"bytes": 16}))
    lines = launch_lines("a", rows) + launch_lines("b", [row_line("b", 0, [1.0])], profile="shared")
    lines += launch_lines("c", [row_line("c", 0, [1.0])], mpi="intel")
    assert len(merge_lines(lines)) == 6


def test_order_of_params_does_not_matter() -> None:
    a = row_line("a", 0, [1.0], params={"bytes": 8, "threads": 2})
    b = row_line("b", 1, [1.0], params={"threads": 2, "bytes": 8})
    assert len(merge_lines(launch_lines("a", [a]) + launch_lines("b", [b]))) == 1


def test_points_missing_in_some_blocks() -> None:
    lines: list[str] = []
    for block in range(8):
        rows = [row_line(f"b{block}", block, [1.0 + block])]
        if block % 2:
            rows.append(row_line(f"b{block}", block, [5.0], variant="lane"))
        lines += launch_lines(f"b{block}", rows)
    thread, lane = merge_lines(lines)
    assert thread.ci95 is not None
    assert lane.block_ids == [1, 3, 5, 7]
    assert lane.ci95 is None
    assert "n-too-small" in lane.flags


def test_a_launch_that_died_keeps_its_rows() -> None:
    lines = launch_lines("a", [row_line("a", 0, [1.0])])[:3] + launch_lines("b", [row_line("b", 1, [2.0])])
    [row] = merge_lines([*lines[:-1], lines[-1][:20]])
    assert row.samples == [1.0, 2.0]
    assert "launch-died" in row.flags
    [good] = merge_lines(launch_lines("b", [row_line("b", 1, [2.0])]))
    assert "launch-died" not in good.flags


def test_a_repetition_after_resume_is_pooled_into_its_block() -> None:
    died = launch_lines("a", [row_line("a", 0, [1.0, 3.0])])[:3]
    other = launch_lines("b", [row_line("b", 1, [9.0])])
    again = launch_lines("a", [row_line("a", 0, [2.0])])
    [row] = merge_lines(died + other + again)
    assert row.samples == [1.0, 3.0, 2.0, 9.0]  # block after block
    assert (row.block_ids, row.block_sizes, row.blocks) == ([0, 1], [3, 1], [2.0, 9.0])
    assert row.launches == ["a", "b"]


def test_autocorrelation_is_per_launch() -> None:
    """Launches at different levels are not a correlated series; their samples are."""
    rng = np.random.default_rng(20261121)
    lines: list[str] = []
    drift: list[str] = []
    for block in range(7):
        level = 100.0 * (block + 1)
        lines += launch_lines(f"b{block}", [row_line(f"b{block}", block, (level + rng.normal(size=200)).tolist())])
        walk = (level + np.cumsum(rng.normal(size=200))).tolist()
        drift += launch_lines(f"b{block}", [row_line(f"b{block}", block, walk)])
    [row] = merge_lines(lines)
    assert row.autocorrelation == pytest.approx(0, abs=0.1)
    assert "autocorrelated" not in row.flags
    [walk_row] = merge_lines(drift)
    assert walk_row.autocorrelation is not None
    assert walk_row.autocorrelation > 0.8
    assert "autocorrelated" in walk_row.flags
    assert walk_row.ci95 == median_interval(walk_row.blocks)  # over blocks all the same


def test_one_sample_has_no_autocorrelation() -> None:
    [row] = merge_lines(launch_lines("a", [row_line("a", 0, [1.0])]))
    assert row.autocorrelation is None
    assert (row.mad, row.outliers, row.p99) == (0, 0, 1)


def test_extras() -> None:
    a = row_line(
        "a", 0, [1.0, 2.0], extra={"flow_rate": [10, 20], "depth": 3, "how": "x", "odd": "p"}, validated_bytes=5
    )
    b = row_line("b", 1, [3.0], extra={"flow_rate": [30], "depth": 4, "how": "x", "odd": "q"}, validated_bytes=6)
    [row] = merge_lines(launch_lines("a", [a | {"iterations": 7}]) + launch_lines("b", [b | {"iterations": 9}]))
    assert row.extra["flow_rate"] == [10, 20, 30]
    assert (row.extra["depth"], row.extra["how"]) == (3.5, "x")
    assert "odd" not in row.extra
    assert (row.extra["iterations"], row.extra["validated_bytes"]) == (7, 11)


def test_mixed_versions() -> None:
    lines = launch_lines("a", [row_line("a", 0, [1.0])])
    lines += launch_lines("b", [row_line("b", 1, [1.0])], library_version="MPICH Version: 5.0.3")
    [row] = merge_lines(lines)
    assert row.mpi_version == "5.0.2 and 5.0.3"
    assert "mixed-versions" in row.flags


def test_nothing() -> None:
    assert merge([]) == []
    assert merge_lines(["", "chatter"]) == []


sample_lists = st.lists(st.floats(min_value=1e-3, max_value=1e9), min_size=1, max_size=20)


@given(st.lists(st.tuples(st.integers(0, 9), sample_lists), min_size=1, max_size=12))
def test_no_sample_is_lost(parts: list[tuple[int, list[float]]]) -> None:
    described: dict[str, Any] = {"metric": "rate", "unit": "msg/s", "better": "higher", "params": {}}
    launches = [
        Launch(
            f"l{i}",
            rows=[RowLine(launch=f"l{i}", block=block, benchmark="x", variant="y", samples=samples, **described)],
        )
        for i, (block, samples) in enumerate(parts)
    ]
    [row] = merge(launches)
    assert sorted(row.samples) == sorted(x for _, samples in parts for x in samples)
    assert len(row.block_ids) == len(set(row.block_ids)) == len(row.blocks)
    assert sum(row.block_sizes) == len(row.samples)
    position = 0
    for block, size, middle in zip(row.block_ids, row.block_sizes, row.blocks, strict=True):
        part = row.samples[position : position + size]
        assert sorted(part) == sorted(x for b, samples in parts if b == block for x in samples)
        assert middle == pytest.approx(float(np.median(part)))
        position += size
