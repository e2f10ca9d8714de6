# SPDX-License-Identifier: BSD-3-Clause
"""Pieces of programs in the pages are those that are built and run: in the tutorial each says from which file it is."""

from __future__ import annotations

import re

import pytest

from tests.docs.pages import ROOT, TUTORIAL, Fragment, fragments

pytestmark = pytest.mark.timeout(30)

FRAGMENTS = list(fragments(TUTORIAL))
SOURCE = re.compile(r"\[From (examples/[\w./]+)\]\(\.\./\.\./(examples/[\w./]+)\)")


def test_there_are_some_of_every_step() -> None:
    named = set(SOURCE.findall(TUTORIAL.read_text()))
    assert all(shown == meant for shown, meant in named)
    steps = {path.name for path in (ROOT / "examples" / "tutorial").glob("step*.c")}
    assert steps <= {meant.rpartition("/")[2] for _, meant in named}


@pytest.mark.parametrize("fragment", FRAGMENTS, ids=lambda fragment: fragment.text.strip().splitlines()[0][:50])
def test_it_is_in_the_file_that_is_named_behind_it(fragment: Fragment) -> None:
    assert fragment.language == "c"
    found = SOURCE.search(fragment.behind)
    assert found is not None, "it does not say from which file it is"
    assert fragment.text in (ROOT / found[2]).read_text()


def test_links_lead_somewhere() -> None:
    """From the first page and the tutorial; headings are not looked at."""
    for page in (ROOT / "README.md", TUTORIAL):
        for target in re.findall(r"\]\((?!https?:)([^)#]+)", page.read_text()):
            assert (page.parent / target).exists(), f"{page.name}: {target}"
