# SPDX-License-Identifier: BSD-3-Clause
"""T8, Figure 14 of the paper, and its third expectation: what a collective and a waiting receive leave of a CPU."""

from __future__ import annotations

from dataclasses import replace

from raddle.judge.points import whole
from raddle.model import ResultRow
from raddle.report import numbers
from raddle.report.data import Data
from raddle.report.extras import quotient
from raddle.report.figures.findings import most_telling
from raddle.report.figures.kinds.bar_panels import Bars, placed, plain_bar
from raddle.report.figures.kinds.bars import Bar
from raddle.report.figures.page import Page
from raddle.report.figures.suite import Rows
from raddle.report.figures.tables import column
from raddle.report.params import series, told
from raddle.report.rows import condition, work_words
from raddle.units import format_ratio, format_ratio_interval


def _kernel(row: ResultRow) -> str:
    return ", ".join(told(name, str(row.params[name])) for name in ("kernel", "yield") if name in row.params)


def _availability(data: Data, row: ResultRow) -> Bar:
    computing = whole(row, "threads", 1)
    marks = [computing / (computing + 1), 1.0] if condition(row).shared else [1.0]
    label = f"{placed(row)}, p = {computing}"
    return Bar(series(row), label, row.median, row.ci95, numbers.told(row), marks=marks)


def _slowdown(data: Data, row: ResultRow) -> Bar | None:
    """What computing makes of the collective."""
    found = quotient(row, "collective_with", "collective_without")
    if found is None:
        return None
    bounds = numbers.TOO_SMALL if found.interval is None else format_ratio_interval(*found.interval)
    text = numbers.with_bounds(format_ratio(found.median), bounds)
    return Bar(series(row), placed(row), found.median, found.interval, text, marks=[1.0])


def _least_first(shown: Rows) -> list[ResultRow]:
    """Clean rows where there are any, the least first."""
    return sorted([row for row in shown if not condition(row).shared] or shown, key=lambda row: row.median)


def _kept(data: Data, shown: Rows) -> str:
    """What is left, from least to most; and how threads compare with processes."""
    ordered = _least_first(shown)
    kept = [f"{numbers.spoken(row)} ({data.title(row.mpi)}, {row.variant})" for row in (ordered[0], ordered[-1])]
    told_kept = f"between {kept[0]} and {kept[1]}" if len(ordered) > 1 else kept[0]
    compared = most_telling(data, shown, "availability")
    return (
        f"Beside a collective computation keeps {told_kept} of its speed, {_kernel(ordered[0])}; "
        f"{compared[:1].lower()}{compared[1:]}"
    )


def _burnt(data: Data, shown: Rows) -> str:
    ordered = _least_first(shown)
    burnt = [f"{numbers.spoken(row)} on {data.title(row.mpi)} ({row.variant})" for row in (ordered[0], ordered[-1])]
    if len(ordered) == 1:
        return f"A waiting receive uses {burnt[0]} of a CPU"
    return f"Of a CPU a waiting receive uses between {burnt[0]} and {burnt[1]}"


def _cpu(data: Data, row: ResultRow) -> Bar:
    return replace(plain_bar(data, row), marks=[100.0])


COLLECTIVE = Page(
    benchmarks=["collective_compute"],
    name="t8-collective-compute",
    heading="T8. Computing beside a collective",
    how_to_read=(
        "Availability: what computing threads get done while one more thread is in MPI_Allreduce, as a share of what "
        "they get done without it; further right is better, and 100 % (right mark) is a collective that costs nothing. "
        "With one busy thread more than CPUs, p/(p+1) (left mark) is the best that a collective which spins can leave "
        "to p threads. The second kind of panel shows what computing does to the collective."
    ),
    finding=_kept,
    panels=[
        Bars("availability", _kernel, _availability, beside=["kernel", "yield"], from_zero=True),
        Bars("collective beside computation / alone", _kernel, _slowdown, unit="x", beside=["kernel", "yield"]),
    ],
    columns=[
        column("kernels/s a thread with", "kernels_with", "1/s"),
        column("without", "kernels_without", "1/s"),
        column("collective with", "collective_with", "us"),
        column("without", "collective_without", "us"),
        ("slowdown", lambda data, row: bar.text if (bar := _slowdown(data, row)) else "-"),
    ],
)
RECEIVE = Page(
    benchmarks=["blocking_receive"],
    name="blocking-receive",
    heading="A receive that waits",
    short="Blocking",
    how_to_read=(
        "CPU time of the process over the time that it spent in MPI_Recv, while its message was still to be sent: "
        "further left is better. At 100 % (mark) the wait takes a CPU from those who have work for it."
    ),
    finding=_burnt,
    panels=[Bars("CPU while waiting", work_words, _cpu)],
    columns=[column("wake-up", "wake_up", "us")],
)
