# SPDX-License-Identifier: BSD-3-Clause
"""T2, Figures 5 and 6 of the paper: the bandwidth of all flows together, threads against processes."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from raddle.model import ResultRow
from raddle.report.data import Data
from raddle.report.figures.bar_panels import plain_bar
from raddle.report.figures.bars import Bar
from raddle.report.figures.by_flows import flow_bars
from raddle.report.figures.findings import clean_and_shared
from raddle.report.figures.model import Figure
from raddle.report.figures.suite import column, measured, suite_table
from raddle.report.rows import condition


def build(data: Data) -> Figure | None:
    """The figure, or none when it was not measured."""
    rows = measured(data, "concurrent_bandwidth")
    if not rows:
        return None
    shown = data.headline("concurrent_bandwidth")
    return Figure(
        name="t2-concurrent-bandwidth",
        heading="T2. Concurrent bandwidth",
        short="T2",
        finding=clean_and_shared(data, shown, "bandwidth"),
        how_to_read=(
            "All bytes of all flows over the time from the first start to the last end, in blocking sends: further "
            "right is better, and threads should reach what processes reach. Bars begin at zero; the marker is the "
            "median of the blocks, the dark line its 95 % interval, hollow where n is too small for one. "
            "Mark, where there is one: what the cores copy with memcpy."
        ),
        panels=flow_bars(data, shown, "bandwidth of all flows", partial(_bar, data)),
        table=suite_table(data, rows, [column("sum of the flows' own", "flow_rate", "MB/s")]),
        benchmarks=["concurrent_bandwidth"],
    )


def _bar(data: Data, row: ResultRow) -> Bar:
    """With the machine's limit. That was measured with the machine to itself, so it bounds no oversubscribed row."""
    limit = None if condition(row).shared else data.limit(row)
    return replace(plain_bar(row), marks=[limit.median] if limit else [])
