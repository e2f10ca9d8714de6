# SPDX-License-Identifier: BSD-3-Clause
"""Trials of what some libraries do wrong: as many in one launch as it survives, the rest in further ones."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from raddle.inspection.ask import Answer
from raddle.inspection.facts import Trial


@dataclass(frozen=True)
class Group:
    """Trials that share launches; `as_user` leaves everything to the user's launcher.

    `apart`: the processes speak as if each were on a node of its own.
    """

    processes: int
    names: tuple[str, ...]  # those that some library does not survive come last
    as_user: bool = False
    apart: bool = False


GROUPS = (
    Group(
        2,
        (
            "partitioned-exchange",
            "partitioned-in-parts",
            "partitioned-never",
            "partitioned-too-early",
            "partitioned-strided",
            "partitioned-any-tag",
            "partitioned-test",
            "partitioned-startall",
            "partitioned-no-partner",
        ),
    ),
    Group(3, ("partitioned-subset",)),
    Group(2, ("any-source",), apart=True),
    # Its two threads have to run at the same time, so nothing may bind them to one CPU.
    Group(1, ("tool-level",)),
    # MPICH 5's launcher cannot spawn when it was told a binding.
    Group(1, ("spawn",), as_user=True),
)

# Those of partitioned communication.
PARTITIONED = tuple(group for group in GROUPS if all(name.startswith("partitioned-") for name in group.names))

Try = Callable[[list[str], Group], Answer]


def run_trials(attempt: Try, groups: Sequence[Group] = GROUPS) -> list[Trial]:
    """All trials of these groups; `attempt` launches those named, which are of that group."""
    return [trial for group in groups for trial in _group(attempt, group)]


def _group(attempt: Try, group: Group) -> list[Trial]:
    todo, done = list(group.names), dict[str, Trial]()
    while todo:
        answer = attempt(todo, group)
        heard = _outcomes(answer)
        if not heard:  # it does not even start, and will not for the next one
            heard = {name: Trial(name=name, outcome="not-run", detail=answer.ending) for name in todo}
        done |= heard
        todo = [name for name in todo if name not in done]
    return list(done.values())


def _outcomes(answer: Answer) -> dict[str, Trial]:
    """What became of the trials of one launch, as far as it came."""
    heard: dict[str, Trial] = {}
    for line in answer.lines:
        name = line.get("trial", "")
        if line["type"] == "begin":
            # Until it says otherwise: silence is a crash.
            heard[name] = Trial(name=name, outcome="hang" if answer.timed_out else "crash", detail=answer.ending)
        elif line["type"] == "outcome" and (name not in heard or heard[name].outcome in ("hang", "crash")):
            heard[name] = Trial(name=name, outcome=line["outcome"], detail=line["detail"])
    return heard
