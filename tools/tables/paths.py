# SPDX-License-Identifier: BSD-3-Clause
"""How many instructions the short paths take: docs/build/interception.md."""

from __future__ import annotations

import msgspec
from path_counts import Counts

from tables.cells import RESULTS, line

BEFORE, NOW = RESULTS / "path-counts-before.json", RESULTS / "path-counts.json"
AIMS = {"isend": 110, "irecv": 90, "waitall_sends": 80, "waitall_receives": 80, "send": 105}
NAMES = {
    "isend": "`MPI_Isend`",
    "irecv": "`MPI_Irecv`",
    "waitall_sends": "`MPI_Waitall`, a send of 64",
    "waitall_receives": "`MPI_Waitall`, a receive of 64",
    "send": "`MPI_Send`",
    "recv": "`MPI_Recv` of what has come",
    "irecv_any": "`MPI_Irecv` from any source, any tag",
    "waitall_any": "`MPI_Waitall`, one of these",
    "waitall_statuses": "`MPI_Waitall` with statuses, a receive of 64",
    "wait_send": "`MPI_Wait` for a send",
    "wait_receive": "`MPI_Wait` for a receive",
    "test_receive": "`MPI_Test` that finds a receive complete",
    "sendrecv_self": "`MPI_Sendrecv` with itself",
    "isend_self": "`MPI_Isend` to itself",
    "start_send": "`MPI_Start` of a send",
    "start_receive": "`MPI_Start` of a receive",
}


def counts() -> list[str]:
    """A row for each path, an operation of 8 bytes: instructions, before and now, and what it was to reach."""
    before, now = (_by_path(msgspec.json.decode(path.read_bytes(), type=Counts)) for path in (BEFORE, NOW))
    rows = [line("8 B between endpoints of a process", "before", "now", "aim"), "|---|---:|---:|---:|"]
    for path, name in NAMES.items():
        aim = f"{AIMS[path]}" if path in AIMS else ""
        rows.append(line(name, f"{before[path]:.0f}", f"{now[path]:.0f}", aim))
    return rows


def _by_path(counted: Counts) -> dict[str, float]:
    return {path.path: path.instructions for path in counted.paths}
