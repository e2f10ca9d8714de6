# SPDX-License-Identifier: BSD-3-Clause
"""Progress of a run: one live line on a terminal, now and then a plain one elsewhere.

What is shown costs CPU time that a benchmark may want, so nothing is drawn by a clock of its own: only when a launch
or a point ends, and once a second on a terminal.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from types import TracebackType

from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, Progress, TextColumn

from raddle.execute.outcome import Outcome
from raddle.plan.estimate import Estimate
from raddle.plan.schedule import Launch
from raddle.units import duration

_QUIET_SECONDS = 10.0  # between two plain lines
_LOG_LINES = 5


class RunProgress:
    """Shows how far a run is. Use as a context manager; then `begin` and `finish` each launch."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._live = console.is_terminal
        self._estimate = Estimate()
        self._left: list[Launch] = []
        self._blocks = 0
        self._spent = 0.0
        self._finished = 0
        self._current: Launch | None = None
        self._begun = 0.0
        self._rows = 0
        self._said = time.monotonic()
        self._bar = Progress(
            TextColumn("{task.description}"),
            BarColumn(bar_width=24),
            TextColumn("{task.fields[left]}"),
            console=console,
            auto_refresh=False,
            transient=True,
            disable=not self._live,
        )
        self._task = self._bar.add_task("", total=1.0, left="")

    @property
    def ticking(self) -> bool:
        """Whether `tick` wants to be called."""
        return self._live

    def expect(self, launches: Sequence[Launch]) -> None:
        """These are to come, in addition to what was said before."""
        self._left += launches
        self._blocks = max((launch.block + 1 for launch in launches), default=self._blocks)

    def seconds_left(self) -> float:
        """Seconds until the last launch that is planned now will have ended."""
        running = 0.0
        if self._current:
            running = max(0.0, self._estimate.expected(self._current) - (time.monotonic() - self._begun))
        return running + self._estimate.total(self._left)

    def begin(self, launch: Launch) -> None:
        """The launch starts."""
        self._left.remove(launch)
        self._current, self._begun, self._rows = launch, time.monotonic(), 0
        self._draw()

    def skip(self, launch: Launch) -> None:
        """The launch will not be made after all."""
        self._left.remove(launch)

    def row(self) -> None:
        """The current launch has done one more point."""
        self._rows += 1

    def tick(self) -> None:
        """A second has passed."""
        self._draw()

    def finish(self, launch: Launch, outcome: Outcome) -> None:
        """The launch has ended; trouble is told at once."""
        self._estimate.learn(launch, outcome.seconds)
        self._spent += outcome.seconds
        self._finished += 1
        self._current = None
        now = time.monotonic()
        if not self._live and (now - self._said >= _QUIET_SECONDS or not self._left):
            self._said = now
            count = f"{self._finished} of {self._finished + len(self._left)} launches"
            self._console.print(f"{count} done, {duration(self.seconds_left())} left")

    def trouble(self, launch: Launch, outcome: Outcome) -> None:
        """Say what went wrong with a launch, with the end of its log and what to do."""
        self._console.print(f"[red]{escape(launch.launch)}[/] {escape(outcome.problem())}")
        for line in outcome.log[-_LOG_LINES:]:
            self._console.print(f"  [dim]{escape(line)}[/]")
        if advice := outcome.advice():
            self._console.print(f"  {escape(advice)}")

    def say(self, text: str) -> None:
        """One line of plain text."""
        self._console.print(escape(text))

    def _draw(self) -> None:
        if not self._live or self._current is None:
            return
        launch, left = self._current, self.seconds_left()
        what = f"block {launch.block + 1}/{self._blocks}  {launch.kind}  {self._rows}/{launch.points} points"
        spent = self._spent + time.monotonic() - self._begun
        self._bar.update(
            self._task, description=escape(what), completed=spent, total=spent + left, left=f"{duration(left)} left"
        )
        self._bar.refresh()

    def __enter__(self) -> RunProgress:
        self._bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._bar.stop()
