# SPDX-License-Identifier: BSD-3-Clause
"""`launches.jsonl`: what launches print, written down line by line, so that whatever ends a run costs no row."""

from __future__ import annotations

import os
from pathlib import Path
from types import TracebackType
from typing import Any

import msgspec

from raddle.errors import UserError
from raddle.locks import locked
from raddle.results.launch_log import FILE, read_launches


class Journal:
    """Appends lines, each in one write of its own. Use as a context manager."""

    def __init__(self, directory: Path) -> None:
        """Open the journal of a run. Raises UserError when it cannot be written."""
        path = directory / FILE
        try:
            self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o666)
        except OSError as error:
            raise UserError(f"Cannot write {path}: {error.strerror}.", hint="Choose another --out.") from error
        if not locked(self._file):
            os.close(self._file)
            raise UserError(f"Another raddle is measuring into {directory}.", hint="Wait for it to end.")
        size = os.fstat(self._file).st_size
        # A run that was killed in the middle of a line must not spoil the first line of its continuation.
        if size and os.pread(self._file, 1, size - 1) != b"\n":
            self._write(b"\n")

    def line(self, text: bytes) -> None:
        """One line as a program printed it."""
        self._write(text.rstrip(b"\r\n") + b"\n")

    def note(self, kind: str, **values: Any) -> None:
        """One line of Raddle's own: `start` or `exit`."""
        self.line(msgspec.json.encode({"type": kind, **values}))

    def _write(self, data: bytes) -> None:
        try:
            while data:
                data = data[os.write(self._file, data) :]
        except OSError as error:  # most likely a full disk: going on would measure for nothing
            raise UserError(
                f"Cannot write the results: {error.strerror}.",
                hint="What was measured before is kept. Make room, then go on with `raddle run --resume`.",
            ) from error

    def __enter__(self) -> Journal:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        os.close(self._file)


def finished(directory: Path) -> set[str]:
    """Ids of the launches that `--resume` need not repeat: of each, what came of the last attempt is whole."""
    if not (directory / FILE).exists():
        return set()
    last = {launch.id: launch for launch in read_launches(directory / FILE).launches}
    return {name for name, launch in last.items() if launch.complete}
