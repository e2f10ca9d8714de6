# SPDX-License-Identifier: BSD-3-Clause
"""One made-up run, measured and reported once for all tests, and one browser to look at it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from raddle.report.data import Data
from raddle.report.figures import figures
from raddle.report.figures.model import Figure
from raddle.report.html import render
from raddle.report.load import load
from tests.report.browser import NAMES, Browser, Show, browser, find
from tests.report.hostile import hostile_run
from tests.report.suite import suite_data
from tests.report.synthetic import Recipe, write_run

SMALL = [0, 8, 4096, 1048576]


@pytest.fixture(scope="session")
def directory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A whole run with three MPIs, all variants and both profiles."""
    return write_run(tmp_path_factory.mktemp("run"), Recipe(blocks=9, samples=12, sizes=SMALL))


@pytest.fixture(scope="session")
def data(directory: Path) -> Data:
    return load(directory)


@pytest.fixture(scope="session")
def few(tmp_path_factory: pytest.TempPathFactory) -> Data:
    """A run of so few blocks that nothing has an interval."""
    return load(write_run(tmp_path_factory.mktemp("few"), Recipe(blocks=3, samples=8, sizes=SMALL)))


@pytest.fixture(scope="session")
def drawn(data: Data) -> list[Figure]:
    return figures(data)


@pytest.fixture(scope="session")
def page(data: Data, drawn: list[Figure]) -> str:
    return render(data, drawn)


@pytest.fixture(scope="session")
def hostile_page(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The page of a run full of hostile strings."""
    spoiled = load(hostile_run(tmp_path_factory.mktemp("hostile")))
    return render(spoiled, figures(spoiled))


@pytest.fixture(scope="session")
def suite() -> Data:
    """The Thakur-Gropp suite on three MPIs."""
    return suite_data()


@pytest.fixture(scope="session")
def shown(page: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Browser, Path]]:
    """A browser, and the folder with the run's page for it."""
    executable = find()
    if executable is None:
        reason = f"NO BROWSER: the report was not rendered (looked for {', '.join(NAMES)})"
        if os.environ.get("CI") == "true":
            pytest.fail(reason)
        pytest.skip(reason)
    folder = tmp_path_factory.mktemp("browser")
    (folder / "report.html").write_text(page, encoding="utf-8")
    with browser(executable, folder / "profile") as one:
        yield one, folder


@pytest.fixture
def show(shown: tuple[Browser, Path]) -> Show:
    """Opens the run's page, or that of a text, in a window of some width: nothing fetched or complained of before."""
    browser, folder = shown

    def opened(text: str = "", *, width: int = 1280, dark: bool = False) -> Browser:
        (folder / "other.html").write_text(text, encoding="utf-8")
        browser.requests.clear()
        browser.complaints.clear()
        browser.open(folder / ("other.html" if text else "report.html"), width=width, dark=dark)
        return browser

    return opened
