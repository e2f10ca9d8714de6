# SPDX-License-Identifier: BSD-3-Clause
"""What a launch says, line by line: records, and what may be one, go to the journal, the rest is kept as log."""

from __future__ import annotations

from collections.abc import Callable

from raddle.execute.job import Job
from raddle.execute.journal import Journal
from raddle.execute.log import Log
from raddle.execute.outcome import Outcome, work
from raddle.execute.records import EndLine, ErrorLine, LaunchLine, Record, Row, SkipLine, parse
from raddle.execute.shm import SharedMemory
from raddle.execute.streams import TaggedLine
from raddle.model import Params
from raddle.plan.schedule import Launch


class Listener:
    """Hears one launch and knows how far it is. `on_row` is called after each point that is done with."""

    def __init__(
        self, launch: Launch, job: Job, memory: SharedMemory, journal: Journal, on_row: Callable[[], None]
    ) -> None:
        self.outcome = Outcome(launch.launch)
        self.log = Log()
        self._launch, self._job, self._memory, self._journal, self._on_row = launch, job, memory, journal, on_row
        self._ranks: list[int] = []
        self._done: set[str] = set()

    def hear(self, lines: list[TaggedLine]) -> None:
        """Take lines in the order in which they came."""
        for is_output, raw in lines:
            found = parse(raw, self._launch.launch) if is_output else None
            if found is None:
                self.log.add(raw)
                continue
            line, text = found
            self._journal.line(text)
            if line is None:
                self.log.add(raw)
            else:
                self.log.add(raw[: len(raw) - len(text)])
                self._understand(line)

    def was_at(self) -> str:
        """The first planned piece of work that nothing was heard of; empty when all was done."""
        planned = (work(one.benchmark, variant, one.params) for one in self._launch.sets for variant in one.variants)
        return next((one for one in planned if one not in self._done), "")

    def _understand(self, line: Record) -> None:
        outcome = self.outcome
        match line:
            case LaunchLine():
                # Only a pid that is ours by our own evidence: the line is text that came through a pipe.
                self._ranks = [rank.pid for rank in line.ranks if self._job.owns(rank.pid)]
                self._memory.look(self._ranks)
                outcome.alone = len(line.ranks) == 1 < self._launch.processes
            case Row():
                outcome.rows += 1
                self._finish(line.benchmark, line.variant, line.params)
            case ErrorLine():
                outcome.errors.append(line)
                self._finish(line.benchmark, line.variant, line.params)
            case SkipLine():
                outcome.skips.append(line)
                self._finish(line.benchmark, line.variant, line.params)
            case EndLine():
                outcome.ended = True
                outcome.printed = line.rows
                self._memory.look(self._ranks)

    def _finish(self, benchmark: str, variant: str, params: Params) -> None:
        # Rows tell more parameters (placement, processes) than plans do; one plan's sets never differ in those alone.
        for one in self._launch.sets:
            same = one.benchmark == benchmark and all(params.get(name) == value for name, value in one.params.items())
            if same:
                self._done.add(work(benchmark, variant, one.params))
        self._on_row()
