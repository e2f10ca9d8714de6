# SPDX-License-Identifier: BSD-3-Clause
"""The paper's three expectations: each judged by an interval, by nothing else, and told wherever results are."""

from __future__ import annotations

from typing import Any

import pytest
from rich.cells import cell_len

from raddle.model import ResultRow
from raddle.report.data import Data
from raddle.report.expectations import RULES, Expectation, Judgement, cards, counted
from raddle.report.figures import figures
from raddle.report.html import render
from tests.report.looks import printed
from tests.report.suite import suite_data, suite_row


def only(*rows: ResultRow) -> Expectation:
    [card] = cards(Data(list(rows)))
    [expectation] = card.expectations
    return expectation


def cost(multiple: float, **keys: Any) -> Expectation:
    return only(
        suite_row("thread_overhead", "process", 1.0, spread=False, level="single", **keys),
        suite_row("thread_overhead", "process", multiple, level="multiple", **keys),
    )


@pytest.mark.parametrize(
    ("multiple", "judgement"),
    # The interval is 3 % to either side, the limit 1.1.
    [(1.0, Judgement.MET), (1.06, Judgement.MET), (1.1, Judgement.NOT_SHOWN), (1.15, Judgement.NOT_MET)],
)
def test_the_cost_of_thread_safety(multiple: float, judgement: Judgement) -> None:
    found = cost(multiple)
    assert (found.name, found.judgement) == ("cost of thread safety", judgement)
    assert found.measures[0].text.startswith(f"latency {multiple:.2f}x [")


def test_too_few_blocks_show_nothing() -> None:
    found = cost(9.0, blocks=4)
    assert found.judgement is Judgement.NOT_SHOWN
    assert "about 8.86x (n too small: 4 blocks)" in found.measures[0].text


def progress(speed: float, **keys: Any) -> list[ResultRow]:
    return [
        suite_row("message_rate", "process", 1e6, spread=False, **keys),
        suite_row("message_rate", "thread", 1e6 * speed, **keys),
    ]


def test_one_flow_alone_says_nothing_about_concurrency() -> None:
    assert cards(Data(progress(0.1))) == []


@pytest.mark.parametrize(
    ("speed", "judgement"), [(0.9, Judgement.MET), (0.81, Judgement.NOT_SHOWN), (0.5, Judgement.NOT_MET)]
)
def test_concurrent_progress(speed: float, judgement: Judgement) -> None:
    assert only(*progress(speed, threads=2)).judgement is judgement


def test_clean_rows_decide_where_there_are_any() -> None:
    crowded = progress(0.1, threads=4, profile="shared")
    assert only(*crowded).shared
    found = only(*progress(0.95, threads=2), *crowded)
    assert (found.judgement, found.shared) == (Judgement.MET, False)


def delayed(share: float, with_processes: float) -> list[ResultRow]:
    return [
        suite_row("short_long", "process", 1.0, extra={"delayed": with_processes}),
        suite_row("short_long", "thread", 1.0, extra={"delayed": share}),
    ]


@pytest.mark.parametrize(
    ("share", "with_processes", "judgement"),
    [(0.2, 0.195, Judgement.MET), (0.0, 0.0, Judgement.MET), (0.05, 0.0, Judgement.NOT_MET)],
)
def test_delays_are_those_that_processes_do_not_have(share: float, with_processes: float, judgement: Judgement) -> None:
    assert only(*delayed(share, with_processes)).judgement is judgement


def test_the_worst_of_several_measures_counts() -> None:
    found = only(*progress(0.95, threads=2), *delayed(0.05, 0.0))
    assert [measure.judgement for measure in found.measures] == [Judgement.MET, Judgement.NOT_MET]
    assert found.judgement is Judgement.NOT_MET


@pytest.mark.parametrize(
    ("cpu", "judgement"),
    [(0.0, Judgement.MET), (2.0, Judgement.MET), (10.0, Judgement.NOT_SHOWN), (99.5, Judgement.NOT_MET)],
)
def test_waiting(cpu: float, judgement: Judgement) -> None:
    found = only(suite_row("blocking_receive", "thread", cpu))
    assert (found.name, found.judgement) == ("waiting without burning CPU", judgement)


def test_nothing_is_expected_of_what_was_not_measured() -> None:
    data = Data([suite_row("liveness", "thread", 1.0)])
    assert cards(data) == []
    assert 'id="expectations"' not in render(data, figures(data))


def test_they_are_on_the_page_and_in_the_terminal() -> None:
    data = suite_data()
    page = render(data, [])
    assert 'id="expectations"' in page
    assert f"<h3>{counted(cards(data))}</h3>" in page
    assert counted(cards(data)) == "Of 9 expectations 1 met, 8 not met"
    lines = printed(data)
    assert max(map(cell_len, lines)) <= 80
    assert sum(line.startswith("  not met   ") for line in lines) == 8
    assert sum(line.startswith("  met       ") for line in lines) == 1
    assert all(rule.split()[0] in page for rule in RULES.values())
