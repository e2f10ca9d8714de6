# SPDX-License-Identifier: BSD-3-Clause
"""What is known about tests: by patterns of their names, each with a reason."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib


@dataclass(frozen=True)
class Known:
    """`mpi` is the MPI it is about; None: any."""

    tests: str
    why: str
    mpi: str | None = None

    def about(self, test: str, mpi: str | None = None) -> bool:
        return fnmatchcase(test, self.tests) and (mpi is None or self.mpi in (None, mpi))


@cache
def _listed(file: str, key: str) -> tuple[Known, ...]:
    table = tomllib.loads(Path(__file__).with_name(file).read_text(encoding="utf-8"))
    return tuple(Known(**one) for one in table.get(key, ()))


def one_at_a_time() -> tuple[Known, ...]:
    """Tests whose ranks within a process take turns."""
    return _listed("one_at_a_time.toml", "test")


def erroneous() -> tuple[Known, ...]:
    """Tests that break MPI's rules, so that nothing follows from their failure."""
    return _listed("explained.toml", "erroneous")


def explanation(test: str) -> str:
    """Why a test fails, or "not known yet"."""
    known = (*erroneous(), *_listed("explained.toml", "known"))
    return next((one.why for one in known if one.about(test)), "not known yet")
