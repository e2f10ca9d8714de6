# SPDX-License-Identifier: BSD-3-Clause
"""Launches that go well, die, hang, babble or will not go away."""

from __future__ import annotations

import json
import os
import signal
import time
import uuid
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
import pytest

from raddle.errors import UserError
from raddle.execute.command import Command
from raddle.execute.journal import Journal, finished
from raddle.execute.launch import Observer, run
from raddle.execute.outcome import Outcome
from raddle.execute.signals import Signals
from raddle.results.launch_log import FILE, read_launches
from tests.cli import fakes
from tests.clusters import fake_job

pytestmark = pytest.mark.timeout(60)

NAME = "b0-alpha-node-thread-x1"


@dataclass
class Stage:
    """A directory to run launches in, and a mark that all their processes carry."""

    directory: Path
    mark: str

    def run(
        self,
        misdeeds: str = "",
        limit: float = 30.0,
        mpiexec: bool = True,
        start: Sequence[str] = (),
        on_row: Callable[[], None] = lambda: None,
        **env: str,
    ) -> Outcome:
        """Run one launch that misbehaves as told."""
        launch = fakes.launch(NAME)
        plan = self.directory / "plan-file.json"
        plan.write_bytes(msgspec.json.encode(launch.plan()))
        program = fakes.programs(self.directory / "bin") / "raddle-bench"
        if mpiexec and not start:
            start = [str(fakes.mpi(self.directory, fakes.family()).mpiexec), "-n", "2"]
        command = Command(
            [*start, str(program), "--level", "multiple", "--plan", str(plan)],
            {**os.environ, "FAKE_BENCH": misdeeds, "MARK": self.mark, **env},
            {},
        )
        with Journal(self.directory) as journal, Signals() as signals:
            return run(launch, command, limit, journal, signals, Observer(on_row))

    def lines(self, kind: str) -> list[dict[str, Any]]:
        """The lines of that type in the journal."""
        text = (self.directory / FILE).read_text()
        whole = [json.loads(line) for line in text.splitlines() if line.endswith("}") and "[warn]" not in line]
        return [line for line in whole if line["type"] == kind]


@pytest.fixture
def stage(tmp_path: Path) -> Iterator[Stage]:
    """A stage that must be empty again after the test."""
    mark = uuid.uuid4().hex
    yield Stage(tmp_path, mark)
    assert fakes.alive(mark) == []


def test_all_lines_are_kept(stage: Stage) -> None:
    outcome = stage.run()
    assert outcome.ok
    assert outcome.rows == 4
    assert [len(stage.lines(kind)) for kind in ("start", "launch", "row", "end", "exit")] == [1, 1, 4, 1, 1]
    assert stage.lines("exit")[0]["status"] == 0
    assert finished(stage.directory) == {NAME}


def test_chatter_is_log_and_cannot_play_with_the_terminal(stage: Stage) -> None:
    outcome = stage.run("chatter")
    assert outcome.ok
    assert "WARNING: no help file" in outcome.log
    assert "libfabric: nothing works" in outcome.log
    assert not any("\x1b" in line for line in outcome.log)
    assert stage.lines("exit")[0]["log"] == outcome.log


def test_record_behind_chatter_on_one_line_is_found(stage: Stage) -> None:
    outcome = stage.run("glued")
    assert outcome.rows == 4
    assert "a warning without a newline" in outcome.log


def test_crash_keeps_finished_rows(stage: Stage) -> None:
    outcome = stage.run("crash", mpiexec=False)
    assert not outcome.ok
    assert outcome.rows == 1
    assert outcome.signal == signal.SIGSEGV
    assert "SIGSEGV while at msgrate lane bytes=8" in outcome.problem()
    assert len(stage.lines("row")) == 1
    assert [why[:3] for _, why in read_launches(stage.directory / FILE).unreadable] == ["cut"]
    assert finished(stage.directory) == set()


def test_crash_behind_a_launcher_is_a_status(stage: Stage) -> None:
    outcome = stage.run("crash")
    assert outcome.status == 128 + signal.SIGSEGV
    assert "exited with status 139 while at msgrate lane bytes=8" in outcome.problem()


def test_crash_at_start_shows_the_last_words(stage: Stage) -> None:
    outcome = stage.run("init-crash")
    assert outcome.rows == 0
    assert "Fatal error in MPI_Init: nothing works" in outcome.log


def test_hang_is_ended_and_says_where(stage: Stage) -> None:
    begun = time.monotonic()
    outcome = stage.run("hang", limit=1.0)
    assert time.monotonic() - begun < 10
    assert outcome.rows == 1
    assert "did not end within 1 s and was stopped while at msgrate lane bytes=8" in outcome.problem()
    assert "--time-limit" in outcome.advice()
    assert stage.lines("exit")[0]["timeout"] is True


def test_hang_that_ignores_sigterm_is_killed(stage: Stage) -> None:
    outcome = stage.run("stubborn,hang", limit=1.0)
    assert outcome.stopped
    assert outcome.rows == 1


def test_hang_after_the_end_line_is_ended(stage: Stage) -> None:
    outcome = stage.run("exit-hang", limit=1.0)
    assert outcome.rows == 4
    assert not outcome.ok


