# SPDX-License-Identifier: BSD-3-Clause
"""How much there is to read: the words that people wrote, and a reader reads.

Not counted are pages and parts that programs write (reference, tables of runs), which are looked up and not read, code,
addresses of links, and numbers: a word is what stands between blanks and begins with a letter.
"""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
MADE = {  # whole pages, by what writes them
    "docs/use/reference.md": "tools/write_reference.py",
    "docs/use/command.md": "tools/write_reference.py",
    "docs/use/endpoint-functions.md": "src/interpose/write_status.py",
    "docs/evidence/conformance.md": "tests/conformance/page.py",
    "docs/evidence/coverage.md": "tools/measure_coverage.py",
}
_MADE = re.compile(r"^<!-- [^>]*made by [^>]*-->$.*?^<!-- to here -->$", re.MULTILINE | re.DOTALL | re.IGNORECASE)
_LEFT_OUT = re.compile(
    r"^```.*?^```$"  # code
    r"|^(?: {4}[^\n]*(?:\n|\Z))+"  # commands
    r"|<!--.*?-->"
    r"|(?<=\])\([^)\s]*\)",  # where links lead
    re.MULTILINE | re.DOTALL,
)
_WORD = re.compile(r"(?<!\S)[^\w\s]*[^\W\d_]\S*")


def words(text: str) -> int:
    """Of a page."""
    return len(_WORD.findall(_LEFT_OUT.sub(" ", _MADE.sub("", text))))


def pages() -> list[Path]:
    """Those that are written by hand: the README, and all below docs."""
    found = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
    kept = ROOT / "docs" / "results"
    return [
        page
        for page in found
        if str(page.relative_to(ROOT)) not in MADE and (page.parent == kept or not page.is_relative_to(kept))
    ]


def main() -> None:
    counts = {str(page.relative_to(ROOT)): words(page.read_text(encoding="utf-8")) for page in pages()}
    for name, count in sorted(counts.items(), key=lambda each: each[1]):
        print(f"{count:7} {name}")
    print(f"{sum(counts.values()):7} in all")


if __name__ == "__main__":
    main()
