# SPDX-License-Identifier: BSD-3-Clause
"""Writing files so that a reader never sees half of one."""

from __future__ import annotations

from pathlib import Path

from raddle.errors import UserError


def write_whole(path: Path, data: bytes) -> None:
    """Write a file whole or not at all. Raises UserError."""
    unfinished = path.with_name(f"{path.name}.unfinished")
    try:
        unfinished.write_bytes(data)
        unfinished.replace(path)
    except OSError as error:
        raise UserError(f"Cannot write {path}: {error.strerror}.", hint="Choose another --out.") from error
