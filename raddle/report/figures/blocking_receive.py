# SPDX-License-Identifier: BSD-3-Clause
"""The paper's third expectation: how much CPU a receive burns while it waits for its message."""

from __future__ import annotations

from raddle.model import ResultRow
from raddle.report import numbers
from raddle.report.data import Data
from raddle.report.figures.bar_panels import Bars, bar_panels, placed
from raddle.report.figures.bars import Bar
from raddle.report.figures.model import Figure
from raddle.report.figures.suite import column, measured, suite_table
from raddle.report.params import series
from raddle.report.rows import condition, work_words


def build(data: Data) -> Figure | None:
    """The figure, or none when it was not measured."""
    rows = measured(data, "blocking_receive")
    if not rows:
        return None
    return Figure(
        name="blocking-receive",
        heading="A receive that waits",
        short="Blocking",
        finding=_finding(data),
        how_to_read=(
            "CPU time of the process over the time that it spent in MPI_Recv, while its message was still to be sent: "
            "further left is better. At 100 % (mark) the wait takes a CPU from those who have work for it."
        ),
        panels=list(bar_panels(data, rows, Bars("CPU while waiting", work_words, _bar))),
        table=suite_table(data, rows, [column("wake-up", "wake_up", "us")]),
        benchmarks=["blocking_receive"],
    )


def _finding(data: Data) -> str:
    shown = data.headline("blocking_receive")
    clean = [row for row in shown if not condition(row).shared] or shown
    ordered = sorted(clean, key=lambda row: row.median)
    least, most = (
        f"{numbers.spoken(row)} on {data.title(row.mpi)} ({row.variant})" for row in (ordered[0], ordered[-1])
    )
    if len(ordered) == 1:
        return f"A waiting receive uses {least} of a CPU"
    return f"Of a CPU a waiting receive uses between {least} and {most}"


def _bar(row: ResultRow) -> Bar:
    return Bar(series(row), placed(row), row.median, row.ci95, numbers.told(row), marks=[100.0])
