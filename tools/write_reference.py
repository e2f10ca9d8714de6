# SPDX-License-Identifier: BSD-3-Clause
"""Writes docs/reference.md, docs/command.md, the manual, the schema of results and the settings in raddle.h.

.venv/bin/python tools/write_reference.py
"""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))  # this checkout's command, whichever is installed

from reference.pages import pages  # noqa: E402


def main() -> None:
    wanted = pages(ROOT)
    for name, text in wanted.items():
        path = ROOT / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    for old in (ROOT / "docs" / "man").glob("man*/*"):
        if str(old.relative_to(ROOT)) not in wanted:
            old.unlink()


if __name__ == "__main__":
    main()
