# SPDX-License-Identifier: BSD-3-Clause
"""Message rate, latency, bandwidth and collectives: what is measured when nothing is named, and its like."""

from __future__ import annotations

from dataclasses import dataclass

from raddle.model import ResultRow
from raddle.report.data import Data
from raddle.report.figures.findings import most_telling
from raddle.report.figures.kinds.by_size import (
    HOW_TO_READ_DOTS,
    legend,
    panels_at_one_size,
    several_sizes,
    size_panels,
)
from raddle.report.figures.model import Figure
from raddle.report.figures.suite import measured, physical
from raddle.report.figures.tables import in_order, table
from raddle.report.rows import headline

_COLUMNS = ["MPI", "variant", "placement", "profile", "pairs", "size", "median", "95 % interval", "blocks", "samples"]
_BETWEEN_CORES = "what the cores can hand to each other without MPI"


@dataclass(frozen=True)
class Measure:
    """A benchmark against message size; `what` is its metric in words, `limit` what bounds it."""

    benchmark: str
    name: str
    heading: str
    what: str
    limit: str
    short: str = ""

    def build(self, data: Data) -> Figure | None:
        """The figure, or none when it was not measured."""
        rows, limits = measured(data, self.benchmark), physical(data, self.benchmark)
        if not rows:
            return None
        better = "lower" if rows[0].better == "lower" else "higher"
        if several_sizes(rows):
            panels = size_panels(data, rows, limits, self.what)
            how_to_read = (
                f"{better.capitalize()} is better; both axes are logarithmic. Line: median of the blocks. Band: its "
                "95 % interval; where n is too small for one, markers are hollow. Solid: the two sides are processes "
                f"of one node; dashed: threads of one process. Grey field: beyond {self.limit}, measured in the same "
                "run."
            )
        else:
            panels = panels_at_one_size(data, rows, self.what)
            side = "left" if better == "lower" else "right"
            how_to_read = (
                f"Further {side} is better; {HOW_TO_READ_DOTS} Grey field: beyond {self.limit}, measured in the same "
                "run."
            )
        return Figure(
            name=self.name,
            heading=self.heading,
            short=self.short or self.heading,
            finding=most_telling(data, data.headline(self.benchmark), self.what),
            how_to_read=how_to_read,
            panels=panels,
            table=table(data, in_order(data, [*rows, *limits]), _COLUMNS, labels=4),
            benchmarks=[self.benchmark],
            legend=legend([*rows, *limits]),
        )


BY_SIZE = [
    Measure("latency", "latency", "Latency", "latency", _BETWEEN_CORES),
    Measure("bandwidth", "bandwidth", "Bandwidth", "bandwidth", "what one core copies with memcpy"),
    *(
        Measure(name, name, name.capitalize(), f"time of MPI_{name.capitalize()}", "what is possible without MPI")
        for name in ("allreduce", "barrier", "bcast", "alltoall")
    ),
]
_RATE_BY_SIZE = Measure(
    "msgrate", "rate-by-size", "Message rate by size", "message rate", _BETWEEN_CORES, "Rate by size"
)


def rate(data: Data) -> Figure | None:
    """The message rate at its headline size; none when it was not measured."""
    rows = data.headline("msgrate")
    if not rows:
        return None
    limits: list[ResultRow] = [row for row in headline(data.rows, "msgrate") if row not in rows]
    return Figure(
        name="message-rate",
        heading="Message rate",
        short="Rate",
        finding=most_telling(data, rows, "message rate"),
        how_to_read=f"Further right is better; {HOW_TO_READ_DOTS} Grey field: more than the machine allows without "
        "MPI.",
        panels=panels_at_one_size(data, rows, "message rate"),
        table=table(data, in_order(data, [*rows, *limits]), [name for name in _COLUMNS if name != "size"], labels=4),
        benchmarks=["msgrate"],
    )


def rate_by_size(data: Data) -> Figure | None:
    """The same against message size, where there is more than the headline size."""
    rows = [row for row in data.rows if row.benchmark == "msgrate"]
    return _RATE_BY_SIZE.build(data) if several_sizes(rows) else None
