# SPDX-License-Identifier: BSD-3-Clause
"""What a process has of its own, and whether a rank that is a thread has it too: read from a program's files."""

from __future__ import annotations

import subprocess
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from fnmatch import fnmatch
from functools import cache
from importlib.resources import files
from pathlib import Path

import msgspec

from raddle.errors import UserError

# Of the languages: what they take from the C library, they use as it has to be used.
_RUNTIMES = ("libstdc++.so", "libc++.so", "libgfortran.so", "libquadmath.so", "libflang", "libifcore")


class Kept(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Something that a process has once, and the names by which programs reach it."""

    what: str
    symbols: list[str]
    advice: str = ""  # for what ranks share
    libraries: list[str] = []  # patterns: of files that it belongs to


class State(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All of it."""

    private: list[Kept]
    shared: list[Kept]


@cache
def state() -> State:
    """The table, `process_state.toml`."""
    return msgspec.toml.decode((files("raddle") / "process_state.toml").read_bytes(), type=State)


@dataclass(frozen=True)
class Wishes:
    """What the user says against the list of shared libraries: names or patterns of files."""

    private: Sequence[str] = ()
    shared: Sequence[str] = ()

    def words(self) -> list[str]:
        """As options of raddle-ranks."""
        return [
            *(word for name in self.private for word in ("--private", name)),
            *(word for name in self.shared for word in ("--shared", name)),
        ]


@dataclass(frozen=True)
class Used:
    """Something that ranks share and a program uses."""

    kept: Kept
    names: list[str]
    files: list[str]

    def warning(self) -> str:
        """One sentence, with what to do."""
        where = ", ".join(self.files)
        who = f"{', '.join(self.names)} in {where}" if self.names else where
        return f"{self.kept.what} ({who}): {self.kept.advice}"


@dataclass(frozen=True)
class Files:
    """A program's files."""

    private: list[str]
    shared: dict[str, str]  # path: whose it is
    takes: dict[str, list[str]] = field(default_factory=dict)  # a name: the files that take it from a library
    problem: str = ""  # why it cannot be loaded

    def used(self) -> list[Used]:
        """What ranks share of what the program uses, in the table's order."""
        found = []
        for kept in state().shared:
            libraries = [Path(path).name for path in self.shared if _matches(Path(path).name, kept.libraries)]
            if libraries:
                found.append(Used(kept, [], libraries))
            names = [name for name in kept.symbols if self._takers(name)]
            takers = {Path(path).name: None for name in names for path in self._takers(name)}
            if names:
                found.append(Used(kept, names, list(takers)))
        return found

    def own(self) -> list[Kept]:
        """What is a rank's own of what the program uses."""
        return [kept for kept in state().private if any(name in self.takes for name in kept.symbols)]

    def _takers(self, name: str) -> list[str]:
        return [path for path in self.takes.get(name, []) if not Path(path).name.startswith(_RUNTIMES)]


def _matches(name: str, patterns: Iterable[str]) -> bool:
    return any(fnmatch(name, pattern) for pattern in patterns)


def read(starter: Path, program: str, wishes: Wishes, env: Mapping[str, str]) -> Files:
    """What `raddle-ranks --list` says of a program. Raises UserError where it does not start."""
    words = [str(starter), "--list", "1", *wishes.words(), program]
    done = subprocess.run(
        words, env=dict(env), stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace", check=False
    )
    if done.returncode != 0:
        raise UserError(f"{starter.name} cannot read {program}: {done.stderr.strip() or done.returncode}")
    return parse(done.stdout.splitlines())


def parse(lines: Iterable[str]) -> Files:
    """The lines of `raddle-ranks --list`."""
    private: list[str] = []
    shared: dict[str, str] = {}
    takes: dict[str, list[str]] = {}
    problem = ""
    for line in lines:
        kind, _, rest = line.partition(" ")
        first, _, second = rest.partition("\t")
        if kind == "private":
            private.append(first)
        elif kind == "shared":
            shared[first] = second
        elif kind == "takes":
            takes.setdefault(first, []).append(second)
        elif kind == "problem":
            problem = rest
    return Files(private, shared, takes, problem)


def explained(program: str, found: Files) -> list[str]:
    """All of it, for people."""
    lines = [f"{program} with its ranks as threads", ""]
    lines += ["Each rank has a copy of:", *(f"  {path}" for path in found.private)]
    lines += ["and of its own:", *(f"  {kept.what}" for kept in found.own())]
    lines += ["", "The ranks of a process share:"]
    lines += [f"  {path} ({owner})" for path, owner in found.shared.items()]
    lines += [f"  {used.warning()}" for used in found.used()]
    if found.problem:
        lines += ["", f"It cannot be loaded: {found.problem}"]
    return lines
