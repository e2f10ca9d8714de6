# SPDX-License-Identifier: BSD-3-Clause
"""The loop over the launches of a plan, until all are made, enough is known, or somebody says stop."""

from __future__ import annotations

import signal
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from raddle.campaign.contexts import contexts_of
from raddle.campaign.progress import RunProgress
from raddle.clusters.nodes import NODES
from raddle.execute.journal import Journal, finished
from raddle.execute.launch import Observer, run
from raddle.execute.outcome import INTERRUPTED, TIME_LIMIT, Outcome
from raddle.execute.signals import Signals
from raddle.execute.starter import Starter
from raddle.execute.state_probe import StateProbe
from raddle.model import Reading
from raddle.plan.document import Document
from raddle.plan.estimate import default_time_limit
from raddle.plan.schedule import Launch
from raddle.results.launch_log import FILE

# A launch that gave nothing, or hung, twice in a row will do so the third time, and may cost its time limit again.
_TRIES = 2


@dataclass
class Summary:
    """How a run went."""

    made: int = 0
    rows: int = 0
    failed: list[Outcome] = field(default_factory=list)
    given_up: set[str] = field(default_factory=set)  # kinds of launches
    interrupted: signal.Signals | None = None

    @property
    def exit_code(self) -> int:
        """0 all well, 1 some launch failed, 3 data arrived changed, 128 + signal when interrupted."""
        if self.interrupted:
            return 128 + self.interrupted
        if any(outcome.invalid for outcome in self.failed):
            return 3
        return 1 if self.failed else 0


class Campaign:
    """A plan being carried out in `directory`."""

    def __init__(self, document: Document, directory: Path, starter: Starter, progress: RunProgress) -> None:
        self._document, self._directory = document, directory
        self._starter, self._progress = starter, progress
        self._probe = StateProbe(starter.probe)
        self._fruitless: Counter[str] = Counter()
        self._summary = Summary()

    def conduct(self) -> Summary:
        """Make all launches that have not been made yet. Raises UserError when nothing can be written or started."""
        done = finished(self._directory)
        pending = [launch for launch in self._document.launches if launch.launch not in done]
        with (
            Journal(self._directory) as journal,
            Signals() as signals,
            self._starter.nodes,
            self._probe,
            self._progress,
        ):
            for launches in self._rounds(pending):
                self._progress.expect(launches)
                for launch in launches:
                    if signals.received:
                        break
                    if self._fruitless[launch.kind] >= _TRIES:
                        self._give_up(launch)
                        continue
                    self._make(launch, journal, signals)
                if signals.received:
                    break
            self._summary.interrupted = signals.received
        return self._summary

    def _rounds(self, pending: list[Launch]) -> Iterator[list[Launch]]:
        """What is planned, then one more block at a time while the plan allows it and the intervals ask for it."""
        yield pending
        document = self._document
        while document.open_ended and not self._precise_enough():
            yield self._one_more_block()
        while document.spare_blocks and self._split():
            document.spare_blocks -= 1
            yield self._one_more_block()

    def _one_more_block(self) -> list[Launch]:
        document = self._document
        before = len(document.launches)
        document.add_block()
        document.save(self._directory)
        return document.launches[before:]

    def _split(self) -> bool:
        """Whether the machine was in several states, so that blocks are too few in each."""
        from raddle.campaign.precision import count_split  # noqa: PLC0415

        without, ratios = count_split(self._directory / FILE)
        if without:
            self._progress.say(
                f"The machine changed its state: after {self._document.blocks} blocks {without} of {ratios} ratios "
                f"have too few in one and the same. One more block, of {self._document.spare_blocks} at most."
            )
        return bool(without)

    def _precise_enough(self) -> bool:
        # Statistics take long to load, and most runs have a fixed number of blocks.
        from raddle.campaign.precision import count_narrow  # noqa: PLC0415

        goal = self._document.half_width
        narrow, ratios = count_narrow(self._directory / FILE, goal)
        self._progress.say(f"After {self._document.blocks} blocks {narrow} of {ratios} ratios are known to {goal:.0%}.")
        return narrow == ratios

    def _make(self, launch: Launch, journal: Journal, signals: Signals) -> None:
        progress = self._progress
        command = self._starter.command(launch)
        progress.begin(launch)
        limit = self._document.time_limit or default_time_limit(launch)
        observer = Observer(progress.row, progress.tick if progress.ticking else None)
        before = self._state(launch)
        outcome = run(launch, command, limit, journal, signals, observer)
        journal.note("probe", launch=launch.launch, before=before, after=self._state(launch))
        self._count(launch, outcome)
        progress.finish(launch, outcome)

    def _state(self, launch: Launch) -> Reading:
        """How far apart the CPUs are that the launch takes."""
        if launch.topology == NODES:
            return Reading(error="it ran on other nodes")
        return self._probe.ask(contexts_of(launch), launch.pin)

    def _give_up(self, launch: Launch) -> None:
        self._progress.skip(launch)
        if launch.kind not in self._summary.given_up:
            self._summary.given_up.add(launch.kind)
            self._progress.say(f"{launch.kind} is not tried again: it failed {_TRIES} times in a row.")

    def _count(self, launch: Launch, outcome: Outcome) -> None:
        summary = self._summary
        summary.made += 1
        summary.rows += outcome.rows
        if outcome.ok or outcome.stopped == INTERRUPTED:
            self._fruitless[launch.kind] = 0
            return
        # Blocks repeat launches, and so their troubles: each is told once.
        known = {(one.launch.partition("-")[2], one.problem()) for one in summary.failed}
        if (launch.kind, outcome.problem()) not in known:
            self._progress.trouble(launch, outcome)
        summary.failed.append(outcome)
        wasted = not outcome.rows or outcome.stopped == TIME_LIMIT
        self._fruitless[launch.kind] = self._fruitless[launch.kind] + 1 if wasted else 0
