# SPDX-License-Identifier: BSD-3-Clause
"""T3, Figures 7 and 8 of the paper: ping-pongs of all flows at once, threads against processes."""

from __future__ import annotations

from raddle.report.data import Data
from raddle.report.figures.by_flows import flow_bars, flow_lines
from raddle.report.figures.by_size import legend, size_panels
from raddle.report.figures.findings import clean_and_shared
from raddle.report.figures.model import Figure
from raddle.report.figures.suite import column, measured, physical, suite_table
from raddle.report.rows import size


def build(data: Data) -> Figure | None:
    """The figure, or none when it was not measured."""
    rows = measured(data, "concurrent_latency")
    if not rows:
        return None
    limits = physical(data, "concurrent_latency")
    shown = data.headline("concurrent_latency")
    by_size = size_panels(data, rows, limits, "latency") if len({size(row) for row in rows}) > 1 else []
    return Figure(
        name="t3-concurrent-latency",
        heading="T3. Concurrent latency",
        short="T3",
        finding=clean_and_shared(data, shown, "latency"),
        how_to_read=(
            "Half a round trip while all flows play ping-pong: lower is better, and the distance between threads and "
            "processes is what threads cost each other. Line: median of the blocks. Band: its 95 % interval; where n "
            "is too small for one, markers are hollow. Grey field, where there is one: beyond what the cores can hand "
            "to each other without MPI. Single round trips are in the table as p99 and longest."
        ),
        panels=[*by_size, *(flow_lines(data, shown, "latency") if by_size else flow_bars(data, shown, "latency"))],
        table=suite_table(
            data, rows,
            [column("slowest flow", "slowest_flow", "us"), column("p99", "p99", "us"), column("longest", "max", "us")],
        ),
        benchmarks=["concurrent_latency"],
        legend=legend([*rows, *limits]) if by_size else [],
    )  # fmt: skip
