# SPDX-License-Identifier: BSD-3-Clause
"""T7, Figure 13 of the paper: collectives at the same time on communicators of their own, threads and processes."""

from __future__ import annotations

from raddle.judge.points import alike
from raddle.model import ResultRow
from raddle.report import numbers
from raddle.report.data import Data
from raddle.report.figures.bar_panels import Bars, bar_panels, plain_bar
from raddle.report.figures.findings import clean_and_shared
from raddle.report.figures.model import Figure
from raddle.report.figures.suite import Column, column, measured, suite_table
from raddle.report.rows import size
from raddle.stats.ratio import Ratio, paired_ratio
from raddle.units import format_bytes


def build(data: Data) -> Figure | None:
    """The figure, or none when it was not measured."""
    rows = measured(data, "concurrent_collectives")
    if not rows:
        return None
    return Figure(
        name="t7-concurrent-collectives",
        heading="T7. Concurrent collectives",
        short="T7",
        finding=clean_and_shared(data, data.headline("concurrent_collectives"), "time of a collective"),
        how_to_read=(
            "Time of one call while every flow calls the collective on its own communicator, whose members sit on "
            "different nodes: lower is better. In the table, serial / concurrent: how many times as long it takes to "
            "make the same calls one after the other; below 1x concurrency does harm."
        ),
        panels=list(bar_panels(data, rows, Bars("time of a call", _heading, plain_bar, beside=["collective"]))),
        table=suite_table(data, rows, [column("slowest flow", "slowest_flow", "us"), _serial_column(data)]),
        benchmarks=["concurrent_collectives"],
    )


def serial_to_concurrent(data: Data, row: ResultRow) -> Ratio | None:
    """T calls one after the other against T at the same time; none for a single flow, or without a row for one.

    The one flow may have had a CPU for each of its contexts when several had not: that is what a user compares.
    """
    flows = row.params.get("threads")
    if not isinstance(flows, int) or flows < 2:
        return None
    alone = next((each for each in data.rows if _alike(each, row) and each.params.get("threads") == 1), None)
    if alone is None:
        return None
    once, at_once = alike(alone, row)
    return paired_ratio({block: flows * value for block, value in once.items()}, at_once)


def _alike(a: ResultRow, b: ResultRow) -> bool:
    """Whether they differ in the number of flows at most, and in what follows from it."""
    same = (a.benchmark, a.variant, a.mpi) == (b.benchmark, b.variant, b.mpi)
    follows = {"threads": 0, "processes": 0}
    return same and a.params | follows == b.params | follows


def _serial_column(data: Data) -> Column:
    def text(row: ResultRow) -> str:
        its = serial_to_concurrent(data, row)
        return numbers.ratio_text(its) if its else "-"

    return "serial / concurrent", text


def _heading(row: ResultRow) -> str:
    collective = str(row.params.get("collective", ""))
    return f"{collective} {format_bytes(size(row))}, {row.params.get('threads', 1)} at once".strip()
