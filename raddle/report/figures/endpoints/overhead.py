# SPDX-License-Identifier: BSD-3-Clause
"""E1: what an engine adds to an operation, in nanoseconds, as the evaluation of 2014 told it."""

from __future__ import annotations

from collections.abc import Iterator

from raddle.model import ResultRow
from raddle.report import numbers
from raddle.report.data import Data
from raddle.report.expectations import Judgement, at_most
from raddle.report.figures.kinds.bar_panels import Bars
from raddle.report.figures.kinds.bars import Bar
from raddle.report.figures.kinds.by_size import BySize, legend
from raddle.report.figures.model import Front, Table
from raddle.report.figures.page import Page
from raddle.report.figures.suite import Rows, added, at_headline, physical
from raddle.report.figures.tables import added_column
from raddle.report.params import is_reference, series, told
from raddle.report.rows import condition, display_order, group, size
from raddle.stats.difference import Difference
from raddle.units import format_bytes
from raddle.wording import listed

# What the library of 2014 added to an operation by proxies, in microseconds: ours are to add no more.
MOST_ADDED = 0.32
_ENGINES = {"endpoint-proxy": "the proxy engine", "endpoint-direct": "the direct engine"}


def _finding(data: Data, rows: Rows) -> str:
    clauses = [clause for variant in _ENGINES for clause in _clauses(data, rows, variant)]
    if not clauses:
        return "Time of an operation by variant and MPI"
    said = "; ".join(clauses)
    return f"At {format_bytes(size(rows[0]))} {said}"


def _clauses(data: Data, rows: Rows, variant: str) -> Iterator[str]:
    """For each MPI the row that tells most of an engine: clean, and with another partner rather than with itself."""
    best: dict[str, tuple[ResultRow, Difference]] = {}
    for row in sorted(rows, key=lambda row: (condition(row).shared, row.params.get("partner") == "self")):
        its = added(data, row) if row.variant == variant else None
        if its is not None:
            best.setdefault(row.mpi, (row, its))
    said: dict[tuple[str, str], list[str]] = {}
    for row, its in (best[mpi] for mpi in data.mpis if mpi in best):
        alike = said.setdefault((_where(row), _judgement(its)), [])
        alike.append(f"{_added_value(row, its)} on {data.title(row.mpi)}")
    for (where, why), values in said.items():
        yield f"{_ENGINES[variant]} adds {listed(values)} to {where} ({why})"


def _added_value(row: ResultRow, its: Difference) -> str:
    """With its interval, where there is one; that there is none stands behind the clause."""
    return numbers.difference_text(its, row.unit).removesuffix(f", {numbers.TOO_SMALL}")


def _where(row: ResultRow) -> str:
    return ", ".join([_work(row), *(["oversubscribed"] if condition(row).shared else [])])


def _judgement(its: Difference) -> str:
    if its.interval is None:
        return numbers.TOO_SMALL
    verdicts = {
        Judgement.MET: f"at most {_bar_told()}",
        Judgement.NOT_MET: f"more than {_bar_told()}",
        Judgement.NOT_SHOWN: f"{_bar_told()} lie within the interval",
    }
    words = [*([] if its.shown else [its.words]), verdicts[at_most(MOST_ADDED, its.interval)]]
    return ", ".join(words)


def _fronts(data: Data, rows: Rows) -> list[Front]:
    """A table for each partner: variants down, MPIs across."""
    partners = group(at_headline(data, rows), lambda row: str(row.params.get("partner", "")))
    return [
        Front(f"Added to processes, {_work(own[0])}", _table(data, own))
        for _, own in sorted(partners.items())
        if any(added(data, row) for row in own)
    ]


def _table(data: Data, rows: Rows) -> Table:
    mpis = [mpi for mpi in data.mpis if any(row.mpi == mpi for row in rows)]
    variants = dict.fromkeys(row.variant for row in sorted(rows, key=display_order) if not is_reference(row))
    body = [[variant, *(_cell(data, rows, mpi, variant) for mpi in mpis)] for variant in variants]
    return Table(["", *map(data.title, mpis)], body, labels=1)


def _cell(data: Data, rows: Rows, mpi: str, variant: str) -> str:
    own = [row for row in rows if (row.mpi, row.variant) == (mpi, variant)]
    row = min(own, key=lambda row: (condition(row).shared, condition(row).threads), default=None)
    if row is None:
        return "-"
    its = added(data, row)
    if its is None:
        return "oversubscribed, not compared" if condition(row).shared else "no processes"
    return f"{'oversubscribed: ' if condition(row).shared else ''}{numbers.difference_text(its, row.unit)}"


def _bar(data: Data, row: ResultRow) -> Bar | None:
    its = added(data, row)
    if its is None:
        return None
    text = numbers.difference_text(its, row.unit)
    return Bar(series(row), row.variant, its.estimate, its.interval, text, marks=[MOST_ADDED])


def _judged(data: Data, row: ResultRow) -> str:
    """Only of endpoints: nobody has promised anything of the others."""
    its = added(data, row) if row.variant in _ENGINES else None
    return at_most(MOST_ADDED, its.interval).value if its else "-"


def _work(row: ResultRow) -> str:
    flows = condition(row).flows
    return ", ".join(filter(None, ["a message " + told("partner", str(row.params.get("partner", "other"))), flows]))


def _bar_told() -> str:
    return f"{1000 * MOST_ADDED:.0f} ns"


PAGE = Page(
    benchmarks=["ep_overhead"],
    name="e1-overhead",
    heading="E1. Overhead of an operation",
    how_to_read=(
        "Half the round trip of a ping-pong between two processes, and, where two contexts and their proxies find no "
        "CPUs, half of what a message to oneself takes: each is a send and a receive. Added: what it takes more than "
        f"with processes, paired block by block; further left is better. Mark: {_bar_told()}, what proxies added in "
        "2014. Oversubscribed rows are compared with oversubscribed processes only."
    ),
    finding=_finding,
    panels=[
        Bars("added to processes", _work, _bar, beside=["partner"], from_zero=True, of=at_headline),
        BySize("time of an operation"),
    ],
    columns=[added_column("added to processes"), (f"at most {_bar_told()}", _judged)],
    legend=lambda data, rows: legend([*rows, *physical(data, "ep_overhead")]),
    fronts=_fronts,
)
