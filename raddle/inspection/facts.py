# SPDX-License-Identifier: BSD-3-Clause
"""What was found out, as plain data: judged by `raddle.doctor.judge`, and shown whole by `--json`."""

from __future__ import annotations

import msgspec

from raddle.tuning.tuned import Choice

Value = bool | int | float | str | list[int]


class Job(msgspec.Struct, frozen=True, kw_only=True):
    """The program to judge for: how many processes on this node, and threads that communicate in each."""

    processes: int
    threads: int

    @property
    def contexts(self) -> int:
        """How many of its threads are busy at once."""
        return self.processes * self.threads


class Machine(msgspec.Struct, frozen=True, kw_only=True):
    """What the MPI cannot change."""

    cpus: list[int]  # that this session may use
    shm_mib: int  # /dev/shm, whole and free; -1 where there is none
    shm_free_mib: int
    ptrace_scope: str  # "" where the kernel has no such switch
    root: bool


class Rank(msgspec.Struct, frozen=True, kw_only=True):
    """Where a process and its OpenMP threads may run."""

    rank: int
    host: str
    cpus: list[int]
    threads: list[list[int]]


class Trial(msgspec.Struct, frozen=True, kw_only=True):
    """Something that some libraries do wrong, tried: `right`, `wrong`, `hang`, `crash`, `absent` or `not-run`."""

    name: str
    outcome: str
    detail: str = ""

    @property
    def failed(self) -> bool:
        return self.outcome in ("wrong", "hang", "crash")

    @property
    def words(self) -> str:
        """What was seen, as a clause."""
        if self.outcome == "wrong":
            return self.detail
        return f"it {'hung' if self.outcome == 'hang' else 'crashed'} ({self.detail})"


class Behind(msgspec.Struct, frozen=True, kw_only=True):
    """Two processes of another MPI did the same work `times` as fast; both medians in words."""

    shape: str  # of raddle.tuning.shapes
    times: float
    interval: tuple[float, float]
    best: str  # that MPI, e.g. "Open MPI 4.1.4 (Debian)"
    own: str
    its: str


class Facts(msgspec.Struct, kw_only=True):
    """One MPI. Empty or None is what was not told."""

    name: str
    title: str
    version: str
    library: str
    standard: str = ""
    command: list[str] = []  # how the user starts the job, and one process
    command_one: list[str] = []
    environment: dict[str, str] = {}  # the variables of MPI libraries that the user has set
    problem: str = ""  # what was said when that did not start
    needs: dict[str, str] = {}  # settings with which it does
    root_refused: bool = False
    levels: dict[str, str] = {}  # thread level asked for: provided
    all: list[Rank] = []  # the ranks of a launch like the job
    bare: list[Rank] = []  # the same without what binds OpenMP's threads: what the launcher alone does
    one: list[Rank] = []  # the only rank of a launch of one process, without it as well
    contexts: int | None = None  # that the library opened
    contexts_with: int | None = None  # that it opens with `lane_settings`
    lane_settings: dict[str, str] = {}
    transport: str = ""
    no_network: str = ""
    reach: str = ""  # "permitted", or why one process may not read another's memory
    yields: bool | None = None
    cvars: dict[str, Value] = {}  # those that matter
    defaults: dict[str, Value] = {}  # the same without any MPI variable in the environment
    unknown_settings: list[str] = []
    trials: list[Trial] = []
    behind: list[Behind] = []  # which of the MPIs here it is slower than, with --measure
    tuned: dict[str, Choice] = {}  # by shape of work, its best settings, where they are known

    @property
    def changed(self) -> dict[str, tuple[Value, Value]]:
        """Control variables that differ from their default: value and default."""
        both = self.cvars.keys() & self.defaults.keys()
        return {
            name: (self.cvars[name], self.defaults[name])
            for name in sorted(both)
            if self.cvars[name] != self.defaults[name]
        }
