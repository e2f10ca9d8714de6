# SPDX-License-Identifier: BSD-3-Clause
"""`trials.json` of a run: what its MPIs' own partitioned communication does wrong, as trials found out."""

from __future__ import annotations

from pathlib import Path

import msgspec

from raddle.files import read_json, write_whole
from raddle.inspection.facts import Trial
from raddle.model import SCHEMA

FILE = "trials.json"


class Trials(msgspec.Struct, kw_only=True):
    """The outcomes by MPI, as the launches of the run call it."""

    schema: int = SCHEMA
    mpis: dict[str, list[Trial]] = {}

    def save(self, directory: Path) -> None:
        """Write them into the directory of a run. Raises UserError."""
        write_whole(directory / FILE, msgspec.json.format(msgspec.json.encode(self), indent=1) + b"\n")


def read_trials(directory: Path) -> Trials:
    """Those of a run; none where none were made, or where they cannot be read: a gap is better than no report."""
    try:
        return read_json(directory / FILE, Trials)
    except (OSError, msgspec.MsgspecError):
        return Trials()
