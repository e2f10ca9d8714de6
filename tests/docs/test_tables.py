# SPDX-License-Identifier: BSD-3-Clause
"""Tables that pages quote are those of the runs that docs/results keeps."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "tools"))

from tables import chart  # noqa: E402
from tables.quoted import TABLES  # noqa: E402
from write_tables import PAGES, marked, with_tables  # noqa: E402


def test_each_table_is_on_a_page() -> None:
    assert sorted(name for page in PAGES for name in marked((ROOT / page).read_text(encoding="utf-8"))) == sorted(
        TABLES
    )


@pytest.mark.parametrize("page", PAGES)
def test_the_tables_of_a_page_are_those_of_its_runs(page: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    assert marked(text)
    assert with_tables(text) == text


def test_a_number_that_was_changed_is_seen() -> None:
    text = (ROOT / "docs" / "use" / "lanes.md").read_text(encoding="utf-8")
    first = text.index("[", text.index("made by tools/write_tables.py"))
    changed = f"{text[:first]}[0{text[first + 1 :]}"
    assert with_tables(changed) == text


def test_the_chart_is_that_of_its_runs() -> None:
    assert (ROOT / chart.FILE).read_text(encoding="utf-8") == chart.svg()
