# SPDX-License-Identifier: BSD-3-Clause
"""Two profiles side by side: times, shares, and what was said of each. One run each, so no interval."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import msgspec
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from raddle.errors import UserError
from raddle.profile.report import read
from raddle.profile.store import is_profile
from raddle.profile.summary import Summary
from raddle.profile.words import percent, seconds
from raddle.report.text import one_line
from raddle.units import format_ratio

ONCE = "Each was run once: how much runs differ by chance is not known."


class Line(msgspec.Struct, frozen=True, kw_only=True):
    """A quantity of both; `share`: of the threads' time, where it is a part of that."""

    quantity: str
    a: float
    b: float
    share_a: float | None
    share_b: float | None

    @property
    def ratio(self) -> float | None:
        """B/A; none where A is 0."""
        return self.b / self.a if self.a > 0 else None


class Comparison(msgspec.Struct, frozen=True, kw_only=True):
    """Both, B after A."""

    schema: int = 1
    a: str
    b: str
    lines: list[Line]
    verdict_a: list[str]
    verdict_b: list[str]
    differences: list[str]  # in what else the two are not alike


def profiles(a: Path, b: Path | None) -> bool:
    """Whether two profiles are to be compared. Raises UserError where one is and the other is not, or is missing."""
    if not is_profile(a) and (b is None or not is_profile(b)):
        return False
    if b is None:
        raise UserError(f"{a} is a profile: nothing to compare it with.", hint="Name another profile.")
    for path in (a, b):
        if not path.exists():
            raise UserError(f"{path} does not exist.", hint="Name the directory of a profile.")
        if not is_profile(path):
            raise UserError(f"{path} is no profile, and the other one is.", hint="Compare two of a kind.")
    return True


def compare(a: Path, b: Path) -> Comparison:
    """Of two directories. Raises UserError."""
    return compared(str(a), read(a), str(b), read(b))


def compared(name_a: str, a: Summary, name_b: str, b: Summary) -> Comparison:
    """Of two summaries."""
    return Comparison(
        a=name_a,
        b=name_b,
        lines=[_line(name, get, whole, a, b) for name, get, whole in _QUANTITIES],
        verdict_a=[each.text for each in a.verdict],
        verdict_b=[each.text for each in b.verdict],
        differences=[
            f"{name}: {first} and {second}"
            for name, first, second in (
                ("command", " ".join(a.command), " ".join(b.command)),
                ("MPI", a.mpi, b.mpi),
                ("processes", str(len(a.processes)), str(len(b.processes))),
                ("threads", str(len(a.threads)), str(len(b.threads))),
                ("ended", a.ended, b.ended),
            )
            if first != second
        ],
    )


def _line(name: str, get: Callable[[Summary], float], part: bool, a: Summary, b: Summary) -> Line:
    first, second = get(a), get(b)
    return Line(
        quantity=name,
        a=first,
        b=second,
        share_a=_share(first, a) if part else None,
        share_b=_share(second, b) if part else None,
    )


def _share(value: float, of: Summary) -> float:
    return value / of.times.all if of.times.all else 0.0


_QUANTITIES: tuple[tuple[str, Callable[[Summary], float], bool], ...] = (
    ("program", lambda each: each.seconds, False),
    ("all threads", lambda each: each.times.all, False),
    ("computing", lambda each: each.times.computing, True),
    ("idle", lambda each: each.times.idle, True),
    ("inside the MPI", lambda each: each.times.all - each.times.computing - each.times.idle, True),
    ("communicating", lambda each: each.times.communicating, True),
    ("partners", lambda each: each.times.partner, True),
    ("locks", lambda each: each.times.lock, True),
    ("hidden locks", lambda each: each.times.hidden, True),
)


def rendered(found: Comparison) -> RenderableType:
    """For a terminal of 80 columns."""
    made = Table(title=f"A {found.a}   B {found.b}", title_justify="left", box=None, pad_edge=False)
    made.add_column("time")
    for name in ("A", "B", "B/A"):
        made.add_column(name, justify="right")
    for row in _rows(found):
        made.add_row(*row)
    said = [Text(f"{side}: {one_line(text)}") for side, texts in _verdicts(found) for text in texts]
    other = [Text(one_line(f"Not alike: {text}"), style="yellow") for text in found.differences]
    return Group(made, Text(), *other, *said, Text(ONCE, style="dim"))


def markdown(found: Comparison) -> str:
    """As a table for an issue."""
    lines = [f"A `{found.a}`, B `{found.b}`", "", "| time | A | B | B/A |", "|---|---|---|---|"]
    lines += [f"| {' | '.join(row)} |" for row in _rows(found)]
    lines += ["", *(f"* Not alike: {text}" for text in found.differences)]
    lines += [f"* {side}: {text}" for side, texts in _verdicts(found) for text in texts]
    return "\n".join([*lines, "", ONCE, ""])


def document(found: Comparison) -> str:
    """As JSON."""
    return msgspec.json.format(msgspec.json.encode(found), indent=1).decode()


def _verdicts(found: Comparison) -> list[tuple[str, list[str]]]:
    return [("A", found.verdict_a), ("B", found.verdict_b)]


def _rows(found: Comparison) -> list[list[str]]:
    return [
        [
            line.quantity,
            _value(line.a, line.share_a),
            _value(line.b, line.share_b),
            "-" if line.ratio is None else format_ratio(line.ratio),
        ]
        for line in found.lines
    ]


def _value(value: float, share: float | None) -> str:
    return seconds(value) if share is None else f"{seconds(value)} ({percent(share)})"
