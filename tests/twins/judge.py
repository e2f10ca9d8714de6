# SPDX-License-Identifier: BSD-3-Clause
"""Whether two runs are twins."""

from __future__ import annotations

import difflib
import re

from tests.twins.launch import Ended
from tests.twins.program import RANKS_ARE_THREADS, Program

_LINES_OF_ERRORS = 12


def divergence(program: Program, mode: str, native: Ended, other: Ended) -> str:
    """In what `other` is not what `native` is; nothing where they are equal."""
    if other.hung:
        return f"hangs\n{_last(other.errors)}"
    if other.left:
        return "leaves processes running"
    if program.refused and mode in RANKS_ARE_THREADS:
        return _refusal(program.refused, other)
    if native.hung or (native.crashed and not program.dies):
        return ""  # a row of its own
    told = [*_of_status(program, native, other), *_of_output(program, native, other)]
    return "\n".join([*told, _last(other.errors)]) if told else ""


def _refusal(name: str, other: Ended) -> str:
    if other.status == 0:
        return f"the refusal of {name} is not heard: status 0"
    return "" if name in other.errors else f"status {other.status} without a word of {name}\n{_last(other.errors)}"


def _of_status(program: Program, native: Ended, other: Ended) -> list[str]:
    either = program.any_bad_status and native.status != 0 and other.status != 0
    same = native.status == other.status or either
    return [] if same else [f"status {other.status}, natively {native.status}"]


def _of_output(program: Program, native: Ended, other: Ended) -> list[str]:
    told = []
    if program.output_counts and native.lines != other.lines:
        told += list(difflib.unified_diff(native.lines, other.lines, "native", "Raddle", lineterm="", n=0))[:40]
    if program.messages:
        counts = [len(re.findall(program.messages, ended.errors, re.M)) for ended in (native, other)]
        told += [] if counts[0] == counts[1] else [f"{counts[1]} lines have {program.messages}, natively {counts[0]}"]
    return told


def _last(errors: str) -> str:
    return "\n".join(f"    | {line[:200]}" for line in errors.splitlines()[-_LINES_OF_ERRORS:])
