# SPDX-License-Identifier: BSD-3-Clause
"""Where the C++ sources are and where they are built: a checkout has both, an installed package carries its sources."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path

import raddle
from raddle.errors import UserError
from raddle.mpi.places import home

_PACKAGE = Path(raddle.__file__).resolve().parent
CARRIED = _PACKAGE / "source"  # put there by pyproject.toml


def sources() -> Path:
    """The checkout that this package is run from, or the sources that it was installed with."""
    for root in (_PACKAGE.parent, CARRIED):
        if (root / "CMakeLists.txt").exists():
            return root
    raise UserError(
        f"no C++ sources in {_PACKAGE.parent} or {CARRIED}",
        hint="run raddle from a checkout, or install it from one: python3 -m pip install PATH",
    )


def is_carried(source: Path) -> bool:
    """Whether these sources came with an installed package: then they have no tests, and change only as a whole."""
    return source == CARRIED


def builds(source: Path) -> Path:
    """The directory for builds of these sources: an installed package's may not be one's own to write."""
    if not is_carried(source):
        return source / "build"
    return home() / "build" / hashlib.sha256(str(source).encode()).hexdigest()[:12]


@cache
def fingerprint(source: Path) -> str:
    """Changes with the files of an installed package. Their times do not tell: another version's may be older."""
    if not is_carried(source):
        return ""
    digest = hashlib.sha256()
    for path in sorted(path for path in source.rglob("*") if path.is_file()):
        digest.update(str(path.relative_to(source)).encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()
