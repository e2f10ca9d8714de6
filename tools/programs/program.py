# SPDX-License-Identifier: BSD-3-Clause
"""What programs.toml says of a program."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

FILE = Path(__file__).with_name("programs.toml")
MPIS = ("mpich", "openmpi", "intel", "mpich-debian", "openmpi-debian")


@dataclass(frozen=True)
class Program:
    """The fields of programs.toml, which says what they mean."""

    name: str
    title: str
    language: str
    note: str
    pip: str = ""
    source: str = ""
    apt: Sequence[str] = ()
    prepare: str = ""
    build: str = ""
    program: str = ""
    mpis: Sequence[str] = MPIS
    arguments: Sequence[str] = ()
    ranks: int = 2
    metric: Sequence[str] = ()
    lower_is_better: bool = False
    ignore: Sequence[str] = ()
    tolerance: float = 0.0
    compared: bool = True
    file: Sequence[str] = ()
    env: dict[str, str] = field(default_factory=dict)

    def words(self, source: Path) -> list[str]:
        """Its arguments."""
        return [word.format(source=source) for word in self.arguments]

    def environment(self, source: Path) -> dict[str, str]:
        """What it has in its environment beside what is there."""
        return {name: value.format(source=source) for name, value in self.env.items()}

    def options(self) -> list[str]:
        """Those of `raddle try`."""
        words = [word for text in self.metric for word in ("--metric", text)]
        words += [word for text in self.ignore for word in ("--ignore", text)]
        words += [word for text in self.file for word in ("--file", text)]
        words += ["--tolerance", str(self.tolerance)] if self.tolerance else []
        return [*words, *(["--lower-is-better"] if self.lower_is_better else [])]


def listed() -> dict[str, Program]:
    """All of them by name, in the order of the file. Raises TypeError for a field that does not exist."""
    return {name: Program(name=name, **fields) for name, fields in tomllib.loads(FILE.read_text("utf-8")).items()}
