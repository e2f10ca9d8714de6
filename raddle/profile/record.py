# SPDX-License-Identifier: BSD-3-Clause
"""From the files that processes have left to `profile.jsonl`."""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path

import raddle
from raddle.errors import UserError
from raddle.execute.conduct import Ran
from raddle.paths import tilde
from raddle.profile.model import Process, Program, Record
from raddle.profile.store import save
from raddle.profile.trace import write_trace

RAW = "processes"
"""The directory, in that of a profile, that the processes of the program write to."""
TRACE = "trace.json"

Reader = Callable[[Path], list[Record]]


def place(directory: Path) -> Path:
    """Makes the directory that processes write to, in one that is given. Raises UserError for a name that cannot be."""
    raw = (directory / RAW).resolve()
    if "," in str(raw):
        raise UserError(f"Launchers end names at commas, as in {raw}.", hint="Choose another --out.")
    raw.mkdir()
    return raw


def gathered(
    directory: Path, command: Sequence[str], library: str, began: datetime, ran: Ran, read: Reader
) -> list[Record]:
    """What `read` finds of the processes, with the record of the whole before it; none where there was no process.

    Raises UserError where files cannot be read.
    """
    found = list(read(directory / RAW))
    processes = [each for each in found if isinstance(each, Process)]
    if not processes:
        return []
    program = Program(
        command=[tilde(word) for word in command],
        mpi=library.strip().split("\n")[0],
        raddle=raddle.__version__,
        began=began.isoformat(timespec="seconds"),
        status=ran.status,
        ended=ending(ran, processes),
        seconds=ran.seconds,
    )
    records: list[Record] = [program, *found]
    save(records, directory)
    return records


def ending(ran: Ran, processes: Sequence[Process]) -> str:
    """How the program ended, as `Program.ended` has it."""
    if ran.received:
        return "interrupted"
    if not processes:
        return "no-mpi"
    hows = {each.how for each in processes}
    if "aborted" in hows:
        return "aborted"
    if ran.status > 128 or (ran.status and "running" in hows):
        return "killed"
    if hows == {"finalized"}:
        return "finalized"  # and returned what it wanted to
    if ran.status:
        return "aborted"
    return "exited"


def traced(directory: Path) -> int:
    """Writes each call that was kept into `TRACE`. @returns for how many calls there was no room"""
    return write_trace(directory / RAW, directory / TRACE).lost


def about_trace(directory: Path, lost: int) -> str:
    """Where it is, and what it lacks."""
    told = f"Trace: {directory / TRACE} (chrome://tracing, Perfetto)"
    return f"{told}; {lost:,} calls had no room: say --trace=SIZE for more" if lost else told


def clear(directory: Path) -> None:
    """Removes what the processes have written, once it is read."""
    with contextlib.suppress(OSError):
        shutil.rmtree(directory / RAW)


def unseen(command: Sequence[str], ran: Ran, verb: str = "profile") -> UserError:
    """Why there is nothing to report."""
    if ran.status:
        return UserError(
            f"'{' '.join(command)}' ended with status {ran.status} before any process had called MPI_Init.",
            hint=f"Why it did stands above, in its own words; try the command without raddle {verb} --.",
        )
    return UserError(
        f"No process of '{' '.join(command)}' has called MPI_Init of this MPI, so there is nothing to {verb}.",
        hint="Name the MPI that the program is linked with (--mpi NAME). Programs that are linked statically, or that "
        f"a script starts without LD_PRELOAD, cannot be seen (docs/use/{verb}.md).",
    )
