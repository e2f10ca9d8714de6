# SPDX-License-Identifier: BSD-3-Clause
"""A comparison as GitHub's Markdown, for a pull request: what changed in the open, the rest folded away."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from raddle.compare import words
from raddle.compare.points import Comparison, Outcome, Point
from raddle.model import ResultRow
from raddle.report.numbers import ratio_interval, ratio_value

_CHANGED = (Outcome.WORSE, Outcome.BETTER)
_SPECIAL = re.compile(r"([\\`*_{}\[\]<>|~&#@])")


def markdown(comparison: Comparison, percent: float | None = None) -> str:
    """The whole text; with `percent`, whether --fail-above found something."""
    return "\n".join(_lines(comparison, percent)) + "\n"


def _lines(comparison: Comparison, percent: float | None) -> Iterator[str]:
    yield f"### {words.summary(comparison)}"
    yield ""
    for name, side in (("A", comparison.a), ("B", comparison.b)):
        yield f"- **{name}** {_plain(words.side_words(side))}"
    if percent is not None:
        yield from ("", f"**{_plain(words.limit_words(comparison, percent))}**")
    warnings = words.warnings(comparison)
    if warnings:
        yield from ("", "> [!WARNING]", *(f"> - {_plain(warning)}" for warning in warnings))
    changed = [point for point in comparison.points if point.outcome in _CHANGED]
    if changed:
        yield from ("", *_table(changed, comparison))
    rest = [point for point in comparison.points if point.outcome not in _CHANGED]
    if rest:
        yield from _folded(f"{len(rest)} without a shown difference", _table(rest, comparison))
    for name, rows in (("A", comparison.only_a), ("B", comparison.only_b)):
        if rows:
            yield from _folded(f"{len(rows)} only in {name}", _list(rows))
    yield from ("", f"{words.MEANING} {words.method(comparison)} {words.CHANCE}")


def _folded(title: str, lines: Sequence[str]) -> Iterator[str]:
    yield from ("", f"<details><summary>{title}</summary>", "", *lines, "", "</details>")


def _table(points: Sequence[Point], comparison: Comparison) -> list[str]:
    head = ["| point | A | B | unit | B/A | 95 % interval | |", "|---|--:|--:|---|--:|---|---|"]
    return head + [_row(point, comparison.a.mpi == comparison.b.mpi) for point in points]


def _row(point: Point, with_mpi: bool) -> str:
    cells = [words.label(point.a, with_mpi), *words.medians(point)]
    if point.ratio is None:
        cells += ["", "", f"{point.outcome.value}: {point.why}"]
    else:
        blocks = f" ({point.ratio.n})" if point.outcome is Outcome.TOO_SMALL else ""
        interval = ratio_interval(point.ratio) if point.ratio.interval else ""
        cells += [ratio_value(point.ratio), interval, f"{point.outcome.value}{blocks}"]
    return f"| {' | '.join(map(_plain, cells))} |"


def _list(rows: Sequence[ResultRow]) -> list[str]:
    return [f"- {_plain(words.label(row))}" for row in rows]


def _plain(text: str) -> str:
    """Text that shows as it is, whatever is in it."""
    return _SPECIAL.sub(r"\\\1", text)
