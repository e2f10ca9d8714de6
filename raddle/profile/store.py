# SPDX-License-Identifier: BSD-3-Clause
"""`profile.jsonl`: the records of a profile, written whole, and read again also where a line is damaged."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import msgspec

from raddle.errors import UserError
from raddle.files import write_whole
from raddle.profile.model import SCHEMA, Program, Record

FILE = "profile.jsonl"


def save(records: Sequence[Record], directory: Path) -> Path:
    """Write the records, that of the program first. Raises UserError. Returns the file."""
    ordered = sorted(records, key=lambda each: not isinstance(each, Program))
    path = directory / FILE
    write_whole(path, b"".join(msgspec.json.encode(each) + b"\n" for each in ordered))
    return path


def is_profile(directory: Path) -> bool:
    """Whether a directory holds a profile."""
    return (directory / FILE).is_file()


def load(directory: Path) -> list[Record]:
    """The records of a directory. Raises UserError that names the line that is none."""
    path = directory / FILE
    try:
        lines = path.read_bytes().splitlines()
    except OSError as error:
        raise UserError(f"Cannot read {path}: {error.strerror}.", hint="It is written by: raddle profile") from error
    decoder = msgspec.json.Decoder(Record)
    found: list[Record] = []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            found.append(decoder.decode(line))
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise UserError(
                f"{path}, line {number}: {error}.", hint="Profile again; docs/use/profile.md has the format."
            ) from error
    if not found or not isinstance(found[0], Program):
        raise UserError(f"{path} does not begin with the record 'program'.", hint="Profile again.")
    if found[0].schema != SCHEMA:
        raise UserError(
            f"{path} has schema {found[0].schema}, and this raddle reads {SCHEMA}.",
            hint=f"Use the raddle that wrote it: {found[0].raddle}.",
        )
    return found
