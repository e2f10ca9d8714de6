# SPDX-License-Identifier: BSD-3-Clause
"""Trials of what some libraries do wrong: as many in one launch as it survives, the rest in further ones."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from raddle.doctor.ask import Answer
from raddle.doctor.facts import Trial

# By the number of processes they take. Those that some library does not survive come last.
GROUPS: dict[int, list[str]] = {
    2: [
        "partitioned-exchange",
        "partitioned-in-parts",
        "partitioned-never",
        "partitioned-too-early",
        "partitioned-strided",
        "partitioned-any-tag",
        "partitioned-test",
        "partitioned-startall",
        "partitioned-no-partner",
    ],
    3: ["partitioned-subset"],
    1: ["tool-level", "spawn"],
}

Try = Callable[[list[str], int], Answer]


def run_trials(attempt: Try) -> list[Trial]:
    """All trials; `attempt` launches those named with so many processes."""
    return [trial for processes, names in GROUPS.items() for trial in _group(attempt, names, processes)]


def _group(attempt: Try, names: Iterable[str], processes: int) -> list[Trial]:
    todo, done = list(names), dict[str, Trial]()
    while todo:
        answer = attempt(todo, processes)
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
