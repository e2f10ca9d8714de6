# SPDX-License-Identifier: BSD-3-Clause
"""Whatever a library, a host or a user calls itself, it stays text: in the page, in its drawings, in the terminal."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from raddle.report.load import load
from tests.report.hostile import EVIL, hostile_run, hostile_suite_page
from tests.report.looks import printed


class Elements(HTMLParser):
    """What a browser would make elements and attributes of."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.handlers: list[str] = []
        self.links: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.handlers += [name for name, _ in attrs if name.startswith("on")]
        self.links += [value or "" for name, value in attrs if name in ("href", "src", "xlink:href", "action")]


@pytest.fixture(scope="module", params=["run", "suite"])
def spoiled(request: pytest.FixtureRequest, hostile_page: str) -> str:
    """A page whose every word from outside is hostile."""
    return hostile_page if request.param == "run" else hostile_suite_page()


def test_nothing_comes_out_raw(spoiled: str) -> None:
    found = Elements()
    found.feed(spoiled)
    assert "<script>pwned" not in spoiled
    assert found.tags.count("script") == 1
    assert not {"img", "iframe", "object", "embed", "foreignobject", "marquee"} & set(found.tags)
    assert found.handlers == []
    assert all(link.startswith(("#", "data:")) for link in found.links)


def test_what_is_escaped_is_still_shown(spoiled: str) -> None:
    # In version, MPI name, flag, variant, parameters, host, settings, log lines, notices.
    assert spoiled.count("&lt;script&gt;") > 20


def test_drawings_carry_the_text_and_not_the_markup(hostile_page: str) -> None:
    drawings = re.findall(r'<svg class="plot".*?</svg>', hostile_page, flags=re.DOTALL)
    assert drawings
    assert any("&lt;script&gt;" in drawing for drawing in drawings)
    assert not any("<script" in drawing or "<img" in drawing for drawing in drawings)


def test_a_closing_tag_in_a_name_does_not_end_the_style_or_script(spoiled: str) -> None:
    assert spoiled.count("</style>") == spoiled.count("</script>") == 1


def test_the_terminal_gets_no_escape_sequences(tmp_path: Path) -> None:
    said = "\n".join(printed(load(hostile_run(tmp_path))))
    assert "\x1b" not in said
    assert "[bold]" in EVIL
    assert "[bold]" in said  # rich's own markup is not obeyed either
