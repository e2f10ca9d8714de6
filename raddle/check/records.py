# SPDX-License-Identifier: BSD-3-Clause
"""What a process has written as it was checked (src/check), one JSON object a line."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from raddle.errors import UserError


class Call(msgspec.Struct, frozen=True):
    """A call of the program; `offset` in the module is that of the instruction behind it."""

    function: str
    thread: int
    name: str
    tid: int
    module: str
    offset: int
    root: int = -1


class Found(Call, frozen=True, tag_field="record", tag="finding", kw_only=True):
    """A rule, and the call that breaks it, as `id` of its process; `other`: with this one."""

    id: int
    rule: str
    rank: int
    level: str = ""
    other: Call | None = None


class Times(msgspec.Struct, frozen=True, tag_field="record", tag="count"):
    """How often; missing if the process did not end by itself."""

    id: int
    times: int


class Began(msgspec.Struct, frozen=True, tag_field="record", tag="process"):
    """MPI has begun; `level`: 0 MPI_THREAD_SINGLE to 3 MPI_THREAD_MULTIPLE."""

    rank: int
    pid: int
    host: str
    level: int


class Order(msgspec.Struct, frozen=True, tag_field="record", tag="order"):
    """The collective calls on the communicator `key` of a process: a hash of all, and the `first`."""

    key: str
    size: int
    rank: int
    calls: int
    hash: str
    first: list[Call]


class Finalized(msgspec.Struct, frozen=True, tag_field="record", tag="finalized"):
    """MPI_Finalize has returned."""


class Ranks(msgspec.Struct, frozen=True, tag_field="record", tag="ranks"):
    """Threads are ranks from here on, and nothing is checked."""


Record = Found | Times | Began | Order | Finalized | Ranks


@dataclass
class Process:
    """All that one has written."""

    found: list[Found] = field(default_factory=list)
    times: dict[int, int] = field(default_factory=dict)
    orders: list[Order] = field(default_factory=list)
    ranks: bool = False


def read(directory: Path) -> list[Process]:
    """Of all processes. A line that was cut off is left out. Raises UserError for what cannot be read."""
    processes: list[Process] = []
    for path in sorted(directory.glob("*.jsonl")):
        processes.append(Process())
        for record in _lines(path):
            if isinstance(record, Began) and (processes[-1].times or processes[-1].orders):
                processes.append(Process())  # the same number again, after exec
            _add(processes[-1], record)
    return processes


def _add(to: Process, record: Record) -> None:
    if isinstance(record, Found):
        to.found.append(record)
    elif isinstance(record, Times):
        to.times[record.id] = record.times
    elif isinstance(record, Order):
        to.orders.append(record)
    elif isinstance(record, Ranks):
        to.ranks = True


def _lines(path: Path) -> Iterator[Record]:
    decoder: msgspec.json.Decoder[Record] = msgspec.json.Decoder(Record)
    try:
        whole, _, _ = path.read_bytes().rpartition(b"\n")
        for line in filter(None, whole.split(b"\n")):
            yield decoder.decode(line)
    except (OSError, msgspec.DecodeError, UnicodeDecodeError) as error:
        raise UserError(f"{path}: {error}.") from error
