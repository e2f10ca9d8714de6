# SPDX-License-Identifier: BSD-3-Clause
"""What one process has written, as it is: `layout` says where what is. Nothing here judges."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from raddle.errors import UserError
from raddle.profile import layout

Fields = Any  # a structured scalar of numpy's, whose fields mypy does not know


@dataclass
class Recorded:
    """The file of a process that has called MPI_Init."""

    path: Path
    head: Fields
    names: list[str]
    threads: list[Fields]
    communicators: list[Fields]
    origin: float = 0.0  # nanoseconds: where times of the job begin

    @cached_property
    def nanoseconds_a_tick(self) -> float:
        """By two moments on both clocks."""
        ticks = int(self.head["last_ticks"]) - int(self.head["first_ticks"])
        return (int(self.head["last_nanoseconds"]) - int(self.head["first_nanoseconds"])) / ticks if ticks > 0 else 1.0

    def seconds(self, ticks: float) -> float:
        """A length of time."""
        return float(ticks) * self.nanoseconds_a_tick * 1e-9

    @cached_property
    def _first(self) -> tuple[int, int]:
        return int(self.head["first_ticks"]), int(self.head["first_nanoseconds"])

    def at(self, ticks: int) -> float:
        """A point in time, in seconds since the job began."""
        first_ticks, first_nanoseconds = self._first
        return (first_nanoseconds - self.origin + (int(ticks) - first_ticks) * self.nanoseconds_a_tick) * 1e-9

    @property
    def rank(self) -> int:
        """In MPI_COMM_WORLD."""
        return int(self.head["rank"])

    @property
    def node(self) -> str:
        """The same where clocks are the same."""
        return text(self.head["boot"]) or text(self.head["host"])

    @property
    def lost(self) -> int:
        """Calls for which there was no room."""
        return int(self.head["lost"]) + sum(int(one["spare"]["calls"]) for one in self.threads)

    @property
    def lost_messages(self) -> int:
        """Messages that are in no stream."""
        return sum(int(one["lost_messages"]) for one in self.threads)

    def rows(self, thread: int) -> Iterator[Fields]:
        """Where its calls are counted."""
        area = self.threads[thread]
        yield from area["row"][: min(int(area["rows_used"]), layout.MOST_ROWS)]

    def inside(self, thread: int) -> tuple[int, int, int] | None:
        """The function, the communicator (-1: none) and the beginning of a call that never ended; it may have begun
        after the process was last seen."""
        word, since = int(self.threads[thread]["inside"]), int(self.threads[thread]["since"])
        if word == 0:
            return None
        return (word & 0xFFFF) - 1, (word >> 16) - 1, min(since, int(self.head["last_ticks"]))


def of_row(row: Fields) -> tuple[int, int]:
    """The function and the communicator (-1: none)."""
    key = int(row["key"])
    return (key & 0xFFFFFFFF) - 1, (key >> 32) - 1


def text(of: bytes) -> str:
    """Up to the first zero."""
    return bytes(of).split(b"\0", 1)[0].decode(errors="replace")


def recorded(path: Path) -> Recorded | None:
    """None: the process never came out of MPI_Init. Raises UserError for what is no profile, or damaged."""
    try:
        with path.open("rb") as file:
            return _recorded(path, file)
    except OSError as error:
        raise UserError(f"Cannot read {path}: {error}.") from error


def _recorded(path: Path, file: BinaryIO) -> Recorded | None:
    size = file.seek(0, os.SEEK_END)
    # Read, not mapped: in a file system in memory that is full, holes of a mapped file would end this process.
    if size < layout.PROCESS.itemsize or _bytes(file, 0, len(layout.MAGIC)) != layout.MAGIC:
        raise UserError(f"{path} is no profile of a process" + (": it is empty." if size == 0 else "."))
    head = _area(file, 0, layout.PROCESS)
    if int(head["version"]) != layout.VERSION:
        raise UserError(
            f"{path} has format {int(head['version'])}, and this raddle reads format {layout.VERSION}.",
            hint="Read it with the raddle that has written it.",
        )
    if int(head["file_bytes"]) != size or not _fits(head):
        raise UserError(f"{path} is damaged: it has {size} bytes, and should have {int(head['file_bytes'])}")
    if int(head["state"]) == layout.STARTING or int(head["rank"]) < 0:
        return None
    threads = [
        _area(file, int(head["threads_at"]) + at * int(head["thread_bytes"]), layout.THREAD)
        for at in range(min(int(head["threads"]), layout.MOST_THREADS))
    ]
    communicators = [
        _area(file, int(head["communicators_at"]) + at * int(head["communicator_bytes"]), layout.COMMUNICATOR)
        for at in range(int(head["communicators"]))
    ]
    listed = _bytes(file, int(head["functions_at"]), int(head["functions"]) * layout.NAME_BYTES)
    names = [text(listed[at : at + layout.NAME_BYTES]) for at in range(0, len(listed), layout.NAME_BYTES)]
    return Recorded(path, head, names, [one for one in threads if int(one["tid"])], communicators)


def _fits(head: Fields) -> bool:
    last_thread = int(head["threads_at"]) + layout.MOST_THREADS * int(head["thread_bytes"])
    communicators = int(head["communicators_at"]) + int(head["communicators"]) * int(head["communicator_bytes"])
    names = int(head["functions_at"]) + int(head["functions"]) * layout.NAME_BYTES
    sizes = int(head["thread_bytes"]) >= layout.THREAD.itemsize
    sizes = sizes and int(head["communicator_bytes"]) >= layout.COMMUNICATOR.itemsize
    return sizes and max(last_thread, communicators, names) <= int(head["file_bytes"])


def _bytes(file: BinaryIO, at: int, size: int) -> bytes:
    file.seek(at)
    return file.read(size)


def _area(file: BinaryIO, at: int, kind: np.dtype[np.void]) -> Fields:
    return np.frombuffer(_bytes(file, at, kind.itemsize), kind)[0]
