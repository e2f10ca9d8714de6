# SPDX-License-Identifier: BSD-3-Clause
"""There is no more to read than a reader reads."""

from __future__ import annotations

from tests.docs.words import ROOT, pages, words

IN_ALL, OF_THE_README = 28_000, 450


def test_what_is_counted() -> None:
    text = "# One, two\n\nthree-and `four` [five](six.md) 7x 1.08 <!-- no -->\n\n    not this\n\n```c\nnor this\n```\n"
    text += "\n<!-- table a: made by tools/write_tables.py -->\n| not | these |\n<!-- to here -->\neight\n"
    assert words(text) == 6


def test_the_pages_are_short() -> None:
    counts = {str(page.relative_to(ROOT)): words(page.read_text(encoding="utf-8")) for page in pages()}
    assert len(counts) > 20
    assert sum(counts.values()) <= IN_ALL, f"python -m tests.docs.words; {counts}"


def test_the_readme_is_read_in_two_minutes() -> None:
    assert words((ROOT / "README.md").read_text(encoding="utf-8")) <= OF_THE_README
