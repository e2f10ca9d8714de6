# SPDX-License-Identifier: BSD-3-Clause
"""`raddle report --png`: 16:9, in order, text that is read from afar, clean and oversubscribed apart."""

from __future__ import annotations

import io
from pathlib import Path

import numpy as np
import pytest
from matplotlib.text import Text
from PIL import Image

from raddle.report.data import Data
from raddle.report.draw import blank, looks
from raddle.report.figures import figures
from raddle.report.figures.model import Figure
from raddle.report.load import load
from raddle.report.slides import _sheets, slides
from raddle.report.slides.sheet import EDGE, HEIGHT, SMALLEST, WIDTH, Room, Sheet, room
from raddle.verbs.report import report
from tests.report.hostile import hostile_run
from tests.report.synthetic import Recipe, write_run


@pytest.fixture(scope="module")
def sheets(data: Data, drawn: list[Figure]) -> list[tuple[str, Sheet]]:
    return list(_sheets(data, drawn))


def test_verdict_then_matrix_then_the_benchmarks(sheets: list[tuple[str, Sheet]]) -> None:
    names = list(dict.fromkeys(name for name, _ in sheets))
    assert names == ["verdict", "matrix", "message-rate", "latency", "bandwidth", "distance-to-physical"]
    assert {sheet.shared for name, sheet in sheets if name == "matrix"} == {False, True}


def test_text_is_large_enough_and_inside(sheets: list[tuple[str, Sheet]]) -> None:
    for name, sheet in sheets:
        with looks():
            canvas = blank(WIDTH / sheet.scale, HEIGHT / sheet.scale)
            canvas.set_dpi(sheet.scale)
            space = room(sheet.title, sheet.line)
            sheet.draw(canvas, Room(EDGE, WIDTH - EDGE, space.top, space.bottom))
            canvas.draw_without_rendering()
            texts = [each for each in canvas.findobj(Text) if each.get_visible() and each.get_text().strip()]
            for text in texts:
                pixels = float(text.get_fontsize()) * sheet.scale / 72
                assert pixels > SMALLEST * 0.9, (name, text.get_text(), pixels)
                box = text.get_window_extent()
                assert box.x0 > -1, (name, text.get_text())
                assert box.x1 < WIDTH + 1, (name, text.get_text())
                assert box.y0 > -1, (name, text.get_text())


def test_they_are_written_in_place_of_earlier_ones(tmp_path: Path) -> None:
    write_run(tmp_path, Recipe(blocks=6, samples=6, sizes=[8], mpis=["mpich"]))
    (tmp_path / "plots").mkdir()
    (tmp_path / "plots" / "slide-99-old.png").touch()
    report(tmp_path, png=True)
    found = sorted(path.name for path in (tmp_path / "plots").glob("slide-*.png"))
    assert found[0] == "slide-01-verdict.png"
    assert [int(name[6:8]) for name in found] == list(range(1, len(found) + 1))
    for name in found:
        with Image.open(tmp_path / "plots" / name) as picture:
            assert picture.size == (1920, 1080)
            assert np.asarray(picture.convert("L")).min() < 100


def test_names_from_outside_are_only_drawn(tmp_path: Path) -> None:
    data = load(hostile_run(tmp_path))
    name, content = next(iter(slides(data, figures(data))))
    assert name == "slide-01-verdict.png"
    assert Image.open(io.BytesIO(content)).size == (1920, 1080)
