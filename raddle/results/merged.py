# SPDX-License-Identifier: BSD-3-Clause
"""What the launches of a run printed, merged, and `results.jsonl` made of it."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from raddle.model import ResultRow
from raddle.results.launch_log import FILE, LaunchLog, read_launches
from raddle.results.merge import merge
from raddle.results.rows import RESULTS, write_results

_HINT = "Results go into the directory of the run, which must be yours to write and have room."


class Merged(NamedTuple):
    """The launches as they came, and a row for each point."""

    log: LaunchLog
    rows: list[ResultRow]


def read_merged(directory: Path) -> Merged | None:
    """From `launches.jsonl`; nothing where that is missing. Raises UserError."""
    if not (directory / FILE).is_file():
        return None
    log = read_launches(directory / FILE)
    return Merged(log, merge(log.launches))


def write_merged(directory: Path) -> Merged | None:
    """The same, and its rows in `results.jsonl`, if there are any. Raises UserError."""
    merged = read_merged(directory)
    if merged and merged.rows:
        write_results(directory / RESULTS, merged.rows, hint=_HINT)
    return merged
