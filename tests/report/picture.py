# SPDX-License-Identifier: BSD-3-Clause
"""The picture of a report in docs/use/report.md: `python -m tests.report.picture DIR msgrate docs/images/report.png`."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from PIL import Image

from raddle.report.figures import figures
from raddle.report.html import render
from raddle.report.load import load
from tests.report.browser import browser, find

WIDTH, HEIGHT = 1280, 1440


def main(results: Path, address: str, picture: Path) -> None:
    """The overview beside one of its pages, at three quarters of their size."""
    executable = find()
    if executable is None:
        sys.exit("There is no Chromium here to take the picture with.")
    data = load(results)
    both = Image.new("RGB", (2 * WIDTH, HEIGHT))
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
        folder = Path(name)
        (folder / "report.html").write_text(render(data, figures(data)), encoding="utf-8")
        with browser(executable, folder / "profile") as page:
            page.open(folder / "report.html", width=WIDTH, height=HEIGHT)
            for place, turned in enumerate(("overview", address)):
                page.evaluate(f"location.hash = {turned!r}")
                page.settle()
                half = Image.open(page.screenshot(folder / "half.png", height=HEIGHT)).convert("RGB")
                both.paste(half, (place * WIDTH, 0))
    small = both.resize((both.width * 3 // 4, both.height * 3 // 4), Image.Resampling.LANCZOS)
    # 256 colours are enough, if chosen to cover all of them and not those that are frequent: a fifth of the size.
    small.quantize(256, Image.Quantize.MAXCOVERAGE, kmeans=2, dither=Image.Dither.NONE).save(picture, optimize=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], Path(sys.argv[3]))
