# SPDX-License-Identifier: BSD-3-Clause
"""T8, Figure 14 of the paper: what is left for computing threads while another thread is in a collective."""

from __future__ import annotations

from raddle.judge.points import whole
from raddle.model import ResultRow
from raddle.report import numbers
from raddle.report.data import Data
from raddle.report.extras import quotient
from raddle.report.figures.bar_panels import Bars, bar_panels, placed
from raddle.report.figures.bars import Bar
from raddle.report.figures.findings import most_telling
from raddle.report.figures.model import Figure
from raddle.report.figures.suite import column, measured, suite_table
from raddle.report.params import series, told
from raddle.report.rows import condition
from raddle.units import format_ratio, format_ratio_interval


def build(data: Data) -> Figure | None:
    """The figure, or none when it was not measured."""
    rows = measured(data, "collective_compute")
    if not rows:
        return None
    kinds = ["kernel", "yield"]
    return Figure(
        name="t8-collective-compute",
        heading="T8. Computing beside a collective",
        short="T8",
        finding=_finding(data),
        how_to_read=(
            "Availability: what computing threads get done while one more thread is in MPI_Allreduce, as a share of "
            "what they get done without it; further right is better, and 100 % (right mark) is a collective that costs "
            "nothing. With one busy thread more than CPUs, p/(p+1) (left mark) is the best that a collective which "
            "spins can leave to p threads. The second kind of panel shows what computing does to the collective."
        ),
        panels=[
            *bar_panels(data, rows, Bars("availability", _heading, _bar, beside=kinds, from_zero=True)),
            *bar_panels(data, rows, Bars("collective beside computation / alone", _heading, _slowdown, "x", kinds)),
        ],
        table=suite_table(
            data, rows,
            [column("kernels/s a thread with", "kernels_with", "1/s"), column("without", "kernels_without", "1/s"),
             column("collective with", "collective_with", "us"), column("without", "collective_without", "us"),
             ("slowdown", lambda row: bar.text if (bar := _slowdown(row)) else "-")],
        ),
        benchmarks=["collective_compute"],
    )  # fmt: skip


def _finding(data: Data) -> str:
    """What is left, from least to most, clean before shared; and how threads compare with processes."""
    shown = data.headline("collective_compute")
    ordered = sorted([row for row in shown if not condition(row).shared] or shown, key=lambda row: row.median)
    kept = [f"{numbers.spoken(row)} ({data.title(row.mpi)}, {row.variant})" for row in (ordered[0], ordered[-1])]
    told_kept = f"between {kept[0]} and {kept[1]}" if len(ordered) > 1 else kept[0]
    compared = most_telling(data, shown, "availability")
    return (
        f"Beside a collective computation keeps {told_kept} of its speed, {_heading(ordered[0])}; "
        f"{compared[:1].lower()}{compared[1:]}"
    )


def _heading(row: ResultRow) -> str:
    return ", ".join(told(name, str(row.params[name])) for name in ("kernel", "yield") if name in row.params)


def _bar(row: ResultRow) -> Bar:
    computing = whole(row, "threads", 1)
    marks = [computing / (computing + 1), 1.0] if condition(row).shared else [1.0]
    label = f"{placed(row)}, p = {computing}"
    return Bar(series(row), label, row.median, row.ci95, numbers.told(row), marks=marks)


def _slowdown(row: ResultRow) -> Bar | None:
    found = quotient(row, "collective_with", "collective_without")
    if found is None:
        return None
    interval = numbers.TOO_SMALL if found.interval is None else format_ratio_interval(*found.interval)
    text = f"{format_ratio(found.median)}{', ' if found.interval is None else ' '}{interval}"
    return Bar(series(row), placed(row), found.median, found.interval, text, marks=[1.0])
