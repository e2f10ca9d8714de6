# SPDX-License-Identifier: BSD-3-Clause
"""What stands indented or fenced in a page: commands for a reader to copy, and pieces of programs."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
README = ROOT / "README.md"
TUTORIAL, INSTALL = (ROOT / "docs" / "use" / f"{name}.md" for name in ("tutorial", "install"))


@dataclass(frozen=True)
class Fragment:
    """A fenced block, and the text of the page behind it, up to the next heading."""

    language: str
    text: str
    behind: str


def indented(page: Path) -> list[str]:
    """The lines of all indented blocks: those of four spaces that are no part of a list or a fence."""
    lines: list[str] = []
    fenced = False
    for line in page.read_text().splitlines():
        fenced ^= line.startswith("```")
        if not fenced and line.startswith("    "):
            lines.append(line[4:])
    return lines


def command(line: str) -> str:
    """A line without the comment behind it."""
    return re.sub(r"\s{2,}#.*$|^#.*$", "", line).strip()


def fragments(page: Path) -> Iterator[Fragment]:
    """The fenced blocks in order."""
    text = page.read_text()
    for found in re.finditer(r"^```(\w*)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
        yield Fragment(found[1], found[2], text[found.end() :].partition("\n## ")[0])
