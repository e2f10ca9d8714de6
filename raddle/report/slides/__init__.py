# SPDX-License-Identifier: BSD-3-Clause
"""A run as slides, `raddle report --png`: the verdict, the matrix, and every figure of a benchmark, 16:9."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from raddle.report.data import Data
from raddle.report.figures.model import Figure
from raddle.report.five import five
from raddle.report.slides.figure import figure_slides
from raddle.report.slides.matrix import matrix_slides
from raddle.report.slides.sheet import Sheet, png
from raddle.report.slides.verdict import verdict_slide

# The matrix says what `ratios` draws; the others are for who doubts a number, not for an audience.
_LEFT_OUT = ("ratios", "distributions", "over-time")


def slides(data: Data, figures: Sequence[Figure]) -> Iterator[tuple[str, bytes]]:
    """File names, numbered in the order of showing, and their content."""
    for number, (name, sheet) in enumerate(_sheets(data, figures), start=1):
        yield f"slide-{number:02}-{name}.png", png(sheet)


def _sheets(data: Data, figures: Sequence[Figure]) -> Iterator[tuple[str, Sheet]]:
    foot = _foot(data)
    yield "verdict", verdict_slide(data, five(data, figures), foot)
    for sheet in matrix_slides(data, foot):
        yield "matrix", sheet
    for each in figures:
        if each.name not in _LEFT_OUT and each.panels:
            for sheet in figure_slides(each, foot):
                yield each.name, sheet


def _foot(data: Data) -> str:
    """Where the numbers are from: a slide travels without its neighbours."""
    found = data.environment
    machine = [found.host.cpu, f"{len(found.host.allowed_cpus)} CPUs"] if found else []
    made = [f"{data.blocks} blocks", found.created[:10]] if found else [f"{data.blocks} blocks"]
    return "  ·  ".join([*machine, *map(data.title, data.mpis), *made, "Raddle"])
