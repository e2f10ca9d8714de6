# SPDX-License-Identifier: BSD-3-Clause
"""What every form of the output says in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from raddle.catalogue import catalogue
from raddle.compare.points import Comparison, Outcome, Point
from raddle.compare.sides import Side
from raddle.judge.points import placement
from raddle.model import ResultRow
from raddle.notices import Notice, Severity, notice_of
from raddle.report.numbers import pretty_unit
from raddle.report.params import way
from raddle.report.rows import condition, size
from raddle.report.text import one_line
from raddle.results.row_states import in_common
from raddle.surroundings import Difference, differences
from raddle.units import format_bytes, format_value, scale_for, three_digits

MEANING = "B as a multiple of A; above 1 is better, whatever the metric."
CHANCE = "Where nothing changed, still up to 1 in 20 intervals leaves out 1: measure again before acting on one point."
_PAIRED = "Intervals (95 %) are paired by block: one run interleaved both."
_UNPAIRED = (
    "Intervals (95 %) are unpaired: blocks of two runs were not measured side by side, so whatever else changed in "
    "between is in the ratio too, and no interval covers it."
)


def method(comparison: Comparison) -> str:
    """How intervals were made and what they do not cover."""
    return _PAIRED if comparison.paired else _UNPAIRED


def summary(comparison: Comparison) -> str:
    """`12 points: 2 worse, 1 better, 9 no difference shown`."""
    counted = Counter(point.outcome for point in comparison.points)
    parts = ", ".join(f"{counted[outcome]} {outcome.value}" for outcome in Outcome if counted[outcome])
    total = len(comparison.points)
    return f"{total} point{'' if total == 1 else 's'}: {parts}"


def side_words(side: Side) -> str:
    """Where it comes from, when it was made, and of which commit."""
    made = [side.environment.created, _commit(side.environment.commit)] if side.environment else []
    return one_line(", ".join(filter(None, [side.mpi, str(side.directory), *made])))


def label(row: ResultRow, with_mpi: bool = True) -> str:
    """A point in one line; what is as by default goes without saying."""
    known = catalogue().benchmarks.get(row.benchmark)
    where = condition(row)
    parts = [
        f"{row.benchmark} {way(row)}",
        row.mpi if with_mpi else "",
        row.metric if known is None or known.metric != row.metric else "",
        format_bytes(size(row)) if "bytes" in row.params else "",
        where.flows if where.threads > 1 else "",
        *where.details,
        "" if placement(row) in where.details else placement(row),
        row.profile if where.shared else "",
    ]
    return one_line(", ".join(filter(None, parts)))


def medians(point: Point) -> tuple[str, str, str]:
    """A, B and the unit that suits the larger of them; where both have their own, it stands with each."""
    if point.a.unit != point.b.unit:
        a, b = (one_line(format_value(row.median, row.unit)) for row in (point.a, point.b))
        return a, b, ""
    scale = scale_for(max(point.a.median, point.b.median), point.a.unit)
    a, b = (three_digits(row.median * scale.factor) for row in (point.a, point.b))
    return a, b, one_line(pretty_unit(scale.label))


def surroundings(comparison: Comparison) -> list[Difference]:
    """What differs around two runs; nothing where that is unknown (`warnings` says so) or both sides are one run."""
    a, b = comparison.a.environment, comparison.b.environment
    if comparison.paired or a is None or b is None:
        return []
    return differences(a, b, sorted({point.a.mpi for point in comparison.points if point.a.mpi == point.b.mpi}))


def states(comparison: Comparison) -> list[str]:
    """Where the states of the machine differ between two runs, and what was made of it."""
    if comparison.paired:
        return []
    told = [_states(point.a for point in comparison.points), _states(point.b for point in comparison.points)]
    apart = sum(in_common(point.a, point.b) is None for point in comparison.points)
    total = len(comparison.points)
    if apart:
        what = "ratios" if apart == total else f"{apart} of {total} ratios"
        return [f"from core to core: {told[0]} in A, {told[1]} in B; {what} tell of that too"]
    if any(point.a.block_states or point.b.block_states for point in comparison.points):
        return [f"from core to core: {told[0]} in A, {told[1]} in B; compared within a state of both"]
    return []


def _states(rows: Iterable[ResultRow]) -> str:
    found = {each.state: each for row in rows for each in row.states}
    if not found:
        return "unknown"
    ordered = sorted(found.values(), key=lambda each: each.core_to_core_ns)
    several = len(ordered) > 1
    return " and ".join(
        f"{three_digits(each.core_to_core_ns)} ns" + (f" ({each.share:.0%})" if several else "") for each in ordered
    )


def warnings(comparison: Comparison) -> list[str]:
    """What to know before believing a ratio."""
    found = [
        f"{each.what}: {each.a or 'unknown'} in A, {each.b or 'unknown'} in B" for each in surroundings(comparison)
    ]
    found += states(comparison)
    for name, side in (("A", comparison.a), ("B", comparison.b)):
        if side.environment is None and not comparison.paired:
            found.append(f"{name} has no readable environment.json: whether it is the same machine is unknown")
    flagged = Counter(
        flag for point in comparison.points for flag in {*point.a.flags, *point.b.flags} if _is_warning(flag)
    )
    found += [f"{flag}: {number} of {len(comparison.points)} points" for flag, number in sorted(flagged.items())]
    return [one_line(each) for each in found]


def limit_words(comparison: Comparison, percent: float) -> str:
    """Whether --fail-above found something, and what it could not judge."""
    failed = sum(point.worse_by(percent) for point in comparison.points)
    blind = len(comparison.having(Outcome.TOO_SMALL)) + len(comparison.having(Outcome.NO_RATIO))
    if blind == len(comparison.points):
        return f"--fail-above {percent:g} judged nothing: no point has an interval"
    found = f"passed: no point is shown to be worse by more than {percent:g} %"
    if failed:
        found = f"failed: {failed} of {len(comparison.points)} points shown to be worse by more than {percent:g} %"
    unjudged = [f"{blind} without an interval"] if blind else []
    unjudged += [f"{len(comparison.only_a)} only in A"] if comparison.only_a else []
    return f"--fail-above {percent:g} {found}" + (f" (not judged: {', '.join(unjudged)})" if unjudged else "")


def _is_warning(flag: str) -> bool:
    """More than a note. Being oversubscribed is told with each point, since it is what its profile means."""
    return flag != Notice.OVERSUBSCRIBED and notice_of(flag).severity is not Severity.NOTE


def _commit(commit: str) -> str:
    short, dirty, _ = commit.partition("-dirty")
    return f"commit {short[:10]}{dirty}" if short else ""
