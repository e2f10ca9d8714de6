# SPDX-License-Identifier: BSD-3-Clause
"""Which finding an outcome of a trial is."""

from __future__ import annotations

from collections.abc import Iterator

from raddle.doctor.catalogue import Finding
from raddle.doctor.diagnosis import Diagnosis
from raddle.inspection.facts import Facts, Trial

FAILED: dict[str, Finding] = {
    "partitioned-exchange": Finding.PARTITIONED_FAILS,
    "partitioned-in-parts": Finding.PARTITIONED_LATE,
    "partitioned-never": Finding.PARTITIONED_NEVER,
    "partitioned-too-early": Finding.PARTITIONED_TOO_EARLY,
    "partitioned-strided": Finding.PARTITIONED_STRIDED,
    "partitioned-any-tag": Finding.PARTITIONED_ANY_TAG,
    "partitioned-test": Finding.PARTITIONED_TEST,
    "partitioned-startall": Finding.PARTITIONED_STARTALL,
    "partitioned-no-partner": Finding.PARTITIONED_NO_PARTNER,
    "partitioned-subset": Finding.PARTITIONED_SUBSET,
    "any-source": Finding.ANY_SOURCE_MISSES,
    "tool-level": Finding.TOOL_LOWERS_LEVEL,
    "spawn": Finding.SPAWN_FAILS,
}
_RIGHT = {
    "any-source": Finding.ANY_SOURCE_FINDS,
    "tool-level": Finding.TOOL_KEEPS_LEVEL,
    "spawn": Finding.SPAWN_WORKS,
}
_PARTITIONED = "partitioned-"


def trials(facts: Facts) -> Iterator[Diagnosis]:
    """One finding for each trial that failed; those that went well, and those that were not made, together."""
    done = facts.trials
    for trial in done:
        if trial.failed:
            yield _failed(trial)
        elif trial.outcome == "right" and trial.name in _RIGHT:
            yield Diagnosis(_RIGHT[trial.name])
    partitioned = [trial for trial in done if trial.name.startswith(_PARTITIONED)]
    right = [trial.name.removeprefix(_PARTITIONED) for trial in partitioned if trial.outcome == "right"]
    if right:
        yield Diagnosis(Finding.PARTITIONED_RIGHT, {"trials": ", ".join(right)})
    if any(trial.outcome == "absent" for trial in partitioned):
        yield Diagnosis(Finding.PARTITIONED_ABSENT)
    left = [trial for trial in done if trial.outcome == "not-run"]
    if left:
        names = ", ".join(trial.name for trial in left)
        values = {"trials": names, "detail": left[0].detail, "command": " ".join(facts.command)}
        yield Diagnosis(Finding.NOT_TRIED, values)


def _failed(trial: Trial) -> Diagnosis:
    finding = FAILED[trial.name]
    if finding is not Finding.PARTITIONED_LATE:
        return Diagnosis(finding, {"how": trial.words})
    # To see nothing arrive is what this one is about; to crash or hang is worse.
    if trial.outcome == "wrong":
        return Diagnosis(finding, {"how": trial.detail})
    return Diagnosis(Finding.PARTITIONED_FAILS, {"how": trial.words})
