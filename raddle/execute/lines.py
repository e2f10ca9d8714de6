# SPDX-License-Identifier: BSD-3-Clause
"""Bytes from a pipe to lines, and lines to what `raddle-bench` says (docs/bench-protocol.md) or mere chatter."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator

import msgspec

from raddle.model import Params, RowLine

LONGEST_LINE = 16 << 20  # bytes; a row with all its samples is some 20 kB, the line of control variables some 300 kB
_LOG_LINES = 60
_LOG_WIDTH = 400


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


class Rank(msgspec.Struct, frozen=True):
    """A process of the launch, as it sees itself."""

    pid: int = 0


class LaunchLine(msgspec.Struct, frozen=True, tag_field="type", tag="launch"):
    """The MPI works; what it is."""

    launch: str
    ranks: list[Rank] = []
    library_version: str = ""


class ErrorLine(msgspec.Struct, frozen=True, tag_field="type", tag="error"):
    """A point that failed."""

    launch: str
    code: str
    message: str = ""
    benchmark: str = ""
    variant: str = ""
    params: Params = {}


class SkipLine(msgspec.Struct, frozen=True, tag_field="type", tag="skip"):
    """A point that this MPI does not have."""

    launch: str
    code: str
    message: str = ""
    benchmark: str = ""
    variant: str = ""
    params: Params = {}


class EndLine(msgspec.Struct, frozen=True, tag_field="type", tag="end"):
    """The launch did all that was planned."""

    launch: str
    rows: int = 0
    errors: int = 0


class Row(RowLine, kw_only=True, tag_field="type", tag="row"):
    """A measured point."""


Line = LaunchLine | ErrorLine | SkipLine | EndLine | Row

_decoder: msgspec.json.Decoder[Line] = msgspec.json.Decoder(Line)
_OPENING = b'{"type"'


def parse(raw: bytes, launch: str) -> tuple[Line, bytes] | None:
    """What the line of launch `launch` says and its JSON text, or None for chatter.

    An MPI may write without a newline just before us, so an object is looked for inside the line as well.
    """
    begin = raw.find(_OPENING)
    text = raw[begin:] if begin > 0 else raw
    if not text.startswith(b"{"):
        return None
    try:
        line = _decoder.decode(text)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return None
    return (line, text) if line.launch == launch else None


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
