# SPDX-License-Identifier: BSD-3-Clause
"""Figure 1 of the paper: sends and receives in two threads of each process, which must end in any order of starts."""

from __future__ import annotations

from raddle.judge.incidents import Incident
from raddle.judge.points import placement
from raddle.notices import Severity
from raddle.report import numbers
from raddle.report.data import Data
from raddle.report.figures.model import Figure, Front, Table
from raddle.report.figures.suite import measured
from raddle.report.figures.tables import column, suite_table
from raddle.report.params import way
from raddle.report.rows import condition, display_order
from raddle.wording import listed


def build(data: Data) -> Figure | None:
    """The figure, or none when nobody tried."""
    rows = measured(data, "liveness")
    stuck = [each for each in data.incidents if each.notice.severity == Severity.ERROR and _concerns(each)]
    if not rows and not stuck:
        return None
    failed = [[data.title(each.mpi), each.variant or "-", "-", each.message, "-", "-"] for each in stuck]
    suspect = {each.mpi for each in stuck}
    ended = [
        [data.title(row.mpi), way(row), placement(row), "ended" if row.mpi in suspect else "ended every time",
         numbers.told(row), str(len(row.samples))]
        for row in sorted(rows, key=lambda row: (data.mpis.index(row.mpi), condition(row), display_order(row)))
    ]  # fmt: skip
    header = ["MPI", "variant", "placement", "in all 24 orders", "time of an order", "samples"]
    return Figure(
        name="liveness",
        heading="Liveness",
        short="Liveness",
        finding=_finding([line[0] for line in failed]),
        how_to_read=(
            "Two threads in each of two processes, one in MPI_Recv, one in MPI_Send, started one after the other in "
            "each of the 24 orders. A library that held a lock while it waits would never end in some of them."
        ),
        panels=[],
        table=suite_table(data, rows, [column("starts that came late", "late", "")]),
        benchmarks=["liveness"],
        fronts=[Front("", Table(header, [*failed, *ended], labels=4))],
    )


def _concerns(incident: Incident) -> bool:
    """A launch that hung could say no more than who waited where."""
    return incident.benchmark == "liveness" or "liveness" in incident.message


def _finding(failed: list[str]) -> str:
    if failed:
        return f"Not every order of starts ended on {listed(list(dict.fromkeys(failed)))}"
    return "Every order of starts ended, every time"
