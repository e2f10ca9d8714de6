# SPDX-License-Identifier: BSD-3-Clause
"""Which points are compared, and what is claimed about them."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from raddle.compare.points import Outcome, Point, compare
from raddle.compare.sides import Side
from raddle.errors import UserError
from tests.compare.runs import BACKWARDS, STEADY, after, before, compared, times
from tests.stats.builders import result_row


def one(a: list[float], b: list[float], benchmark: str = "msgrate") -> Point:
    (point,) = compared([result_row(benchmark, "thread", a)], [result_row(benchmark, "thread", b)]).points
    return point


@pytest.mark.parametrize(("benchmark", "ratio"), [("msgrate", 2.0), ("bandwidth", 2.0), ("latency", 0.5)])
def test_above_1_is_better_whatever_the_metric(benchmark: str, ratio: float) -> None:
    point = one(STEADY, times(2), benchmark)
    assert point.ratio is not None
    assert point.ratio.estimate == pytest.approx(ratio)
    assert point.outcome is (Outcome.BETTER if ratio > 1 else Outcome.WORSE)


def test_what_is_shown_comes_first_and_what_changed_most_leads() -> None:
    found = compared(before(), [*after(), result_row("bandwidth", "lane", times(9), bytes=1)])
    assert [(point.a.benchmark, point.a.variant, point.outcome) for point in found.points] == [
        ("latency", "thread", Outcome.WORSE),
        ("msgrate", "thread", Outcome.BETTER),
        ("latency", "process", Outcome.SAME),
        ("bandwidth", "lane", Outcome.TOO_SMALL),
    ]
    rates = [result_row("msgrate", "thread", STEADY, bytes=size) for size in (1, 2, 3)]
    now = [result_row("msgrate", "thread", times(factor), bytes=size) for size, factor in ((1, 2), (2, 9), (3, 3))]
    assert [point.a.params["bytes"] for point in compared(rates, now).points] == [2, 3, 1]


def test_points_of_one_side_are_kept() -> None:
    found = compared(before(), after())
    assert [row.variant for row in found.only_a] == ["threadcomm"]
    assert [row.variant for row in found.only_b] == ["lane"]


@pytest.mark.parametrize(
    "change", [{"bytes": 16}, {"threads": 2}, {"placement": "one-process"}, {"profile": "shared"}, {"mpi": "intel"}]
)
def test_other_work_is_not_compared(change: dict[str, object]) -> None:
    same = result_row("msgrate", "lane", STEADY)
    found = compared(
        [result_row("msgrate", "thread", STEADY), same], [result_row("msgrate", "thread", STEADY, **change), same]
    )
    assert [point.a.variant for point in found.points] == ["lane"]
    assert (len(found.only_a), len(found.only_b)) == (1, 1)


def test_two_mpis_of_one_run_are_paired_by_block() -> None:
    """1 % in every block is a difference, for blocks that were interleaved; for others it is not."""
    rows = [result_row("msgrate", "thread", STEADY), result_row("msgrate", "thread", times(1.01), mpi="intel")]
    run = Side(Path("run"), rows, None)
    paired = compare(run.of("mpich"), run.of("intel"))
    assert paired.paired
    assert [point.outcome for point in paired.points] == [Outcome.BETTER]
    other = compare(run.of("mpich"), Side(Path("other"), rows, None).of("intel"))
    assert not other.paired
    assert [point.outcome for point in other.points] == [Outcome.SAME]


def test_blocks_that_only_one_mpi_has_are_left_out_of_pairs() -> None:
    rows = [
        result_row("msgrate", "thread", STEADY),
        result_row("msgrate", "thread", STEADY[:6], mpi="intel", block_ids=[9, 8, 7, 6, 5, 4]),
        result_row("msgrate", "lane", STEADY),
        result_row("msgrate", "lane", STEADY, mpi="intel", block_ids=list(range(20, 29))),
    ]
    run = Side(Path("run"), rows, None)
    few, none = compare(run.of("mpich"), run.of("intel")).points
    assert few.ratio is not None
    assert (few.outcome, few.ratio.n) == (Outcome.TOO_SMALL, 5)
    assert (none.outcome, none.why) == (Outcome.NO_RATIO, "no block has both, above 0")


def test_units_that_differ_and_zeros_are_told() -> None:
    row = result_row("latency", "thread", STEADY)
    (point,) = compared([row], [msgspec.structs.replace(row, unit="ms")]).points
    assert point.outcome is Outcome.NO_RATIO
    assert point.why == "us, lower is better, against ms, lower is better"
    assert one(STEADY, [0.0, *STEADY]).why == "a value is not positive"


def test_nothing_in_common_is_an_error_that_says_what_there_is() -> None:
    with pytest.raises(UserError, match="no point in common") as caught:
        compared([result_row("msgrate", "thread", STEADY)], [result_row("latency", "lane", STEADY, mpi="intel")])
    assert caught.value.hint == "A holds msgrate; thread; mpich; clean; B holds latency; lane; intel; clean."


@pytest.mark.parametrize(
    ("factor", "percent", "fails"),
    [(0.8, 10, True), (0.8, 19, False), (0.8, 20, False), (0.8, 0, True), (1.2, 0, False), (1.0, 0, False)],
)
def test_a_limit_is_passed_only_by_the_whole_interval(factor: float, percent: float, fails: bool) -> None:
    assert one(STEADY, times(factor, BACKWARDS)).worse_by(percent) is fails


def test_what_has_no_interval_cannot_fail() -> None:
    assert not one(STEADY[:3], times(0.1, STEADY[:3])).worse_by(0)