def test_lost_grandchild_is_ended_and_told(stage: Stage) -> None:
    outcome = stage.run("grandchild")
    assert outcome.rows == 4
    assert "left processes running" in outcome.problem()


@pytest.mark.parametrize("misdeed", ["flood", "endless-line"])
def test_flood_does_no_harm(stage: Stage, misdeed: str) -> None:
    outcome = stage.run(misdeed)
    assert outcome.rows == 4
    assert sum(map(len, outcome.log)) < 100_000


def test_damaged_row_is_not_taken_for_a_result(stage: Stage) -> None:
    outcome = stage.run("bad-row")
    assert outcome.rows == 4
    log = read_launches(stage.directory / FILE)
    assert len(log.launches[0].rows) == 4
    assert len(log.unreadable) == 4
    assert any('"row"' in line for line in outcome.log)


def test_row_with_another_ranks_words_in_its_middle_is_kept_and_the_launch_not_finished(stage: Stage) -> None:
    outcome = stage.run("torn")
    assert not outcome.ok
    assert outcome.rows == 3
    assert outcome.problem() == "printed 4 rows, of which 3 could be read"
    assert "--resume" in outcome.advice()
    [(line, why)] = read_launches(stage.directory / FILE).unreadable
    assert "[warn] out of memory" in (stage.directory / FILE).read_text().splitlines()[line - 1]
    assert why.startswith("cut or garbled")
    assert finished(stage.directory) == set()


def test_end_without_end_line_is_a_failure(stage: Stage) -> None:
    outcome = stage.run("early")
    assert "ended early without saying why" in outcome.problem()
    assert finished(stage.directory) == set()


def test_status_after_a_good_end_is_told(stage: Stage) -> None:
    assert "exited with status 7" in stage.run("status").problem()


def test_refused_plan_points_to_the_message(stage: Stage) -> None:
    outcome = stage.run("refuse")
    assert "refused its plan" in outcome.advice()
    assert any("allowed: 0 to" in line for line in outcome.log)


def test_processes_that_srun_did_not_connect_are_told_how(stage: Stage, tmp_path: Path) -> None:
    """With MpiDefault=none each begins as one of one, and all refuse a plan for more."""
    path = f"{fake_job.commands(tmp_path / 'slurm')}:{os.environ['PATH']}"
    outcome = stage.run("alone", start=["env", "A=1", "srun", "--ntasks=2"], PATH=path, TEST_LOG=str(tmp_path))
    assert "SLURM_MPI_TYPE=pmi2" in outcome.advice()
    assert any("this launch has 1" in line for line in outcome.log)
    assert "SLURM_MPI_TYPE" not in stage.run("alone").advice()  # by an mpiexec


def test_no_thread_multiple_says_what_to_do(stage: Stage) -> None:
    outcome = stage.run("no-thread-multiple")
    assert "no-thread-multiple: asked for multiple, got serialized" in outcome.problem()
    assert "--variant process" in outcome.advice()


def test_invalid_data_is_more_than_a_failure(stage: Stage) -> None:
    outcome = stage.run("invalid")
    assert outcome.invalid
    assert len(outcome.errors) == 4
    assert outcome.problem() == "validation: msgrate thread bytes=8 threads=1: byte 3 is 7, expected 8 (and 3 more)"


def test_program_that_is_not_there(stage: Stage) -> None:
    launch = fakes.launch(NAME)
    command = Command([str(stage.directory / "nothing")], {}, {})
    with Journal(stage.directory) as journal, Signals() as signals, pytest.raises(UserError, match="Cannot start"):
        run(launch, command, 5.0, journal, signals, Observer())


def test_interrupt_ends_the_launch_and_keeps_rows(stage: Stage) -> None:
    outcome = stage.run("hang", on_row=lambda: os.kill(os.getpid(), signal.SIGINT))
    assert "was interrupted while at msgrate lane" in outcome.problem()
    assert len(stage.lines("row")) == 1


def test_impatient_interrupt_does_not_wait_for_the_stubborn(stage: Stage) -> None:
    begun = 0.0

    def twice() -> None:
        nonlocal begun
        begun = time.monotonic()
        os.kill(os.getpid(), signal.SIGTERM)
        os.kill(os.getpid(), signal.SIGTERM)

    stage.run("stubborn,hang", on_row=twice)
    assert time.monotonic() - begun < 1.4  # the patient way waits 1.5 s


def test_an_interrupt_does_not_wait_long_for_the_stubborn(stage: Stage) -> None:
    begun = 0.0

    def once() -> None:
        nonlocal begun
        begun = time.monotonic()
        os.kill(os.getpid(), signal.SIGINT)

    stage.run("stubborn,hang", on_row=once)
    assert 1.2 < time.monotonic() - begun < 2.8  # one that listens to nothing had 3 s before


def test_signal_handlers_are_put_back() -> None:
    before = [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGCHLD)]
    with Signals():
        pass
    assert [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGCHLD)] == before


def test_full_disk_ends_the_launch_too(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_room(self: Journal, text: bytes) -> None:
        if b'"row"' in text:
            raise UserError("Cannot write the results: No space left on device.")
        original(self, text)

    original = Journal.line
    monkeypatch.setattr(Journal, "line", no_room)
    with pytest.raises(UserError, match="No space left"):
        stage.run("hang")
