# SPDX-License-Identifier: BSD-3-Clause
"""The directory of a run."""

from __future__ import annotations

import contextlib
from datetime import datetime
from pathlib import Path

from raddle.errors import UserError
from raddle.paths import refuse_bytes
from raddle.plan import FILE as PLAN

ROOT = Path("results")


def create(out: Path | None) -> tuple[Path, bool]:
    """A new or empty directory: `out`, or one in `results`; and whether it was not there before.

    Raises UserError when it is in use or unwritable, or its name is.
    """
    directory = out or fresh()
    refuse_bytes(directory, "Choose another --out.")
    is_new = not directory.exists()
    try:
        directory.mkdir(parents=True, exist_ok=True)
        if any(directory.iterdir()):
            is_run = (directory / PLAN).exists()
            go_on = f", or go on with the run that is in it: raddle run --resume {directory}" if is_run else "."
            raise UserError(f"{directory} is not empty.", hint=f"Choose another --out{go_on}")
        # The permission bits do not tell: root ignores them, and a read-only file system ignores root.
        trial = directory / ".raddle"
        trial.touch()
        trial.unlink()
    except OSError as error:
        raise UserError(f"Cannot write to {directory}: {error.strerror}.", hint="Choose another --out.") from error
    return directory, is_new


def forget(directory: Path) -> None:
    """Remove a directory that nothing was written to."""
    with contextlib.suppress(OSError):
        directory.rmdir()


def link_latest(directory: Path) -> None:
    """Let `results/latest` point to a run in `results`; anything there that is no link of ours stays."""
    if directory.parent != ROOT:
        return
    link = ROOT / "latest"
    with contextlib.suppress(OSError):
        if link.is_symlink():
            link.unlink()
        link.symlink_to(directory.name)


def fresh() -> Path:
    """The name of a directory in `results` that is not there yet."""
    stamp = f"{datetime.now().astimezone():%Y%m%d-%H%M%S}"
    candidates = (ROOT / (stamp if number == 1 else f"{stamp}-{number}") for number in range(1, 1000))
    return next(path for path in candidates if not path.exists())
