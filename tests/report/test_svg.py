# SPDX-License-Identifier: BSD-3-Clause
"""Drawings that stand in a page: no ids in common, colours of the theme, text as text, nothing that loads or runs."""

from __future__ import annotations

import re

from raddle.report.data import Data
from raddle.report.draw import panel_svg
from raddle.report.figures import figures
from raddle.report.svg import inline_svg
from tests.stats.builders import result_row


def drawing(name: str = "a", title: str = "Title", **keys: object) -> str:
    row = result_row("latency", "process", [1.0, 2.0, 3.0], **keys)
    panel = figures(Data([row]))[0].panels[0]
    return inline_svg(panel_svg(panel), name=name, title=title, description="Description")


def test_ids_have_the_panels_name_and_references_follow() -> None:
    one, other = drawing("a"), drawing("b")
    ids = set(re.findall(r' id="([^"]+)"', one))
    assert ids
    assert all(each.startswith("a-") for each in ids)
    assert not ids & set(re.findall(r' id="([^"]+)"', other))
    assert set(re.findall(r"url\(#([^)]+)\)", one)) <= ids
    assert set(re.findall(r'href="#([^"]+)"', one)) <= ids


def test_it_is_plain_html5_svg() -> None:
    text = drawing()
    assert text.startswith('<svg class="plot" viewBox="0 0 ')
    for unwanted in ("xlink", "xmlns", "<metadata", "<style", "<?xml", "<!DOCTYPE", "ns0:", "http"):
        assert unwanted not in text


def test_colors_are_those_of_the_theme_and_the_font_that_of_the_page() -> None:
    text = drawing()
    assert "var(--v-process)" in text
    assert "var(--ink)" in text or "var(--muted)" in text
    assert re.findall(r"#[0-9a-fA-F]{6}", text) == []
    assert "font-family" not in text


def test_it_is_named_for_those_who_cannot_see_it() -> None:
    text = drawing(title='"<b>"')
    assert 'role="img" aria-labelledby="a-title a-desc"' in text
    assert '<title id="a-title">"&lt;b&gt;"</title>' in text
    assert '<desc id="a-desc">Description</desc>' in text


def test_text_from_outside_is_text() -> None:
    text = drawing(mpi="<b>&$x_1$\x1b\x00")
    assert "<b>" not in text
    assert "\x1b" not in text
