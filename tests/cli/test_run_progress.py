# SPDX-License-Identifier: BSD-3-Clause
"""How long it takes, and how that is told."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from raddle.campaign.progress import RunProgress
from raddle.execute.outcome import Outcome
from raddle.plan.estimate import Estimate, default_time_limit, planned_seconds
from raddle.plan.schedule import Launch
from raddle.units import duration
from tests.cli import fakes

pytestmark = pytest.mark.timeout(60)


def launches(count: int = 4) -> list[Launch]:
    """Twins in as many blocks."""
    return [fakes.launch(f"b{number}-alpha-node-lane-x1", block=number) for number in range(count)]


def told(live: bool = False) -> tuple[RunProgress, io.StringIO]:
    """A progress and what it has printed."""
    text = io.StringIO()
    return RunProgress(Console(file=text, force_terminal=live, width=100)), text


def test_guess_becomes_knowledge() -> None:
    first, *rest = launches()
    other = fakes.launch("b0-beta-node-lane-x1")
    estimate = Estimate()
    assert estimate.expected(first) == planned_seconds(first)
    estimate.learn(first, 3 * planned_seconds(first))
    assert estimate.total(rest) == pytest.approx(3 * 3 * planned_seconds(first))
    # Another kind is as much slower than planned as those that are known.
    assert estimate.expected(other) == pytest.approx(3 * planned_seconds(other))


def test_one_slow_launch_does_not_spoil_the_estimate() -> None:
    estimate = Estimate()
    for one, seconds in zip(launches(5), (1.0, 1.1, 60.0, 0.9, 1.0), strict=True):
        estimate.learn(one, seconds)
    assert estimate.expected(launches()[0]) == 1.0


def test_nothing_is_taken_for_a_hang_too_early() -> None:
    assert default_time_limit(launches()[0]) > max(60.0, 5 * planned_seconds(launches()[0]))


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0.4, "0 s"), (59.4, "59 s"), (59.6, "1:00 min"), (125, "2:05 min"), (3599.6, "1:00 h"), (4200, "1:10 h")],
)
def test_duration(seconds: float, text: str) -> None:
    assert duration(seconds) == text


def test_plain_lines_count_launches() -> None:
    progress, text = told()
    with progress:
        progress.expect(launches(2))
        for one in launches(2):
            progress.begin(one)
            progress.row()
            progress.finish(one, Outcome(one.launch, seconds=1.0, ended=True))
    assert text.getvalue() == "2 of 2 launches done, 0 s left\n"
    assert not progress.ticking


def test_trouble_is_told_with_its_last_words_and_no_markup() -> None:
    progress, text = told()
    one = launches()[0]
    outcome = Outcome(one.launch, status=1, log=["[bold]not markup[/]", "[/] last"], was_at="msgrate lane bytes=8")
    progress.trouble(one, outcome)
    assert text.getvalue().splitlines() == [
        "b0-alpha-node-lane-x1 exited with status 1 while at msgrate lane bytes=8",
        "  [bold]not markup[/]",
        "  [/] last",
    ]


def test_terminal_shows_block_launch_and_time_left() -> None:
    progress, text = told(live=True)
    with progress:
        progress.expect(launches(3))
        progress.begin(launches(3)[1])
        progress.tick()
    assert "block 2/3  alpha-node-lane-x1  0/4 points" in text.getvalue()
    assert "s left" in text.getvalue()


def test_given_up_launches_take_no_time() -> None:
    progress, _ = told()
    progress.expect(launches(2))
    assert progress.seconds_left() == pytest.approx(2 * planned_seconds(launches()[0]))
    progress.skip(launches(2)[1])
    assert progress.seconds_left() == pytest.approx(planned_seconds(launches()[0]))
