# SPDX-License-Identifier: BSD-3-Clause
"""Writes the tables that pages quote from runs in docs/results, between their marks, and the chart of the README.

.venv/bin/python tools/write_tables.py [PAGE ...]
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))  # this checkout's results, whichever is installed

from tables import chart  # noqa: E402
from tables.quoted import TABLES  # noqa: E402

PAGES = (
    "README.md", "docs/build/engines.md", "docs/build/interception.md",
    "docs/use/check.md", "docs/use/endpoints.md", "docs/use/lanes.md",
    "docs/evidence/partitioned-study.md", "docs/use/profile.md",
    "docs/evidence/programs.md", "docs/evidence/sparse-study.md", "docs/results/README.md", "docs/use/tutorial.md",
)  # fmt: skip
_MARKED = re.compile(r"(<!-- table ([\w-]+): made by tools/write_tables\.py -->\n)(.*?)(<!-- to here -->\n)", re.DOTALL)


def main() -> None:
    for name in sys.argv[1:] or PAGES:
        page = ROOT / name
        page.write_text(with_tables(page.read_text(encoding="utf-8")), encoding="utf-8")
    (ROOT / chart.FILE).write_text(chart.svg(), encoding="utf-8")


def with_tables(text: str) -> str:
    """The page with each marked table as it is in the runs now. Raises KeyError for a table that nobody makes."""
    return _MARKED.sub(lambda found: found[1] + "\n".join(TABLES[found[2]]()) + "\n" + found[4], text)


def marked(text: str) -> list[str]:
    """The names of the tables of a page."""
    return [found[1] for found in _MARKED.findall(text)]


if __name__ == "__main__":
    main()
