# SPDX-License-Identifier: BSD-3-Clause
"""Writes docs/use/reference.md, docs/use/command.md, the schema of results and the settings in raddle.h; or the manual.

.venv/bin/python tools/write_reference.py [--manual DIRECTORY]
"""

from __future__ import annotations

import argparse
import shutil
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))  # this checkout's command, whichever is installed


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else "")
    parser.add_argument(
        "--manual", type=Path, metavar="DIRECTORY", help="write man1, man3 and man7 there, no other page"
    )
    directory = parser.parse_args().manual
    try:
        from reference.pages import manual, pages  # noqa: PLC0415 a build without them goes on without the manual
    except ModuleNotFoundError as error:
        sys.exit(f"{error.name} is missing: the pages are read from the command, which needs it")
    if directory is None:
        write(pages(ROOT), ROOT)
    else:
        shutil.rmtree(directory, ignore_errors=True)  # pages of functions that there are no longer
        write(manual(ROOT), directory)


def write(texts: dict[str, str], root: Path) -> None:
    for name, text in texts.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
