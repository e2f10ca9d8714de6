# SPDX-License-Identifier: BSD-3-Clause
"""No exception leaves the functions of raddle.h: each has a barrier, or does nothing that throws."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]

# They read and write a few values.
PLAIN = {
    "Raddle_Get_version",
    "Raddle_Rank_adopt",
    "Raddle_Rank_adopted",
    "Raddle_Rank_calls",
    "Raddle_Rank_refused",
    "Raddle_Rank_takes_part",
    "Raddle_Ranks_run_programs",
    "Raddle_Sparse_free",
    "Raddle_free",
}
BARRIER = re.compile(r"\b(try \{|(interpose::)?barrier\(|at\(comm|with\(request|on\(MPI_COMM_SELF|on\(comm)")


def declared() -> set[str]:
    """The functions that raddle.h declares, as the preprocessor leaves them."""
    text = (ROOT / "include/raddle/raddle.h").read_text(encoding="utf-8")
    text = re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL)
    return set(re.findall(r"^[\w ]+[ *](Raddle_\w+|MPIX_Comm_create_endpoints)\(", text, re.MULTILINE)) - types(text)


def types(text: str) -> set[str]:
    return set(re.findall(r"^typedef \w+ (Raddle_\w+)\(", text, re.MULTILINE))


def bodies() -> dict[str, str]:
    """What each function does, by name."""
    found: dict[str, str] = {}
    for path in (ROOT / "src").rglob("*.cpp"):
        text = path.read_text(encoding="utf-8")
        for one in re.finditer(
            r"^(?:RADDLE_ENTRY )?\w[\w ]*[ *]((?:Raddle|MPIX)_\w+)\([^;{]*\)( try)? \{(.*?)^\}", text, re.M | re.DOTALL
        ):
            found[one[1]] = f"{one[2] or ''} {{{one[3]}"
    return found


def test_each_has_a_barrier() -> None:
    known = bodies()
    names = declared()
    assert len(names) > 25
    assert names <= set(known)
    assert {name for name in names if not BARRIER.search(known[name])} == PLAIN
