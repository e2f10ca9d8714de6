# SPDX-License-Identifier: BSD-3-Clause
"""Message rate by variant and MPI: one panel a condition, so that clean and oversubscribed rows never share an axis."""

from __future__ import annotations

from collections.abc import Sequence

from raddle.judge.points import placement
from raddle.model import NO_MPI, ResultRow
from raddle.report import numbers
from raddle.report.data import Data
from raddle.report.figures.at_one_size import HOW_TO_READ, panels_at_one_size
from raddle.report.figures.findings import most_telling
from raddle.report.figures.model import Figure, Table
from raddle.report.rows import condition, display_order, headline
from raddle.results.row_states import blocks_shown


def build(data: Data) -> Figure | None:
    """The figure, or none when no message rate was measured."""
    rows = data.headline("msgrate")
    if not rows:
        return None
    return Figure(
        name="message-rate",
        heading="Message rate",
        short="Rate",
        finding=most_telling(data, rows, "message rate"),
        how_to_read=f"Further right is better; {HOW_TO_READ} Grey field: more than the machine allows without MPI.",
        panels=panels_at_one_size(data, rows, "message rate"),
        table=_table(data, [*rows, *(row for row in headline(data.rows, "msgrate") if row not in rows)]),
        benchmarks=["msgrate"],
    )


def _table(data: Data, rows: Sequence[ResultRow]) -> Table:
    places = {mpi: place for place, mpi in enumerate([*data.mpis, NO_MPI])}
    body = [
        [data.title(row.mpi), row.variant, placement(row), row.profile, str(condition(row).threads), numbers.value(row),
         numbers.interval(row), str(len(blocks_shown(row))), str(len(row.samples))]
        for row in sorted(rows, key=lambda row: (condition(row), places[row.mpi], display_order(row)))
    ]  # fmt: skip
    return Table(
        ["MPI", "variant", "placement", "profile", "pairs", "median", "95 % interval", "blocks", "samples"],
        body,
        labels=4,
    )
