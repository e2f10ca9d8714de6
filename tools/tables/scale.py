# SPDX-License-Identifier: BSD-3-Clause
"""What very many ranks take: docs/build/engines.md."""

from __future__ import annotations

import msgspec
from scale import Scale

from tables.cells import RESULTS, line

# What a process keeps once for all of its endpoints (src/endpoints/communicators/communicator.hpp), in bytes. Of a
# rank: where it is, who it is, its number among those of its process.
OF_A_RANK = 8 + 8 + 4


def costs() -> list[str]:
    """A row for each number of ranks, and of processes that make a communicator."""
    scale = msgspec.json.decode((RESULTS / "scale.json").read_bytes(), type=Scale)
    rows = [
        line("", "an endpoint, KiB", "its process, KiB", "rounds", "messages", "at most of one process"),
        "|---:|---:|---:|---:|---:|---:|",
    ]
    for size, memory in scale.memory.items():
        kept = f"{size * OF_A_RANK / 1024:,.0f}"
        cells = [f"{scale.messages[size]:,}", f"{scale.most_of_one[size]}"]
        rows.append(line(f"{size:,}", f"{memory / 1024:.0f}", kept, f"{scale.rounds[size]}", *cells))
    return rows
