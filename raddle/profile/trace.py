# SPDX-License-Identifier: BSD-3-Clause
"""Writes what _RADDLE_PROFILE_TRACE has kept, call by call, in the format that chrome://tracing and Perfetto read."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TextIO

import numpy as np

from raddle.errors import UserError
from raddle.profile import layout
from raddle.profile.read import processes_in
from raddle.profile.recorded import Fields, Recorded, text


@dataclass(frozen=True)
class Written:
    """What came of it."""

    events: int
    lost: int  # calls for which there was no more room


def write_trace(directory: Path, into: Path) -> Written:
    """One file for all processes. Raises UserError where there is no trace, or a damaged one."""
    processes = [one for one in processes_in(directory) if _path(one).exists()]
    if not processes:
        raise UserError(
            f"There is no trace in {directory}.", hint="It is made where _RADDLE_PROFILE_TRACE says how large."
        )
    events = 0
    try:
        with into.open("w", encoding="utf-8") as file:
            file.write('{"displayTimeUnit": "ns", "traceEvents": [\n')
            for at, one in enumerate(processes):
                events += _write(file, one, first=at == 0)
            file.write("\n]}\n")
    except OSError as error:
        raise UserError(f"Cannot write {into}: {error}.") from error
    return Written(events, sum(int(area["trace_lost"]) for one in processes for area in one.threads))


def _path(one: Recorded) -> Path:
    return one.path.with_name(one.path.name + ".trace")


def _write(file: TextIO, one: Recorded, *, first: bool) -> int:
    events = 0
    for event in _events(one):
        file.write(("" if first else ",\n") + json.dumps(event))
        first = False
        events += event["ph"] == "X"
    return events


def _events(one: Recorded) -> Iterator[dict[str, Any]]:
    name = f"process {one.rank} on {text(one.head['host'])}"
    yield {"ph": "M", "name": "process_name", "pid": one.rank, "args": {"name": name}}
    for thread, area in enumerate(one.threads):
        named = {"name": f"thread {thread} ({text(area['name'])})"}
        yield {"ph": "M", "name": "thread_name", "pid": one.rank, "tid": thread, "args": named}
    for thread, entries in _pieces(_path(one)):
        for entry in entries:
            yield _event(one, thread, entry)


def _event(one: Recorded, thread: int, entry: Fields) -> dict[str, Any]:
    communicator = int(entry["communicator"]) - 1
    about: dict[str, Any] = {}
    if 0 <= communicator < len(one.communicators):
        about["communicator"] = text(one.communicators[communicator]["name"]) or f"communicator {communicator}"
    if entry["bytes"]:
        about["bytes"] = int(entry["bytes"])
    if entry["peer"] >= 0:
        about["peer"] = int(entry["peer"])
    if entry["lock"]:
        about["waited for locks, us"] = round(one.seconds(int(entry["lock"])) * 1e6, 3)
    return {
        "ph": "X",
        "name": one.names[int(entry["function"])],
        "pid": one.rank,
        "tid": thread,
        "ts": round(one.at(entry["began"]) * 1e6, 3),
        "dur": round(one.seconds(int(entry["took"])) * 1e6, 3),
        "args": about,
    }


def _pieces(path: Path) -> Iterator[tuple[int, Fields]]:
    """Calls of one thread each, in their order."""
    mapped = np.memmap(path, mode="r")
    head = mapped[: layout.TRACE.itemsize].view(layout.TRACE)[0] if mapped.size >= layout.TRACE_FRONT else None
    if head is None or bytes(mapped[:8]) != layout.TRACE_MAGIC:
        raise UserError(f"{path} is no trace of a process.")
    if int(head["version"]) != layout.TRACE_VERSION or int(head["event_bytes"]) != layout.EVENT.itemsize:
        raise UserError(f"{path} has a format that this raddle does not read.")
    each = int(head["piece_bytes"])
    for number in range(min(int(head["taken"]), int(head["pieces"]))):
        at = layout.TRACE_FRONT + number * each
        front = mapped[at : at + layout.PIECE.itemsize].view(layout.PIECE)[0]
        count = int(front["events"])
        if int(front["thread"]) == 0 or count * layout.EVENT.itemsize > each - layout.PIECE.itemsize:
            continue
        begin = at + layout.PIECE.itemsize
        yield int(front["thread"]) - 1, mapped[begin : begin + count * layout.EVENT.itemsize].view(layout.EVENT)
