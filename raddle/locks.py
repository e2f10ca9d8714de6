# SPDX-License-Identifier: BSD-3-Clause
"""Keeping two `raddle` from installing, building or measuring the same thing at once."""

from __future__ import annotations

import fcntl
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import TextIO

import typer

from raddle.errors import UserError


@contextmanager
def exclusive(path: Path, waiting: Callable[[], None]) -> Iterator[None]:
    """Holds the lock file; calls `waiting` once if another process has it. The kernel frees it when a process dies.

    Goes on without where the file system knows no locks. Raises UserError where there can be no such file.
    """
    with _opened(path) as file:
        if not locked(file.fileno()):
            waiting()
            locked(file.fileno(), wait=True)
        yield


def locked(file: int, *, wait: bool = False) -> bool:
    """Locks an open file; False if another process has it. Where files cannot be locked that is told, and no reason to
    stop: to most there is no other."""
    try:
        fcntl.flock(file, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
    except BlockingIOError:
        return False
    except OSError as error:  # ENOSYS of Lustre mounted without them, ENOLCK of NFS
        _tell_once(error.strerror)
    return True


@cache
def _tell_once(why: str) -> None:
    typer.echo(f"The file system has no locks ({why}): let no other raddle build or measure here meanwhile.", err=True)


def _opened(path: Path) -> TextIO:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        return path.open("w", encoding="utf-8")
    except OSError as error:
        raise UserError(
            f"Cannot write {path.parent}: {error.strerror}.",
            hint="Set RADDLE_HOME to a directory of your own, or run a checkout of your own.",
        ) from error
