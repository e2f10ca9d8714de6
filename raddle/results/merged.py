# SPDX-License-Identifier: BSD-3-Clause
"""`results.jsonl` of a run: what its launches printed, merged."""

from __future__ import annotations

from pathlib import Path

from raddle.results.launch_log import FILE, read_launches
from raddle.results.merge import merge
from raddle.results.rows import RESULTS, write_results

_HINT = "A report goes into the directory of the run, which must be yours to write and have room."


def write_merged(directory: Path) -> None:
    """Write it from `launches.jsonl`. Nothing where that is missing, or has no row. Raises UserError."""
    launches = directory / FILE
    if not launches.is_file():
        return
    if rows := merge(read_launches(launches).launches):
        write_results(directory / RESULTS, rows, hint=_HINT)
