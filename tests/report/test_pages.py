# SPDX-License-Identifier: BSD-3-Clause
"""The pages within the report, as a reader uses them: addresses, keys, back, paper, without a script, by eye."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from raddle.report.data import Data
from raddle.report.figures.model import Figure
from raddle.report.pages import pages
from tests.report.browser import Browser, Show

SHOWN = "[...document.querySelectorAll('.page')].filter((page) => page.offsetHeight).map((page) => page.id)"
ALL = "[...document.querySelectorAll('.page')].map((page) => page.id)"
FOCUS = "document.activeElement.getAttribute('href') ?? document.activeElement.id"
WIDE = """
[...document.querySelectorAll(".page")].map((page) => page.id).filter((id) => {
  location.hash = id;
  for (const each of document.querySelectorAll(".page")) each.classList.toggle("current", each.id === id);
  return document.documentElement.scrollWidth > innerWidth;
})
"""
# Text whose colour differs too little from what lies behind it: [colour, background, contrast, text].
FAINT = """
(() => {
  const parse = (css) => {
    const n = css.match(/[\\d.e-]+/g).map(Number), unit = css.startsWith("color(") ? 255 : 1;
    return [n[0] * unit, n[1] * unit, n[2] * unit, n[3] ?? 1];
  };
  const over = (a, b) => [0, 1, 2].map((i) => a[i] * a[3] + b[i] * (1 - a[3])).concat(1);
  const behind = (element) => {
    const layers = [];
    for (let at = element; at; at = at.parentElement) layers.push(parse(getComputedStyle(at).backgroundColor));
    return layers.reverse().reduce((below, layer) => over(layer, below), [255, 255, 255, 1]);
  };
  const light = (c) => {
    const [r, g, b] = c.slice(0, 3).map((v) => (v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const faint = {};
  for (const element of document.querySelectorAll("body *:not(svg, svg *, script, option)")) {
    const text = [...element.childNodes].filter((node) => node.nodeType === 3).map((node) => node.data).join("").trim();
    if (!text || !element.offsetHeight) continue;
    const ground = behind(element), color = over(parse(getComputedStyle(element).color), ground);
    const [dark, bright] = [light(color), light(ground)].sort((a, b) => a - b);
    const contrast = (bright + 0.05) / (dark + 0.05);
    if (contrast < 4.5) faint[`${color} on ${ground}`] = [contrast, element.className, text.slice(0, 30)];
  }
  return Object.entries(faint);
})()
"""


@pytest.fixture
def one(show: Show) -> Iterator[Browser]:
    browser = show()
    yield browser
    assert browser.complaints == []


def go(one: Browser, address: str) -> None:
    one.evaluate(f"location.hash = '{address}'")
    one.settle()


def test_a_page_for_each_benchmark_with_all_its_figures(data: Data, drawn: list[Figure]) -> None:
    found = pages(data, drawn)
    assert [page.anchor for page in found[:3]] == ["msgrate", "latency", "bandwidth"]
    assert sorted(figure.name for page in found for figure in page.figures) == sorted(figure.name for figure in drawn)
    assert all(page.parts and page.said and page.notices for page in found[:3])
    assert [page.anchor for page in found[3:]] == [figure.name for figure in drawn if figure.across]


def test_one_page_at_a_time_with_its_own_address_and_title(one: Browser) -> None:
    assert one.evaluate(SHOWN) == ["overview"]
    for page in one.evaluate(ALL):
        go(one, page)
        assert one.evaluate(SHOWN) == [page]
        title = one.evaluate("document.title")
        assert "Raddle" in title
        assert one.evaluate("document.querySelectorAll('#pages a[aria-current]').length") == 1
    go(one, "msgrate")
    assert one.evaluate("document.title") == "Message rate - Raddle"
    go(one, "nothing-of-that-name")
    assert one.evaluate(SHOWN) == ["overview"]


def test_an_address_from_a_mail_opens_its_page(shown: tuple[Browser, Path]) -> None:
    browser, folder = shown
    (folder / "deep.html").write_text((folder / "report.html").read_text(), encoding="utf-8")
    browser.call("Page.navigate", url=f"{(folder / 'deep.html').as_uri()}#latency")
    while browser.evaluate("document.readyState") != "complete":
        browser.settle()
    browser.settle()
    assert browser.evaluate(SHOWN) == ["latency"]


def test_back_leads_to_where_the_reader_was(one: Browser) -> None:
    one.evaluate("scrollTo(0, 400)")
    one.evaluate("new Promise((done) => setTimeout(done, 250))")  # until the end of scrolling has been told
    assert one.evaluate("history.state.top") == 400
    go(one, "msgrate")
    assert one.evaluate("scrollY") == 0
    one.evaluate("history.back()")
    one.settle()
    assert one.evaluate(SHOWN) == ["overview"]
    assert one.evaluate("scrollY") == 400


def test_keys_turn_pages(one: Browser) -> None:
    order = one.evaluate(ALL)
    for key, place in (("j", 1), ("ArrowRight", 2), ("k", 1), ("ArrowLeft", 0), ("k", 0), ("j", 1), ("o", 0)):
        one.press(key)
        assert one.evaluate(SHOWN) == [order[place]], key
    one.press("a")
    assert one.evaluate(SHOWN) == order
    one.press("a")
    assert len(one.evaluate(SHOWN)) == 1


def test_keys_are_told_and_stay_out_of_the_way(one: Browser) -> None:
    one.press("?")
    assert one.evaluate("document.getElementById('keys').open")
    one.press("j")
    assert one.evaluate(SHOWN) == ["overview"]
    one.press("Escape")
    assert not one.evaluate("document.getElementById('keys').open")
    before = one.evaluate("getComputedStyle(document.body).backgroundColor")
    one.press("d")
    assert one.evaluate("getComputedStyle(document.body).backgroundColor") != before
    one.press("d")
    # An arrow key scrolls a table that has the focus.
    go(one, "msgrate")
    one.evaluate("document.querySelector('#msgrate .behind').parentElement.focus()")
    one.press("ArrowRight")
    assert one.evaluate(SHOWN) == ["msgrate"]


def test_every_cell_is_reached_and_leads_to_its_numbers(one: Browser) -> None:
    one.press("m")
    first = one.evaluate(FOCUS)
    assert first.startswith("#msgrate-1-")
    one.press("Tab")
    second = one.evaluate(FOCUS)
    assert second[:-1] == first[:-1] < second, "the next cell of the line that has a ratio: the best one has none"
    one.press("ArrowLeft")
    assert one.evaluate(FOCUS) == first
    one.press("ArrowDown")
    assert one.evaluate(FOCUS) == "#msgrate-1-2-1"
    label = one.evaluate("document.activeElement.getAttribute('aria-label')")
    ratio = re.search(r": ([\d.]+x \[[^\]]+\]), ", label)
    assert ratio
    one.press("Enter")
    assert one.evaluate(SHOWN) == ["msgrate"]
    row: str = one.evaluate("document.querySelector('tr:target').innerText")
    assert ratio[1] in " ".join(row.split())
    box: dict[str, Any] = one.evaluate("document.querySelector('tr:target').getBoundingClientRect().toJSON()")
    assert 0 < box["top"] < 900
    for link in one.evaluate("[...document.querySelectorAll('.matrix td a')].map((each) => each.hash.slice(1))"):
        assert one.evaluate(f"document.getElementById('{link}').matches('.page tr')")


def test_the_first_tab_skips_to_the_content_of_this_page(one: Browser) -> None:
    go(one, "latency")
    one.evaluate("document.activeElement.blur()")
    one.evaluate("document.querySelector('.skip').focus()")
    assert one.evaluate("document.querySelector('.skip').getBoundingClientRect().left") >= 0
    one.press("Enter")
    assert one.evaluate(SHOWN) == ["latency"]
    assert one.evaluate(FOCUS) == "latency-title"


@pytest.mark.parametrize("width", [390, 1280])
def test_no_page_is_wider_than_the_screen(show: Show, width: int) -> None:
    browser = show(width=width)
    assert browser.evaluate(WIDE) == []


def test_on_a_phone_the_list_of_pages_opens_and_closes(show: Show) -> None:
    browser = show(width=390)
    seen = "document.getElementById('pages').offsetHeight > 0"
    assert not browser.evaluate(seen)
    browser.evaluate("document.querySelector('label[for=menu]').click()")
    assert browser.evaluate(seen)
    browser.evaluate("document.querySelector('#pages a[href=\"#latency\"]').click()")
    browser.settle()
    assert browser.evaluate(SHOWN) == ["latency"]
    assert not browser.evaluate(seen)


@pytest.mark.parametrize("dark", [False, True])
def test_all_text_stands_out(show: Show, dark: bool) -> None:
    browser = show(dark=dark)
    browser.press("a")
    browser.evaluate("document.querySelectorAll('details').forEach((each) => { each.open = true; })")
    assert browser.evaluate(FAINT) == []


def test_on_paper_all_pages_are_there_and_light(show: Show) -> None:
    browser = show(dark=True)
    order = browser.evaluate(ALL)
    assert len(re.findall(rb"/Type\s*/Page\b", browser.pdf())) >= len(order)
    browser.call("Emulation.setEmulatedMedia", media="print")
    try:
        assert browser.evaluate(SHOWN) == order
        assert browser.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
        assert browser.evaluate("getComputedStyle(document.body).color") == "rgb(23, 32, 43)"
        assert browser.evaluate("document.querySelector('.bar').offsetHeight") == 0
        breaks = "[...document.querySelectorAll('.page + .page')].map((page) => getComputedStyle(page).breakBefore)"
        assert set(browser.evaluate(breaks)) == {"page"}
    finally:
        browser.call("Emulation.setEmulatedMedia", media="")


def test_without_a_script_everything_is_there(show: Show, shown: tuple[Browser, Path]) -> None:
    shown[0].call("Emulation.setScriptExecutionDisabled", value=True)
    try:
        browser = show(width=390)
        assert browser.evaluate(SHOWN) == browser.evaluate(ALL)
        assert browser.evaluate("document.getElementById('theme').offsetHeight") == 0
        assert browser.evaluate("document.getElementById('pages').offsetHeight") > 0
        assert browser.evaluate("document.documentElement.scrollWidth") <= 390
    finally:
        shown[0].call("Emulation.setScriptExecutionDisabled", value=False)
