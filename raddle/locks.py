# SPDX-License-Identifier: BSD-3-Clause
"""Keeping two `raddle` from installing or building the same thing at once."""

from __future__ import annotations

import fcntl
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from raddle.errors import UserError


@contextmanager
def exclusive(path: Path, waiting: Callable[[], None]) -> Iterator[None]:
    """Holds the lock file; calls `waiting` once if another process has it. The kernel frees it when a process dies.

    Raises UserError where there can be no such file.
    """
    with _opened(path) as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            waiting()
            fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _opened(path: Path) -> TextIO:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        return path.open("w", encoding="utf-8")
    except OSError as error:
        raise UserError(
            f"Cannot write {path.parent}: {error.strerror}.",
            hint="Set RADDLE_HOME to a directory of your own, or run a checkout of your own.",
        ) from error
