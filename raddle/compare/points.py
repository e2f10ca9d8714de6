# SPDX-License-Identifier: BSD-3-Clause
"""Points of two sides matched, each with its ratio B/A, turned so that above 1 is better."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum

from raddle.compare.sides import Side
from raddle.compare.unpaired import unpaired_ratio
from raddle.errors import UserError
from raddle.judge.points import speed
from raddle.model import ResultRow
from raddle.report.text import one_line
from raddle.results.row_states import blocks_shown, in_common
from raddle.stats.ratio import Ratio
from raddle.wording import listed


class Outcome(Enum):
    """What may be said about a point, in the order of display."""

    WORSE = "worse"
    BETTER = "better"
    SAME = "no difference shown"
    TOO_SMALL = "n too small"
    NO_RATIO = "no ratio"


@dataclass(frozen=True)
class Point:
    """One point that both sides have, in one state of the machine if they have one in common; `why` tells why there is
    no ratio."""

    a: ResultRow
    b: ResultRow
    ratio: Ratio | None
    why: str = ""

    @property
    def outcome(self) -> Outcome:
        if self.ratio is None:
            return Outcome.NO_RATIO
        if self.ratio.interval is None:
            return Outcome.TOO_SMALL
        if not self.ratio.shown:
            return Outcome.SAME
        return Outcome.BETTER if self.ratio.estimate > 1 else Outcome.WORSE

    @property
    def change(self) -> float:
        """How far the ratio is from 1: half as good is as far as twice as good."""
        return abs(math.log(self.ratio.estimate)) if self.ratio else 0.0

    def worse_by(self, percent: float) -> bool:
        """Whether it is shown to be worse by more than that: the whole interval is beyond."""
        return self.ratio is not None and self.ratio.hi is not None and self.ratio.hi < 1 - percent / 100


@dataclass(frozen=True)
class Comparison:
    """Both sides; `points` begin with what changed most, `only_a` and `only_b` are what the other side has not."""

    a: Side
    b: Side
    points: list[Point]
    only_a: list[ResultRow]
    only_b: list[ResultRow]

    @property
    def paired(self) -> bool:
        """One run has interleaved the blocks of both sides."""
        return self.a.directory == self.b.directory

    def having(self, outcome: Outcome) -> list[Point]:
        return [point for point in self.points if point.outcome is outcome]


def compare(a: Side, b: Side) -> Comparison:
    """All points of both sides. Raises UserError when they have none in common."""
    same_mpi = a.mpi == b.mpi
    rows_a, rows_b = _by_key(a.rows, same_mpi), _by_key(b.rows, same_mpi)
    paired = a.directory == b.directory
    points = [_point(rows_a[key], rows_b[key], paired) for key in rows_a if key in rows_b]
    if not points:
        raise UserError("A and B have no point in common.", hint=f"A holds {_contents(a)}; B holds {_contents(b)}.")
    places = list(Outcome)
    return Comparison(
        a,
        b,
        sorted(points, key=lambda point: (places.index(point.outcome), -point.change)),
        [row for key, row in rows_a.items() if key not in rows_b],
        [row for key, row in rows_b.items() if key not in rows_a],
    )


def _by_key(rows: Iterable[ResultRow], same_mpi: bool) -> dict[tuple[object, ...], ResultRow]:
    """Rows by the point they describe (docs/use/results.md), whose MPI is left out where it is what is compared."""
    return {
        (row.benchmark, row.variant, row.mpi if same_mpi else "", row.profile, _params(row), row.metric): row
        for row in rows
    }


def _params(row: ResultRow) -> tuple[tuple[str, object], ...]:
    return tuple(sorted(row.params.items()))


def _point(a: ResultRow, b: ResultRow, paired: bool) -> Point:
    if (a.unit, a.better) != (b.unit, b.better):
        why = f"{a.unit}, {a.better} is better, against {b.unit}, {b.better} is better"
        return Point(a, b, None, one_line(why))
    if paired:
        return Point(a, b, ratio := speed(b, a), "" if ratio else "no block has both, above 0")
    a, b = in_common(a, b) or (a, b)
    ratio = unpaired_ratio(blocks_shown(b), blocks_shown(a))
    if ratio is not None and a.better == "lower":
        ratio = ratio.inverse()
    return Point(a, b, ratio, "" if ratio else "a value is not positive")


def _contents(side: Side) -> str:
    """What there is, for a user who wonders why nothing fits."""
    fields = (
        sorted({getattr(row, field) for row in side.rows}) for field in ("benchmark", "variant", "mpi", "profile")
    )
    return one_line("; ".join(listed(values) for values in fields)) if side.rows else "nothing of what was asked for"
