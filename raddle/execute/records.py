# SPDX-License-Identifier: BSD-3-Clause
"""What `raddle-bench` says, line by line (docs/build/bench-protocol.md); all else is chatter."""

from __future__ import annotations

import msgspec

from raddle.model import Params, RowLine


class Rank(msgspec.Struct, frozen=True):
    """A process of the launch, as it sees itself."""

    pid: int = 0


class LaunchLine(msgspec.Struct, frozen=True, tag_field="type", tag="launch"):
    """The MPI works; what it is."""

    launch: str
    ranks: list[Rank] = []


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
    """The launch did all that was planned; how many rows it printed."""

    launch: str
    rows: int


class Row(RowLine, kw_only=True, tag_field="type", tag="row"):
    """A measured point."""


Record = LaunchLine | ErrorLine | SkipLine | EndLine | Row

_decoder: msgspec.json.Decoder[Record] = msgspec.json.Decoder(Record)
_OPENING = b'{"type"'


def parse(raw: bytes, launch: str) -> tuple[Record | None, bytes] | None:
    """What the line of launch `launch` says and its JSON text, or None for chatter.

    An MPI may write without a newline just before us, so an object is looked for inside the line as well. A record that
    was cut, or that another rank wrote into, says None: its text may hold what was measured.
    """
    begin = raw.find(_OPENING)
    if begin < 0:
        return None
    text = raw[begin:]
    try:
        line = _decoder.decode(text)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return None, text
    return (line, text) if line.launch == launch else None
