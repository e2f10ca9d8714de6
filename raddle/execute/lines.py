# SPDX-License-Identifier: BSD-3-Clause
"""Bytes from a pipe to lines."""

from __future__ import annotations

from collections.abc import Iterator

LONGEST_LINE = 16 << 20  # bytes; a row with all its samples is some 20 kB, the line of control variables some 300 kB


class LineReader:
    """Cuts a stream of bytes into lines; of a line that is longer than anybody should write, the head is kept."""

    def __init__(self) -> None:
        self._partial = bytearray()

    def feed(self, data: bytes) -> Iterator[bytes]:
        """The lines that `data` completes, without their ends."""
        first, *rest = data.split(b"\n")
        self._extend(first)
        for piece in rest:
            yield self._take()
            self._extend(piece)

    def rest(self) -> bytes:
        """What came after the last newline: a line that was cut off."""
        return self._take()

    def _extend(self, piece: bytes) -> None:
        self._partial += piece[: LONGEST_LINE - len(self._partial)]

    def _take(self) -> bytes:
        line = bytes(self._partial).removesuffix(b"\r")
        self._partial.clear()
        return line
