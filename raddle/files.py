# SPDX-License-Identifier: BSD-3-Clause
"""Writing files so that a reader never sees half of one, and reading JSON that may be damaged."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import TypeVar

import msgspec

from raddle.errors import UserError

Content = TypeVar("Content")


def read_json(path: Path, kind: type[Content]) -> Content:
    """What a JSON file holds. Raises OSError, and msgspec.DecodeError also for bytes that are no UTF-8."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=kind)
    except UnicodeDecodeError as error:
        raise msgspec.DecodeError(f"not UTF-8 text: {error.reason}") from error


def write_whole(path: Path, data: bytes, hint: str = "Choose another --out.") -> None:
    """Write a file whole or not at all. Raises UserError, which says what to do by `hint`."""
    if not path.name:
        raise UserError(f"Cannot write {path}: it is a directory.", hint=hint)
    unfinished = path.with_name(f"{path.name}.unfinished")
    try:
        unfinished.write_bytes(data)
        unfinished.replace(path)
    except OSError as error:
        with contextlib.suppress(OSError):
            unfinished.unlink()
        raise UserError(f"Cannot write {path}: {error.strerror}.", hint=hint) from error
