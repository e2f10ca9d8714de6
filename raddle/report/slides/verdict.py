# SPDX-License-Identifier: BSD-3-Clause
"""The first slide: what threads cost on this machine, in at most five sentences."""

from __future__ import annotations

from collections.abc import Sequence

from matplotlib.figure import Figure as Canvas

from raddle.report.data import Data
from raddle.report.five import Sentence
from raddle.report.numbers import pretty
from raddle.report.slides.sheet import SMALLEST, Room, Sheet, folded, words

_INDENT = 62
_LARGEST = 36


def verdict_slide(data: Data, sentences: Sequence[Sentence], foot: str) -> Sheet:
    """The slide, its text as large as it fits."""
    facts = ", ".join(map(data.title, data.mpis)) if data.environment else ""

    def draw(canvas: Canvas, room: Room) -> None:
        size = next(
            (each for each in range(_LARGEST, SMALLEST, -1) if _height(sentences, each, room) <= room.height), SMALLEST
        )
        top = room.top + 10
        for number, sentence in enumerate(sentences, start=1):
            text = _text(sentence, size, room)
            words(canvas, room.left, top, f"{number}", size, role="muted", weight="bold")
            words(canvas, room.left + _INDENT, top, text, size)
            top += _tall(text, size)

    return Sheet("What threads cost MPI on this machine", facts, foot, draw)


def _text(sentence: Sentence, size: float, room: Room) -> str:
    said = " (oversubscribed)" if sentence.shared else ""
    return folded(pretty(sentence.text) + said, size, room.width - _INDENT)


def _tall(text: str, size: float) -> float:
    return size * (1.32 * (text.count("\n") + 1) + 0.75)


def _height(sentences: Sequence[Sentence], size: float, room: Room) -> float:
    return sum(_tall(_text(sentence, size, room), size) for sentence in sentences)
