# SPDX-License-Identifier: BSD-3-Clause
"""A program on one MPI: its native run, and what becomes of it in the modes beside it."""

from __future__ import annotations

import subprocess
import time
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from raddle.mpi.find import Mpi
from tests.twins import launch
from tests.twins.judge import divergence
from tests.twins.program import MODES, Program

_MOST_ARGUMENTS = 3  # of a program, in the short form


@dataclass
class Row:
    """A program with its arguments on one MPI."""

    mpi: str
    program: str
    args: str
    native: str = ""  # how it fails, if it does
    found: dict[str, str] = field(default_factory=dict)  # by mode; empty: equal
    left_out: dict[str, str] = field(default_factory=dict)  # by mode: why
    runs: int = 0
    seconds: float = 0.0
    shown: list[str] = field(default_factory=list)

    @property
    def title(self) -> str:
        return " ".join(filter(None, [self.program, self.args]))

    @property
    def divergent(self) -> list[str]:
        return [mode for mode, text in self.found.items() if text]


def row(mpi: Mpi, program: Program, args: list[str], modes: Sequence[str], built: Path, seconds: float) -> Row:
    """Runs it natively and in `modes`."""
    made, began = Row(mpi.name, program.name, " ".join(args)), time.monotonic()
    wanted = []
    for mode in modes:
        if exception := program.exception(mpi.name, mode):
            made.left_out[mode] = exception.why
        else:
            wanted.append(mode)
    if wanted:
        try:
            _fill(made, mpi, program, args, wanted, built, seconds)
        except subprocess.CalledProcessError as error:
            made.found = dict.fromkeys(wanted, f"cannot be compiled\n{error.stderr[-2000:]}")
    made.seconds = time.monotonic() - began
    return made


def _fill(made: Row, mpi: Mpi, program: Program, args: list[str], modes: list[str], built: Path, limit: float) -> None:
    native = launch.run(mpi, program, args, "native", built, limit)
    made.runs, made.shown = 1, [_shown("native", native)]
    made.native = "" if program.dies and not native.hung else native.failed
    for mode in modes:
        ended = launch.run(mpi, program, args, mode, built, limit)
        made.runs += 1
        # Launchers hang now and then where a process ends the job, natively too (Hydra 1 of 150 times).
        if ended.hung and native.status != 0:
            ended = launch.run(mpi, program, args, mode, built, limit)
            made.runs += 1
        made.found[mode] = divergence(program, mode, native, ended)
        made.shown.append(_shown(mode, ended))


def short(program: Program, *, every_mode: bool) -> list[tuple[list[str], list[str]]]:
    """Arguments and their modes where there is no time for all: always the same, and each mode about as often.

    With `every_mode` the first arguments in all modes and the others in two; else each of some in one.
    """
    if every_mode:
        return [(args, list(MODES) if i == 0 else _some(program, i, 2)) for i, args in enumerate(program.args)]
    first = zlib.crc32(program.name.encode())
    chosen = sorted((first + i) % len(program.args) for i in range(min(_MOST_ARGUMENTS, len(program.args))))
    return [(program.args[i], _some(program, i, 1)) for i in chosen]


def _some(program: Program, index: int, count: int) -> list[str]:
    first = zlib.crc32(program.name.encode()) + index
    return [MODES[(first + i) % len(MODES)] for i in range(count)]


def _shown(mode: str, ended: launch.Ended) -> str:
    head = f"  -- {mode}: status {ended.status} {ended.failed}"
    return "\n".join(
        [head, *(f"     {line}" for line in ended.lines), *(f"     ! {e}" for e in ended.errors.splitlines())]
    )
