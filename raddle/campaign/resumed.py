# SPDX-License-Identifier: BSD-3-Clause
"""A run that is gone on with elsewhere, or with other settings: its rows pool launches of both, which must be known."""

from __future__ import annotations

from pathlib import Path

import msgspec

from raddle.environment import Environment, NoticeRecord, read_environment
from raddle.notices import Notice
from raddle.say import Say
from raddle.surroundings import Difference, differences


def record(directory: Path, now: Environment, say: Say) -> None:
    """Adds the session that begins now to `environment.json`, with a notice of what is not as at the beginning.

    Raises UserError when it cannot be written. Where the first record cannot be read, there is nothing to add to.
    """
    first = read_environment(directory)
    if first is None:
        return
    found = _differences(first, now)
    notices = [*first.notices, *([_notice(now, found)] if found else [])]
    msgspec.structs.replace(first, sessions=[*first.sessions, now], notices=notices).save(directory)
    if found:
        say(f"Not as when this run began: {', '.join(each.what for each in found)}. The report tells it.")


def _differences(first: Environment, now: Environment) -> list[Difference]:
    commits = Difference("commit", first.commit, now.commit)
    return [
        *([commits] if first.commit != now.commit else []),
        *differences(first, now, [mpi.name for mpi in first.mpis]),
    ]


def _notice(now: Environment, found: list[Difference]) -> NoticeRecord:
    title = f"resumed at {now.created} with other {', '.join(each.what for each in found)}"
    each = [f"{one.what}: {one.a or 'unknown'} at first, then {one.b or 'unknown'}" for one in found]
    return NoticeRecord(name=Notice.MIXED_SURROUNDINGS.value, detail="\n".join([title, *each]))
