# SPDX-License-Identifier: BSD-3-Clause
"""What holds for the figures of every suite: pages in order, everything drawn, tables whole, all of it written."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import pytest

from raddle.catalogue import catalogue
from raddle.report.data import Data
from raddle.report.draw import figure_files
from raddle.report.figures import PAGES, TOLD, figures
from raddle.report.figures.model import Figure
from raddle.report.figures.page import Page
from raddle.report.html import render
from tests.report.dsde import sparse_data
from tests.report.endpoints import endpoints_data
from tests.report.looks import check_whole, printed
from tests.report.partitioned import partitioned_data
from tests.report.suite import suite_data

pytestmark = pytest.mark.timeout(120)

MADE = {
    "thakur-gropp": suite_data, "endpoints-evaluation": endpoints_data, "partitioned": partitioned_data,
    "dsde": sparse_data,
}  # fmt: skip
NAMES = {
    "thakur-gropp": [
        "t1-thread-overhead", "t2-concurrent-bandwidth", "t3-concurrent-latency", "t4-message-rate", "t5-short-long",
        "t6-overlap", "t7-concurrent-collectives", "t8-collective-compute", "blocking-receive", "liveness",
        "distributions",
    ],
    "endpoints-evaluation": [
        "endpoints", "e1-overhead", "e2-throughput", "e3-fft-exchange", "distance-to-physical", "distributions",
    ],
    "partitioned": ["p1-partitioned-bandwidth", "p2-partitioned-tail", "p3-partitioned-ready", "distributions"],
    "dsde": ["s1-dsde-census", "s2-dsde-algorithms", "s3-dsde-choice", "s4-dsde-endpoints", "distributions"],
}  # fmt: skip


@cache
def drawn(made: Callable[[], Data]) -> list[Figure]:
    return figures(made())


@pytest.mark.parametrize("suite", MADE)
def test_pages_stand_in_the_order_of_their_suite(suite: str) -> None:
    found = drawn(MADE[suite])
    assert [figure.name for figure in found] == NAMES[suite]
    own = [name for figure in found if not figure.across for name in figure.benchmarks]
    measured = {row.benchmark for row in MADE[suite]().rows}
    assert list(dict.fromkeys(own)) == [name for name in catalogue().suites[suite].benchmarks if name in measured]


def test_a_page_has_the_number_of_its_benchmark_in_its_suite() -> None:
    for suite, letter in (("endpoints-evaluation", "e"), ("partitioned", "p")):
        names = catalogue().suites[suite].benchmarks
        pages = [page for page in PAGES if isinstance(page, Page) and page.benchmarks[0] in names]
        assert [page.benchmarks for page in pages] == [[name] for name in names]
        for number, page in enumerate(pages, start=1):
            assert page.name.startswith(f"{letter}{number}-")
            assert page.heading.startswith(f"{letter.upper()}{number}. ")
            assert page.build(Data([])) is None
    suites = catalogue().suites
    assert {name for suite in MADE for name in suites[suite].benchmarks} | {"tutorial"} == TOLD


@pytest.mark.parametrize("suite", MADE)
def test_every_panel_draws_something_and_every_table_is_whole(suite: str) -> None:
    check_whole(drawn(MADE[suite]))


@pytest.mark.parametrize("suite", MADE)
def test_all_of_it_can_be_drawn_and_read(suite: str) -> None:
    data, found = MADE[suite](), drawn(MADE[suite])
    for figure in found:
        if figure.panels and not figure.across:
            assert set(figure_files(figure)) == {f"{figure.name}.svg", f"{figure.name}.png"}
    text = render(data, found)
    assert all(f'id="figure-{figure.name}"' in text for figure in found)
    for words in {"dsde": ["auto on endpoints"], "partitioned": ["raddle-auto, in messages"] * 4}.get(suite, []):
        assert words in text
        text = text.replace(words, "", 1)
    assert printed(data)
