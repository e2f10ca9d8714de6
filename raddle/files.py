# SPDX-License-Identifier: BSD-3-Clause
"""Writing files so that a reader never sees half of one."""

from __future__ import annotations

import contextlib
from pathlib import Path

from raddle.errors import UserError


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
