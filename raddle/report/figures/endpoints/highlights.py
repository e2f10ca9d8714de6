# SPDX-License-Identifier: BSD-3-Clause
"""The evaluation of endpoints on one page: what was told of the library of 2014, and what this run found of ours."""

from __future__ import annotations

from dataclasses import dataclass

from raddle.judge.points import placement
from raddle.model import ResultRow
from raddle.report import numbers
from raddle.report.data import Data
from raddle.report.expectations import Judgement, at_least, at_most, counts
from raddle.report.figures.endpoints.overhead import MOST_ADDED
from raddle.report.figures.endpoints.shares import share
from raddle.report.figures.model import Figure, Front, Table
from raddle.report.figures.suite import added, measured
from raddle.report.rows import condition

# Throughput of 64 B messages with proxies as a share of that of processes, as measured in 2014.
LEAST_SHARE = 0.72
_WHAT: dict[str, str] = {
    "ep_overhead": "added to an operation",
    "ep_throughput": "throughput of 64 B messages",
    "fft_exchange": "FFT exchange",
    "dslash": "Wilson Dslash",
}
_IN_2014: dict[str, str] = {"ep_overhead": "about 320 ns", "ep_throughput": "72 %"}
_ENGINES = {"endpoint-direct": "direct engine", "endpoint-proxy": "proxy engine"}


@dataclass(frozen=True)
class _Found:
    """One comparison with processes, and how it stands against 2014, where that can be told."""

    text: str
    judgement: Judgement | None = None


def build(data: Data) -> Figure | None:
    """The figure, or none when no engine was held against processes."""
    names = [name for name in _WHAT if name in data.benchmarks]
    lines = [(name, engine, _line(data, name, engine)) for name in names for engine in _ENGINES]
    lines = [(name, engine, found) for name, engine, found in lines if any(found)]
    if not lines:
        return None
    body = [
        [f"{_WHAT[name]}, {_ENGINES[engine]}", _IN_2014.get(name, "-"),
         *(each.text if each else "-" for each in found)]
        for name, engine, found in lines
    ]  # fmt: skip
    table = Table(["", "2014", *map(data.title, data.mpis)], body, labels=1)
    return Figure(
        name="endpoints",
        across=True,
        heading="Endpoints",
        short="Endpoints",
        finding=_finding([each for _, _, found in lines for each in found if each]),
        how_to_read=(
            "What an engine adds to an operation, and its speed in per cent of that of processes in the same run, "
            "paired block by block. 2014: what was told of the first library of endpoints, whose engine were proxies, "
            "between nodes over InfiniBand. Clean rows come before oversubscribed ones, a message to another before "
            "one to itself, more flows before fewer; the pages that follow have them all."
        ),
        panels=[],
        table=table,
        benchmarks=names,
        fronts=[Front("", table)],
    )


def _finding(found: list[_Found]) -> str:
    """How many comparisons with 2014 came out how."""
    judged = [each.judgement for each in found if each.judgement]
    if not judged:
        return "Endpoints against processes"
    return f"At least as good as the library of 2014: of {len(judged)} comparisons {counts(judged)}"


def _line(data: Data, name: str, engine: str) -> list[_Found | None]:
    shown = [row for row in measured(data, name) if row in data.headline(name)]
    rows = [row for row in shown if row.variant == engine and placement(row) != "one-process"]  # processes are several
    return [_best(data, [row for row in rows if row.mpi == mpi]) for mpi in data.mpis]


def _best(data: Data, rows: list[ResultRow]) -> _Found | None:
    """The first of those that can be compared."""

    def order(row: ResultRow) -> tuple[object, ...]:
        each = condition(row)
        return (each.shared, row.params.get("partner") == "self", -each.threads)

    how = {"ep_overhead": _added}
    found = ((row, how.get(row.benchmark, _shared)(data, row)) for row in sorted(rows, key=order))
    for row, its in found:
        if its is not None:
            return _Found(f"oversubscribed: {its.text}", its.judgement) if condition(row).shared else its
    return None


def _added(data: Data, row: ResultRow) -> _Found | None:
    its = added(data, row)
    return _Found(numbers.difference_text(its, row.unit), at_most(MOST_ADDED, its.interval)) if its else None


def _shared(data: Data, row: ResultRow) -> _Found | None:
    its = share(data, row)
    if its is None:
        return None
    judged = at_least(LEAST_SHARE, its.interval) if row.benchmark == "ep_throughput" else None
    return _Found(numbers.percent_text(its), judged)
