# SPDX-License-Identifier: BSD-3-Clause
"""P3: what a thread pays for telling that a partition is ready."""

from __future__ import annotations

from functools import partial

from raddle.model import ResultRow
from raddle.report.figures.claims import claims
from raddle.report.figures.kinds.bar_panels import Bars, plain_bar
from raddle.report.figures.page import Page
from raddle.report.figures.partitioned.pairs import NATIVE, legend, multiplies, partitions, table
from raddle.report.figures.suite import flows
from raddle.report.figures.tables import column
from raddle.report.params import way

_NOTHING_SENT = "raddle-bulk"


def _heading(row: ResultRow) -> str:
    return ", ".join(filter(None, [f"{partitions(row)} partitions", flows(row)]))


PAGE = Page(
    benchmarks=["partitioned_ready"],
    name="p3-partitioned-ready",
    heading="P3. Price of MPI_Pready",
    how_to_read=(
        "All calls of a thread but its last, one right after the other, over their number. With raddle-bulk none of "
        "these calls sends anything: what remains is the counting. MPICH and Intel MPI send nothing either before the "
        "last partition; Open MPI sends one message for each. Further left is better."
    ),
    finding=claims(
        multiplies(
            _NOTHING_SENT, NATIVE,
            "where nothing is sent Raddle multiplies the time of the MPI's own call by {ratios}",
            "between a call of Raddle's that sends nothing and the MPI's own",
        ),
        otherwise="Price of telling that a partition is ready",
    ),
    panels=[Bars("time of a call", _heading, partial(plain_bar, label=way), beside=["partition_bytes"])],
    columns=[column("messages", "messages", "")],
    table=table,
    legend=legend,
)  # fmt: skip
