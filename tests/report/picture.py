# SPDX-License-Identifier: BSD-3-Clause
"""The picture of a report in the README: `python -m tests.report.picture results/latest docs/report.png`."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from tests.report.browser import browser, find


def main(results: Path, picture: Path, width: int = 1240, height: int = 1480) -> None:
    """The upper part of the page, as wide as it is laid out for: verdict and matrix, where the reading begins."""
    executable = find()
    if executable is None:
        sys.exit("There is no Chromium here to take the picture with.")
    with tempfile.TemporaryDirectory() as profile, browser(executable, Path(profile)) as page:
        page.open((results / "report.html").absolute(), width=width)
        page.screenshot(picture, height=height)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
