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
from tests.report.suite import levels, suite_data, suite_row


def only(*rows: ResultRow) -> Expectation:
    [card] = cards(Data(list(rows)))
    [expectation] = card.expectations
    return expectation


def progress(speed: float, **keys: Any) -> list[ResultRow]:
    return [
        suite_row("message_rate", "process", 1e6, spread=False, **keys),
        suite_row("message_rate", "thread", 1e6 * speed, **keys),
    ]


def delayed(share: float, with_processes: float) -> list[ResultRow]:
    return [
        suite_row("short_long", "process", 1.0, extra={"delayed": with_processes}),
        suite_row("short_long", "thread", 1.0, extra={"delayed": share}),
    ]


def waiting(cpu: float) -> list[ResultRow]:
    return [suite_row("blocking_receive", "thread", cpu)]


@pytest.mark.parametrize(
    ("name", "rows", "judgement"),
    [
        # The interval is 3 % to either side, the limit 1.1.
        ("cost of thread safety", levels(1.0), Judgement.MET),
        ("cost of thread safety", levels(1.06), Judgement.MET),
        ("cost of thread safety", levels(1.1), Judgement.NOT_SHOWN),
        ("cost of thread safety", levels(1.15), Judgement.NOT_MET),
        ("concurrent progress", progress(0.9, threads=2), Judgement.MET),
        ("concurrent progress", progress(0.81, threads=2), Judgement.NOT_SHOWN),
        ("concurrent progress", progress(0.5, threads=2), Judgement.NOT_MET),
        # Delays are those that processes do not have.
        ("concurrent progress", delayed(0.2, 0.195), Judgement.MET),
        ("concurrent progress", delayed(0.0, 0.0), Judgement.MET),
        ("concurrent progress", delayed(0.05, 0.0), Judgement.NOT_MET),
        ("waiting without burning CPU", waiting(0.0), Judgement.MET),
        ("waiting without burning CPU", waiting(2.0), Judgement.MET),
        ("waiting without burning CPU", waiting(10.0), Judgement.NOT_SHOWN),
        ("waiting without burning CPU", waiting(99.5), Judgement.NOT_MET),
    ],
)
def test_an_expectation_is_judged_by_its_interval(name: str, rows: list[ResultRow], judgement: Judgement) -> None:
    found = only(*rows)
    assert (found.name, found.judgement) == (name, judgement)


def test_the_cost_is_told_as_a_ratio() -> None:
    for multiple in (1.0, 1.06, 1.1, 1.15):
        assert only(*levels(multiple)).measures[0].text.startswith(f"latency {multiple:.2f}x [")


def test_too_few_blocks_show_nothing() -> None:
    found = only(*levels(9.0, blocks=4))
    assert found.judgement is Judgement.NOT_SHOWN
    assert "about 8.86x (n too small: 4 blocks)" in found.measures[0].text


def test_one_flow_alone_says_nothing_about_concurrency() -> None:
    assert cards(Data(progress(0.1))) == []


def test_clean_rows_decide_where_there_are_any() -> None:
    crowded = progress(0.1, threads=4, profile="shared")
    assert only(*crowded).shared
    found = only(*progress(0.95, threads=2), *crowded)
    assert (found.judgement, found.shared) == (Judgement.MET, False)


def test_the_worst_of_several_measures_counts() -> None:
    found = only(*progress(0.95, threads=2), *delayed(0.05, 0.0))
    assert [measure.judgement for measure in found.measures] == [Judgement.MET, Judgement.NOT_MET]
    assert found.judgement is Judgement.NOT_MET


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
