# SPDX-License-Identifier: BSD-3-Clause
"""The output of a running job as lines, without threads and without polling."""

from __future__ import annotations

import os
import selectors
import subprocess
from types import TracebackType
from typing import IO

from raddle.execute.lines import LineReader
from raddle.execute.signals import Signals

_CHUNK = 1 << 16
TaggedLine = tuple[bool, bytes]  # (it came from standard output, the line)


class Streams:
    """Both pipes of `process`, read as they fill. Use as a context manager."""

    def __init__(self, process: subprocess.Popen[bytes], signals: Signals) -> None:
        self._signals = signals
        self._selector = selectors.DefaultSelector()
        self._selector.register(signals.fd, selectors.EVENT_READ)
        self._readers: dict[IO[bytes], tuple[bool, LineReader]] = {}
        for pipe, is_output in ((process.stdout, True), (process.stderr, False)):
            assert pipe is not None
            os.set_blocking(pipe.fileno(), False)
            self._selector.register(pipe, selectors.EVENT_READ, data=pipe)
            self._readers[pipe] = (is_output, LineReader())

    @property
    def open(self) -> bool:
        """Whether anything can still come."""
        return bool(self._readers)

    def wait(self, seconds: float | None) -> tuple[bool, list[TaggedLine]]:
        """Wait for output or a signal (any, also a child's end); (something happened, lines that are complete)."""
        lines: list[TaggedLine] = []
        events = self._selector.select(seconds)
        for key, _ in events:
            if key.data is None:
                self._signals.drain()
            else:
                lines += self._read(key.data)
        return bool(events), lines

    def rest(self) -> list[TaggedLine]:
        """What is in the pipes now, the cut-off last lines included."""
        lines: list[TaggedLine] = []
        while self._readers:
            events = [key.data for key, _ in self._selector.select(0) if key.data is not None]
            if not events:
                break
            for pipe in events:
                lines += self._read(pipe)
        for is_output, reader in self._readers.values():
            lines.append((is_output, reader.rest()))
        return lines

    def _read(self, pipe: IO[bytes]) -> list[TaggedLine]:
        is_output, reader = self._readers[pipe]
        data = pipe.read(_CHUNK)
        if data is None:  # woken for nothing
            return []
        if data:
            return [(is_output, line) for line in reader.feed(data)]
        self._selector.unregister(pipe)
        del self._readers[pipe]
        return [(is_output, reader.rest())]

    def __enter__(self) -> Streams:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._selector.close()
