# SPDX-License-Identifier: BSD-3-Clause
"""Reads what the processes of a job have recorded (src/profile): the records of its profile."""

from __future__ import annotations

import sys
from pathlib import Path

import msgspec

from raddle.errors import UserError
from raddle.profile import layout
from raddle.profile.model import Record
from raddle.profile.partners import partner_waits
from raddle.profile.recorded import Recorded, recorded
from raddle.profile.records import records_of


def read(directory: Path) -> list[Record]:
    """All records but Program. Empty: no process has called MPI_Init. Raises UserError for files that are damaged."""
    processes = processes_in(directory)
    records = [record for one in processes for record in records_of(one)]
    return [*records, *partner_waits(processes)]


def processes_in(directory: Path) -> list[Recorded]:
    """In the order of ranks, with times since the first of them began."""
    try:
        files = sorted(directory.glob(f"*{layout.SUFFIX}"))
    except OSError as error:
        raise UserError(f"Cannot read {directory}: {error}.") from error
    processes = [one for one in map(recorded, files) if one]
    first: dict[str, int] = {}
    for one in processes:
        began = int(one.head["first_nanoseconds"])
        first[one.node] = min(began, first.get(one.node, began))
    for one in processes:
        one.origin = first[one.node]
    return sorted(processes, key=lambda one: (one.rank, int(one.head["first_nanoseconds"])))


def main() -> None:
    """For a look at what there is: `python -m raddle.profile.read DIRECTORY`."""
    for record in read(Path(sys.argv[1])):
        print(msgspec.json.encode(record).decode())


if __name__ == "__main__":
    main()
