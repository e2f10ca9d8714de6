# SPDX-License-Identifier: BSD-3-Clause
"""From a module and an offset in it to a line of the source, by a tool that reads debug information."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

_TOOLS = ("eu-addr2line", "addr2line", "llvm-addr2line")
_LINE = re.compile(r"(?P<file>.+):(?P<line>[1-9]\d*)(:\d+)?( \(discriminator \d+\))?")
_SECONDS = 60.0

Place = tuple[str, int]
"""A module and the offset behind the call."""


@dataclass(frozen=True)
class Lines:
    """`of` each place its line, or its module and offset; `hint`: what to do for more lines."""

    of: Mapping[Place, str]
    hint: str = ""


def lines(places: Iterable[Place]) -> Lines:
    """What is known of each."""
    wanted = sorted(set(places))
    made = {place: _otherwise(place) for place in wanted}
    tool = next(filter(None, map(shutil.which, _TOOLS)), None)
    if tool is None:
        return Lines(made, "Install binutils or elfutils for lines of the source in place of offsets." if made else "")
    by_module: dict[str, list[int]] = defaultdict(list)
    for module, offset in wanted:
        by_module[module].append(offset)
    without = set()
    for module, offsets in by_module.items():
        for offset, found in zip(offsets, _ask(tool, module, offsets), strict=False):
            if line := _LINE.fullmatch(found):
                made[module, offset] = f"{line['file']}:{line['line']}"
        if any(made[module, offset] == _otherwise((module, offset)) for offset in offsets):
            without.add(Path(module).name)
    named = ", ".join(sorted(filter(None, without)))
    return Lines(made, f"Compile with -g for lines of the source in place of offsets: {named}." if named else "")


def _ask(tool: str, module: str, offsets: Iterable[int]) -> list[str]:
    # The call ends before the instruction that it returns to, which may be the next line's.
    command = [tool, "-e", module, *(hex(offset - 1) for offset in offsets)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=_SECONDS, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return []
    return done.stdout.splitlines() if done.returncode == 0 else []


def _otherwise(place: Place) -> str:
    module, offset = place
    return f"{module}+{offset:#x}" if module else "somewhere"
