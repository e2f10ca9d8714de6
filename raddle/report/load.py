# SPDX-License-Identifier: BSD-3-Clause
"""A results directory read into `Data`, also when the run was killed half-way, or when only its results were kept."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import msgspec

from raddle.environment import read_environment
from raddle.errors import UserError
from raddle.files import read_json
from raddle.inspection.outcomes import read_trials
from raddle.judge.incidents import Incident, incidents
from raddle.notices import Notice
from raddle.plan import FILE
from raddle.plan.points import Skipped
from raddle.report.data import Data
from raddle.results.launch_log import LaunchLog
from raddle.results.merged import Merged, read_merged
from raddle.results.rows import read_results, results_file

_HINT = "Name a directory that 'raddle run' has written; it holds launches.jsonl or results.jsonl."


def load(directory: Path, merged: Merged | None = None) -> Data:
    """All that the directory holds. Raises UserError when it is no results directory, or when nothing was measured.

    `merged`: what its launches printed, where that has been read already.
    """
    if not directory.is_dir():
        what = "is not a directory" if directory.exists() else "does not exist"
        raise UserError(f"{directory} {what}", hint=_HINT)
    merged = merged or read_merged(directory)
    if merged is None:
        return _kept(directory)
    log, rows = merged
    plan = _plan(directory / FILE)
    planned = {each.launch for each in plan.launches}
    found = incidents(log, rows, planned)
    if not rows:
        raise UserError(_nothing(directory, log, [incident.message for incident in found]), hint=_again(directory))
    return Data(
        rows=rows,
        environment=read_environment(directory),
        log=log,
        incidents=found,
        planned=len(planned),
        skipped=_left_out(plan.skipped),
        trials=read_trials(directory).mpis,
    )


def _kept(directory: Path) -> Data:
    """A run of which only the result was kept, as people hand it on."""
    results = results_file(directory)
    if not results.is_file():
        empty = not any(directory.iterdir())
        raise UserError(f"{directory} {'is empty' if empty else 'holds no launches.jsonl'}", hint=_HINT)
    rows = read_results(results)
    if not rows:
        raise UserError(f"{results} holds no rows.", hint=_HINT)
    return Data(
        rows=rows,
        environment=read_environment(directory),
        incidents=[Incident(Notice.LAUNCHES_NOT_KEPT, "launches.jsonl is missing"), *incidents(LaunchLog(), rows)],
        trials=read_trials(directory).mpis,
        launches_kept=False,
    )


def _left_out(skipped: Iterable[Skipped]) -> frozenset[tuple[str, str, str, str]]:
    return frozenset(
        (each.mpi, each.variant, place, benchmark)
        for each in skipped
        for place in each.placements
        for benchmark in each.benchmarks or [""]
    )


def _nothing(directory: Path, log: LaunchLog, messages: list[str]) -> str:
    if not log.launches:
        return f"{directory}: no launch was made before the run ended"
    why = f": {messages[0]}" if messages else ""
    return f"{directory}: {len(log.launches)} launches were made and none measured anything{why}"


def _again(directory: Path) -> str:
    return f"Go on with 'raddle run --resume {directory}', or start anew."


class _Planned(msgspec.Struct):
    launch: str


class _Plan(msgspec.Struct):
    """The part of `plan.json` that tells what is missing."""

    launches: list[_Planned] = []
    skipped: list[Skipped] = []


def _plan(path: Path) -> _Plan:
    """An empty plan when the run ended before it had one."""
    try:
        return read_json(path, _Plan)
    except (OSError, msgspec.MsgspecError):
        return _Plan()
