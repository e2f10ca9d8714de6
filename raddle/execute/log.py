# SPDX-License-Identifier: BSD-3-Clause
"""The chatter of a launch, kept to explain its failure."""

from __future__ import annotations

from collections import deque

_LOG_LINES = 60
_LOG_WIDTH = 400


class Log:
    """The last lines of chatter, so that a failure can be explained and a flood does no harm."""

    def __init__(self) -> None:
        self._lines: deque[str] = deque(maxlen=_LOG_LINES)

    def add(self, raw: bytes) -> None:
        """Keep one line, shortened; blank lines say nothing, and control characters would play with the terminal."""
        text = raw[: 4 * _LOG_WIDTH].decode("utf-8", errors="replace")
        text = "".join(letter if letter.isprintable() else " " for letter in text).strip()
        if text:
            self._lines.append(text if len(text) <= _LOG_WIDTH else text[:_LOG_WIDTH] + " ...")

    def lines(self) -> list[str]:
        """The lines kept, oldest first."""
        return list(self._lines)
