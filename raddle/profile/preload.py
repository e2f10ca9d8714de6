# SPDX-License-Identifier: BSD-3-Clause
"""What a process needs in its environment for its calls to be recorded."""

from __future__ import annotations

from pathlib import Path

TARGET = "raddle-profile"


def library(build: Path) -> Path:
    """What is preloaded, in front of libraddle and all others; `build` is for the MPI of the program."""
    return build / "lib" / f"lib{TARGET}.so"


def environment(directory: Path, *, trace: int = 0) -> dict[str, str]:
    """Settings besides LD_PRELOAD: an existing directory, and how many bytes the trace of a process may have.

    With the underscore libraddle takes them for nobody's; it ends a process that has settings of its own unknown to it.
    """
    made = {"_RADDLE_PROFILE": str(directory.absolute())}
    return made | ({"_RADDLE_PROFILE_TRACE": str(trace)} if trace else {})
