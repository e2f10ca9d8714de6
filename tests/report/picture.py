# SPDX-License-Identifier: BSD-3-Clause
"""The picture of a report in the README: `python -m tests.report.picture results/latest docs/images/report.png`."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from PIL import Image

from tests.report.browser import browser, find

WIDTH, HEIGHT, GAP = 1180, 1700, 28


def main(results: Path, picture: Path) -> None:
    """The page's beginning beside its figures, at three quarters of their size."""
    executable = find()
    if executable is None:
        sys.exit("There is no Chromium here to take the picture with.")
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        with browser(executable, Path(folder) / "profile") as page:
            page.open((results / "report.html").absolute(), width=WIDTH)
            whole = Image.open(page.screenshot(Path(folder) / "whole.png")).convert("RGB")
            second = round(page.evaluate("document.getElementById('message-rate').getBoundingClientRect().top")) - GAP
        halves = [whole.crop((0, top, WIDTH, top + HEIGHT)) for top in (0, second)]
        both = Image.new("RGB", (2 * WIDTH, HEIGHT))
        for place, half in enumerate(halves):
            both.paste(half, (place * WIDTH, 0))
        small = both.resize((both.width * 3 // 4, both.height * 3 // 4), Image.Resampling.LANCZOS)
        # 256 colours are enough, if chosen to cover all of them and not those that are frequent: a fifth of the size.
        small.quantize(256, Image.Quantize.MAXCOVERAGE, kmeans=2, dither=Image.Dither.NONE).save(picture, optimize=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
