# SPDX-License-Identifier: BSD-3-Clause
"""P3: what a thread pays for telling that a partition is ready."""

from __future__ import annotations

from raddle.model import ResultRow
from raddle.report import numbers
from raddle.report.data import Data
from raddle.report.figures.bar_panels import Bars, bar_panels
from raddle.report.figures.bars import Bar
from raddle.report.figures.model import Figure
from raddle.report.figures.partitioned_pairs import NATIVE, legend, multiples, partitions, sentence, table, told
from raddle.report.figures.suite import column, measured
from raddle.report.params import series, way
from raddle.report.rows import condition

_NOTHING_SENT = "raddle-bulk"


def build(data: Data, number: int) -> Figure | None:
    """The figure, or none when it was not measured."""
    rows = measured(data, "partitioned_ready")
    if not rows:
        return None
    bars = Bars("time of a call", _heading, _bar, beside=["partition_bytes"])
    return Figure(
        name=f"p{number}-partitioned-ready",
        heading=f"P{number}. Price of MPI_Pready",
        short=f"P{number}",
        finding=_finding(data),
        how_to_read=(
            "All calls of a thread but its last, one right after the other, over their number. With raddle-bulk none "
            "of these calls sends anything: what remains is the counting. MPICH and Intel MPI send nothing either "
            "before the last partition; Open MPI sends one message for each. Further left is better."
        ),
        panels=list(bar_panels(data, rows, bars)),
        table=table(data, rows, [column("messages", "messages", "")]),
        benchmarks=["partitioned_ready"],
        legend=legend(rows),
    )


def _finding(data: Data) -> str:
    found = multiples(data, data.headline("partitioned_ready"), _NOTHING_SENT, NATIVE)
    claim = "where nothing is sent Raddle multiplies the time of the MPI's own call by {}"
    return sentence(
        told(found, claim, nothing="between a call of Raddle's that sends nothing and the MPI's own"),
        "Price of telling that a partition is ready",
    )


def _heading(row: ResultRow) -> str:
    return ", ".join(filter(None, [f"{partitions(row)} partitions", condition(row).flows]))


def _bar(row: ResultRow) -> Bar:
    return Bar(series(row), way(row), row.median, row.ci95, numbers.told(row))
