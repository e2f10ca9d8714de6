# SPDX-License-Identifier: BSD-3-Clause
"""Where the C++ sources are: those of a checkout, or those that an installed package carries."""

from __future__ import annotations

from pathlib import Path

import raddle
from raddle.errors import UserError

_PACKAGE = Path(raddle.__file__).resolve().parent
CARRIED = _PACKAGE / "source"  # put there by pyproject.toml


def sources() -> Path:
    """The checkout that this package is run from, or the sources that it was installed with."""
    for root in (_PACKAGE.parent, CARRIED):
        if (root / "CMakeLists.txt").exists():
            return root
    raise UserError(
        f"There are no C++ sources in {_PACKAGE.parent} or {CARRIED}.",
        hint="Run raddle from a checkout, or install it from one: python3 -m pip install PATH",
    )


def is_carried(source: Path) -> bool:
    """Whether these sources came with an installed package: then they have no tests, and change only as a whole."""
    return source == CARRIED
