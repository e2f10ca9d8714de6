# SPDX-License-Identifier: BSD-3-Clause
"""How a launch went, and how to say it."""

from __future__ import annotations

import signal
from dataclasses import dataclass, field
from itertools import chain

from raddle.execute.records import ErrorLine, SkipLine
from raddle.model import Params

TIME_LIMIT = "time limit"
INTERRUPTED = "interrupted"
LEFT_OVER = "left-over processes"
HANG = "hang"  # the code of what the watchdog of raddle-bench says


@dataclass
class Outcome:
    """The end of one launch. `stopped` says why Raddle had to end it; empty when it ended by itself."""

    launch: str
    time_limit: float = 0.0
    seconds: float = 0.0  # its end included, which a launch that hangs may resist for a while
    status: int = 0
    signal: int = 0
    stopped: str = ""
    ended: bool = False  # it said `end`: all that was planned was tried
    rows: int = 0
    printed: int = 0  # rows, by its own account
    errors: list[ErrorLine] = field(default_factory=list)
    skips: list[SkipLine] = field(default_factory=list)
    log: list[str] = field(default_factory=list)
    was_at: str = ""  # the piece of work it had not finished
    launcher: str = ""  # what started it
    alone: bool = False  # a process of several believed to be the only one

    @property
    def ok(self) -> bool:
        """Everything planned was measured and has arrived, or is something that this MPI does not have."""
        return self.status == 0 and self.ended and not self.garbled and not self.errors and not self.stopped

    @property
    def garbled(self) -> bool:
        """Not all that it printed could be read."""
        return self.ended and self.rows != self.printed

    @property
    def invalid(self) -> bool:
        """Data arrived changed: worse than not arriving."""
        return any(error.code == "validation" for error in self.errors)

    def problem(self) -> str:
        """What went wrong, in one sentence; empty when nothing did."""
        if self.ok:
            return ""
        if self.stopped == TIME_LIMIT:
            return f"did not end within {self.time_limit:.0f} s and was stopped{self._where()}"
        if self.stopped == INTERRUPTED:
            return f"was interrupted{self._where()}"
        if self.stopped == LEFT_OVER:
            return f"ended with status {self.status} but left processes running, which were ended{self._where()}"
        if hung := [error.message for error in self.errors if error.code == HANG]:
            # Each process tells its side: together they say who waited for whom.
            return "\n  ".join(
                ["hung, and its watchdog ended it:", *chain.from_iterable(side.split("; ") for side in hung)]
            )
        if self.errors:
            first = self.errors[0]
            what = work(first.benchmark, first.variant, first.params)
            more = f" (and {len(self.errors) - 1} more)" if len(self.errors) > 1 else ""
            return f"{first.code}{': ' + what if what else ''}: {first.message}{more}"
        if self.signal:
            return f"was killed by {signal.Signals(self.signal).name}{self._where()}"
        if self.status == 0 and self.garbled:
            return f"printed {self.printed} rows, of which {self.rows} could be read"
        if self.status == 0:
            return f"ended early without saying why{self._where()}"
        return f"exited with status {self.status}{self._where()}"

    def advice(self) -> str:
        """What the user can do about it."""
        codes = {error.code for error in self.errors}
        if "no-thread-multiple" in codes:
            return (
                "This MPI does not provide MPI_THREAD_MULTIPLE: use one that was built with it "
                "(MPICH: --enable-threads=multiple), or measure --variant process only."
            )
        if HANG in codes:
            return "If nobody could have come to whom they waited for, the MPI hangs there: report it to its authors."
        if self.stopped == TIME_LIMIT:
            return "Raise --time-limit if the machine is just slow; else the MPI hangs there."
        if self.alone and self.launcher == "srun" and not self.ok:
            return (
                "srun did not connect the processes: each believes to be alone. export SLURM_MPI_TYPE=pmi2, or what "
                "else srun --mpi=list shows (docs/use/clusters.md)."
            )
        if self.status == 2 and not self.errors:
            return "raddle-bench refused its plan; its last lines say why."
        if self.garbled:
            return "Something else was printed in their middle: launches.jsonl has both. --resume measures them again."
        return ""

    def _where(self) -> str:
        return f" while at {self.was_at}" if self.was_at else ""


def work(benchmark: str, variant: str, params: Params) -> str:
    """A point in words, e.g. "msgrate lane bytes=8 threads=2"; empty when nothing is known of it."""
    return " ".join(filter(None, (benchmark, variant, *(f"{name}={value}" for name, value in params.items()))))
