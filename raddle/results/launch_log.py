# SPDX-License-Identifier: BSD-3-Clause
"""`launches.jsonl` read back: what each launch printed, however it ended (docs/build/bench-protocol.md).

A run may be killed at any byte, a launch may die, and `--resume` repeats a launch under the same id; so nothing here
fails. What cannot be understood is kept as `unreadable` and reported, never passed over in silence.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec

from raddle.errors import UserError
from raddle.model import Probe, RowLine
from raddle.results.machine_states import ONLY, MachineStates, judge

FILE = "launches.jsonl"
Line = dict[str, Any]


@dataclass
class Launch:
    """One attempt at a launch: its lines by type. `start`, `exit`, `probe` are Python's, the others the program's."""

    id: str
    start: Line | None = None
    launch: Line | None = None
    rows: list[RowLine] = field(default_factory=list)
    errors: list[Line] = field(default_factory=list)
    skips: list[Line] = field(default_factory=list)
    end: Line | None = None
    exit: Line | None = None
    probe: Probe | None = None
    state: str = ONLY  # of the machine meanwhile, judged from all launches

    @property
    def died(self) -> bool:
        """It made no `end` line: it crashed, was stopped, or the run was cut off."""
        return self.end is None

    @property
    def complete(self) -> bool:
        """It said `end` and exited with status 0, and all rows that it printed are here."""
        end, exited = self.end or {}, self.exit or {}
        return end.get("rows") == len(self.rows) and exited.get("status") == 0

    @property
    def mpi(self) -> str:
        return self.text("mpi", "unknown")

    @property
    def profile(self) -> str:
        return self.text("profile", "clean")

    @property
    def mpi_version(self) -> str:
        """The library's own version, e.g. `5.0.2`; empty without an MPI or when the launch died before it spoke."""
        return version_in(self.text("library_version", ""))

    @property
    def env(self) -> dict[str, str]:
        """What raddle set in the environment of this launch."""
        env = (self.start or {}).get("env")
        return {str(name): str(value) for name, value in env.items()} if isinstance(env, dict) else {}

    @property
    def log(self) -> list[str]:
        """The last lines that were no records: the MPI's own chatter, oldest first."""
        log = (self.exit or {}).get("log")
        return [str(line) for line in log] if isinstance(log, list) else []

    def text(self, key: str, default: str) -> str:
        """`key` as the program reported it, else as it was planned."""
        for line in (self.launch, self.start):
            value = (line or {}).get(key)
            if isinstance(value, str) and value:
                return value
        return default


@dataclass
class LaunchLog:
    """All attempts in order of time, and what could not be read: (line number from 1, why)."""

    launches: list[Launch] = field(default_factory=list)
    unreadable: list[tuple[int, str]] = field(default_factory=list)
    states: MachineStates = field(default_factory=MachineStates)


def read_launches(path: Path) -> LaunchLog:
    """`launches.jsonl` of a run. Raises UserError when the file cannot be opened."""
    try:
        # A killed MPI may leave half a character behind: replaced, so that only its own line suffers.
        with path.open(encoding="utf-8", errors="replace") as lines:
            return parse_launches(lines)
    except OSError as error:
        raise UserError(
            f"Cannot read {path}: {error.strerror}.", hint="Name a directory that 'raddle run' has written."
        ) from error


def parse_launches(lines: Iterable[str]) -> LaunchLog:
    """Lines of `launches.jsonl` to attempts. Lines without a `type` are chatter and ignored."""
    log = LaunchLog()
    open_attempts: dict[str, Launch] = {}
    for number, text in enumerate(lines, start=1):
        if not text.strip():
            continue
        try:
            line = msgspec.json.decode(text)
        except msgspec.DecodeError as error:
            # Chatter is free text; a record that was cut still begins like one.
            if text.lstrip().startswith("{"):
                log.unreadable.append((number, f"cut or garbled: {error}"))
            continue
        if not isinstance(line, dict) or "type" not in line:
            continue
        try:
            _add(log, open_attempts, line)
        except msgspec.ValidationError as error:
            log.unreadable.append((number, str(error)))
    log.states = judge([launch.probe for launch in log.launches])
    for launch, state in zip(log.launches, log.states.of, strict=True):
        launch.state = state
    return log


def version_in(library_version: str) -> str:
    """The version number in what MPI_Get_library_version says, e.g. `Open MPI v5.0.11, package: ...` -> `5.0.11`."""
    found = re.search(r"\b[vV]?(\d+\.\d+(?:\.\d+)*\w*)", library_version)
    return found.group(1) if found else ""


def variant_env(launches: Iterable[Launch]) -> dict[str, dict[str, dict[str, str]]]:
    """mpi -> variant -> environment that raddle set for it; of a `clean` launch where there is one."""
    found: dict[str, dict[str, dict[str, str]]] = {}
    for launch in sorted(launches, key=lambda launch: launch.profile != "clean"):
        for row in launch.rows:
            found.setdefault(launch.mpi, {}).setdefault(row.variant, launch.env)
    return found


def launch_env(launches: Iterable[Launch]) -> dict[str, dict[str, str]]:
    """Launch id -> environment that raddle set for it; of a repeated launch the last."""
    return {launch.id: launch.env for launch in launches}


def _add(log: LaunchLog, open_attempts: dict[str, Launch], line: Line) -> None:
    name, kind = line.get("launch"), line["type"]
    if not isinstance(name, str):
        raise msgspec.ValidationError("no launch id")
    attempt = open_attempts.get(name)
    if attempt is None or kind == "start" or (kind == "launch" and attempt.launch is not None):
        attempt = open_attempts[name] = Launch(name)
        log.launches.append(attempt)
    match kind:
        case "row":
            row = msgspec.convert(line, RowLine)
            if not row.samples:
                raise msgspec.ValidationError("a row without samples")
            attempt.rows.append(row)
        case "error":
            attempt.errors.append(line)
        case "skip":
            attempt.skips.append(line)
        case "probe":
            attempt.probe = msgspec.convert(line, Probe)
        case "start" | "launch" | "end" | "exit":
            setattr(attempt, kind, line)
        case _:
            raise msgspec.ValidationError(f"unknown type {kind!r}")
