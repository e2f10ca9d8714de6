# SPDX-License-Identifier: BSD-3-Clause
"""Trials that crash or hang take none of the others along."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from raddle.inspection.ask import Answer
from raddle.inspection.trials import GROUPS, Group, run_trials

Outcome = Callable[[str], tuple[str, str]]


def begin(name: str) -> dict[str, Any]:
    return {"type": "begin", "trial": name}


def outcome(name: str, what: str, detail: str = "") -> dict[str, Any]:
    return {"type": "outcome", "trial": name, "outcome": what, "detail": detail}


class FakeMpi:
    """Launches that go as `bad` says: a trial in it ends the launch so; "crash" and "silence" say nothing."""

    def __init__(self, **bad: str) -> None:
        self.bad = {name.replace("_", "-"): what for name, what in bad.items()}
        self.launches: list[list[str]] = []

    def __call__(self, names: list[str], group: Group) -> Answer:
        self.launches.append(names)
        answer = Answer(chatter=["KILLED BY SIGNAL: 11 (Segmentation fault)"], status=255)
        for name in names:
            answer.lines.append(begin(name))
            what = self.bad.get(name, "right")
            if what == "silence":
                answer.timed_out = True
            if what in ("crash", "silence"):
                return answer
            answer.lines.append(outcome(name, what, f"of {name}"))
            if what != "right":
                return answer
        return answer

    def outcomes(self) -> dict[str, str]:
        return {trial.name: trial.outcome for trial in run_trials(self)}


def test_all_go_well_in_one_launch_for_each_number_of_processes() -> None:
    mpi = FakeMpi()
    assert set(mpi.outcomes().values()) == {"right"}
    assert mpi.launches == [list(group.names) for group in GROUPS]


def test_each_failure_costs_one_launch_more() -> None:
    mpi = FakeMpi(partitioned_strided="wrong", partitioned_test="crash", partitioned_startall="hang", spawn="silence")
    found = mpi.outcomes()
    bad = {name: what for name, what in found.items() if what != "right"}
    assert bad == {
        "partitioned-strided": "wrong", "partitioned-test": "crash", "partitioned-startall": "hang", "spawn": "hang",
    }  # fmt: skip
    assert len(found) == sum(len(group.names) for group in GROUPS)
    assert len(mpi.launches) == len(GROUPS) + 3  # spawn was the last of its launch


def test_a_crash_is_told_in_the_words_of_the_launcher() -> None:
    trials = {trial.name: trial for trial in run_trials(FakeMpi(spawn="crash"))}
    assert trials["spawn"].detail == "segmentation fault"
    assert trials["spawn"].failed


def test_the_first_word_about_a_trial_counts() -> None:
    """A rank that sees a defect ends the job; what another one says in its last moment is no outcome."""

    def launch(names: list[str], group: Group) -> Answer:
        lines = [begin(names[0]), outcome(names[0], "wrong", "first"), outcome(names[0], "hang", "second")]
        return Answer(lines=lines)

    assert {(trial.outcome, trial.detail) for trial in run_trials(launch)} == {("wrong", "first")}


def test_what_does_not_start_is_not_tried_and_ends() -> None:
    launches = []

    def launch(names: list[str], group: Group) -> Answer:
        launches.append(names)
        return Answer(chatter=["There are not enough slots available."], status=1)

    found = run_trials(launch)
    assert {trial.outcome for trial in found} == {"not-run"}
    assert found[0].detail == "There are not enough slots available"
    assert launches == [list(group.names) for group in GROUPS]
