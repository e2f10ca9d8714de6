# SPDX-License-Identifier: BSD-3-Clause
"""The programs, and what each says about itself in the lines at its head (README.md)."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

PROGRAMS = Path(__file__).with_name("programs")
SUFFIXES = (".c", ".cpp")
MODES = ("preloaded", "attached", "1xN", "2xN", "nodes")
RANKS_ARE_THREADS = ("1xN", "2xN", "nodes")
MPIS = ("mpich", "openmpi", "intel")
_LINE = re.compile(r"// (ranks|args|except|status|output|messages|dies|refused): *(.*)")
_REASONED = ("except", "status", "output", "messages", "dies", "refused")


@dataclass(frozen=True)
class LeftOut:
    """Cells that are not run, and why."""

    mpi: str
    mode: str
    why: str

    def covers(self, mpi: str, mode: str) -> bool:
        return self.mpi in ("*", mpi) and self.mode in ("*", mode)


@dataclass
class Program:
    """One file, with what it has declared."""

    path: Path
    ranks: int = 2
    args: list[list[str]] = field(default_factory=lambda: [[]])
    exceptions: list[LeftOut] = field(default_factory=list)
    any_bad_status: bool = False
    output_counts: bool = True
    messages: str | None = None
    dies: bool = False
    refused: str | None = None

    @property
    def name(self) -> str:
        return self.path.relative_to(PROGRAMS).with_suffix("").as_posix()

    def exception(self, mpi: str, mode: str) -> LeftOut | None:
        return next((one for one in self.exceptions if one.covers(mpi, mode)), None)


def programs() -> list[Program]:
    """All of them, by name. Raises ValueError where one declares what nobody understands."""
    return [_read(path) for path in sorted(PROGRAMS.glob("*/*")) if path.suffix in SUFFIXES]


def parse(path: Path, text: str) -> Program:
    made = Program(path)
    for word, said in _LINE.findall(text.partition("#include")[0]):
        value, _, why = said.partition(": ")
        if word in _REASONED and not (why if word != "dies" else said).strip():
            raise ValueError(f"{path.name}: '{word}' needs a reason")
        if word == "ranks":
            made.ranks = int(said)
        elif word == "args":
            made.args = [part.split() for part in said.split("|")]
        elif word == "except":
            made.exceptions += [_exception(path, cell.strip(), why) for cell in value.split(",")]
        elif word == "status":
            made.any_bad_status = _only(path, value, "nonzero")
        elif word == "output":
            made.output_counts = not _only(path, value, "ignored")
        elif word == "messages":
            made.messages = value
        elif word == "refused":
            made.refused = value
        else:
            made.dies = True
    if made.ranks not in (2, 4):
        raise ValueError(f"{path.name}: ranks are 2 or 4")
    return made


def _read(path: Path) -> Program:
    return parse(path, path.read_text(encoding="utf-8"))


def _exception(path: Path, cell: str, why: str) -> LeftOut:
    mpi, _, mode = cell.partition("/")
    if mpi not in (*MPIS, "*") or mode not in (*MODES, "*"):
        raise ValueError(f"{path.name}: '{cell}' is no MPI/mode")
    return LeftOut(mpi, mode, why)


def _only(path: Path, value: str, known: str) -> bool:
    if value != known:
        raise ValueError(f"{path.name}: '{value}' in place of '{known}'")
    return True
