# SPDX-License-Identifier: BSD-3-Clause
"""The page in a real browser with the network off: plots are there, nothing is fetched, both themes and phones work."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from matplotlib.image import imread

from raddle.report.data import Data
from raddle.report.figures import figures
from raddle.report.figures.model import Figure
from raddle.report.html import render
from tests.report.browser import Show
from tests.report.dsde import sparse_data
from tests.report.endpoints import endpoints_data
from tests.report.partitioned import partitioned_data
from tests.report.suite import suite_data

PLOTS = """
[...document.querySelectorAll("section.figure")].map((section) => ({
  name: section.dataset.name,
  expected: Number(section.dataset.panels),
  plots: [...section.querySelectorAll("svg.plot")].map((svg) => ({
    width: svg.getBoundingClientRect().width,
    height: svg.getBoundingClientRect().height,
    label: document.getElementById(svg.getAttribute("aria-labelledby").split(" ")[0]).textContent,
    series: [...svg.querySelectorAll(".series")].map((series) => ({
      box: series.getBoundingClientRect().width + series.getBoundingClientRect().height,
      shapes: [...series.querySelectorAll("path, use")].filter((each) =>
        each.tagName === "use" ? document.querySelector(each.getAttribute("href")) : each.getAttribute("d").length > 5
      ).length,
    })),
  })),
}))
"""
# Every page, one after another.
ALL = "document.documentElement.classList.remove('paged')"
DUPLICATES = """
(() => {
  const ids = [...document.querySelectorAll("[id]")].map((each) => each.id);
  return ids.filter((id, place) => ids.indexOf(id) !== place);
})()
"""
BROKEN_LINKS = """
[...document.querySelectorAll("a[href^='#'], use")].map((each) => each.getAttribute("href"))
  .filter((link) => !document.getElementById(link.slice(1)))
"""
FRONTS = ".scroll:has(> table.front)"
FITS = "(each) => each.scrollWidth <= each.clientWidth"
FIRST = """(each) => [...each.querySelectorAll('td:nth-child(2)')].every((cell) =>
  cell.getBoundingClientRect().right <= each.getBoundingClientRect().right + 1)"""
STROKE = """getComputedStyle(document.querySelector("#latency .series[data-variant='process'] path")).stroke"""
BACKGROUND = "getComputedStyle(document.body).backgroundColor"


def test_every_plot_is_drawn(show: Show, drawn: list[Figure]) -> None:
    one = show()
    one.evaluate(ALL)
    found: list[dict[str, Any]] = one.evaluate(PLOTS)
    figures_by_name = {figure.name: figure for figure in drawn}
    assert len(found) == len(drawn)
    for section in found:
        figure = figures_by_name[section["name"]]
        assert len(section["plots"]) == section["expected"] == len(figure.panels), section["name"]
        for plot in section["plots"]:
            assert plot["width"] > 250, section["name"]
            assert plot["height"] > 100, section["name"]
            assert plot["label"].startswith(figure.heading)
            assert plot["series"], f"nothing drawn in {plot['label']}"
            assert all(series["box"] > 0 and series["shapes"] > 0 for series in plot["series"]), plot["label"]


@cache
def rendered(made: Callable[[], Data]) -> tuple[str, list[Figure]]:
    drawn = figures(data := made())
    return render(data, drawn), drawn


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("made", [suite_data, endpoints_data, partitioned_data, sparse_data])
def test_the_page_of_a_suite_fits_and_shows(show: Show, made: Callable[[], Data], width: int, dark: bool) -> None:
    text, drawn = rendered(made)
    one = show(text, width=width, dark=dark)
    assert one.complaints == []
    one.evaluate(ALL)
    assert one.evaluate("document.documentElement.scrollWidth") <= width
    found: list[dict[str, Any]] = one.evaluate(PLOTS)
    assert sorted((section["name"], len(section["plots"])) for section in found) == sorted(
        (each.name, len(each.panels)) for each in drawn
    )
    for plot in (plot for section in found for plot in section["plots"]):
        assert all(series["shapes"] > 0 for series in plot["series"]), plot["label"]
    assert one.evaluate(DUPLICATES) == []
    assert one.evaluate(BROKEN_LINKS) == []
    assert one.evaluate("[...document.querySelectorAll('table.front')].every((each) => each.offsetHeight > 60)")


def test_the_tables_of_sparse_exchange_fit_or_show_that_they_go_on(show: Show) -> None:
    text, _ = rendered(sparse_data)
    one = show(text)
    one.evaluate(ALL)
    assert one.evaluate(f"[...document.querySelectorAll('#dsde_census {FRONTS}')].every({FITS})")
    one = show(text, width=390)
    one.evaluate(ALL)
    # The first number of each line is there, whole.
    assert one.evaluate(f"[...document.querySelectorAll('#dsde_algorithms {FRONTS}')].every({FIRST})")
    edge = "getComputedStyle(document.querySelector('#dsde_algorithms .scroll')).backgroundAttachment"
    assert "scroll" in one.evaluate(edge)


def test_nothing_is_fetched_and_nothing_complains(show: Show) -> None:
    one = show()
    outside = [url for url in one.requests if not url.startswith(("file:", "data:"))]
    assert outside == []
    assert sum(url.startswith("file:") for url in one.requests) == 1
    assert one.complaints == []


def test_ids_are_unique_and_links_lead_somewhere(show: Show) -> None:
    one = show()
    assert one.evaluate(DUPLICATES) == []
    assert one.evaluate(BROKEN_LINKS) == []


@pytest.mark.parametrize("width", [390, 768, 1280])
@pytest.mark.parametrize("dark", [False, True])
def test_it_fits_and_shows_at_every_width_and_in_both_themes(
    show: Show, tmp_path: Path, width: int, dark: bool
) -> None:
    one = show(width=width, dark=dark)
    one.evaluate(ALL)
    assert one.evaluate("document.documentElement.scrollWidth") <= width
    assert one.evaluate("document.documentElement.scrollHeight") > 3000
    picture = imread(one.screenshot(tmp_path / "page.png", height=2500))
    assert picture.shape[1] == width
    brightness = picture[..., :3].mean()
    assert (brightness < 0.35) if dark else (brightness > 0.8)
    assert picture[..., :3].std() > 0.02


def test_the_button_switches_the_theme(show: Show) -> None:
    one = show()
    before = one.evaluate(BACKGROUND), one.evaluate(STROKE)
    one.evaluate("document.getElementById('theme').click()")
    after = one.evaluate(BACKGROUND), one.evaluate(STROKE)
    assert before[0] != after[0]
    assert before[1] != after[1]
    one.evaluate("document.getElementById('theme').click()")
    assert (one.evaluate(BACKGROUND), one.evaluate(STROKE)) == before


def test_a_hostile_page_runs_nothing(hostile_page: str, show: Show) -> None:
    one = show(hostile_page)
    assert one.evaluate("typeof window.pwned") == "undefined"
    assert one.evaluate("document.querySelectorAll('script').length") == 1
    assert one.evaluate("document.querySelectorAll('img, iframe, object, embed, link[rel=stylesheet]').length") == 0
    assert one.complaints == []
    assert [url for url in one.requests if not url.startswith(("file:", "data:"))] == []
