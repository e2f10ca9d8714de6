# SPDX-License-Identifier: BSD-3-Clause
"""T2, T3 and T7, Figures 5 to 8 and 13 of the paper: flows at the same time, of threads and of processes."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from raddle.judge.points import alike
from raddle.model import ResultRow
from raddle.report.data import Data
from raddle.report.figures.findings import clean_and_shared
from raddle.report.figures.kinds.bar_panels import Bars, plain_bar
from raddle.report.figures.kinds.bars import Bar
from raddle.report.figures.kinds.by_flows import Flows
from raddle.report.figures.kinds.by_size import BySize, legend, several_sizes
from raddle.report.figures.model import Panel, Series
from raddle.report.figures.page import Page
from raddle.report.figures.suite import Rows, at_headline, physical
from raddle.report.figures.tables import column, ratio_column
from raddle.report.rows import condition, size
from raddle.stats.ratio import Ratio, paired_ratio
from raddle.units import format_bytes


def _with_limit(data: Data, row: ResultRow) -> Bar:
    """Of a bandwidth. The limit was measured with the machine to itself, so it bounds no oversubscribed row."""
    limit = None if condition(row).shared else data.limit(row)
    return replace(plain_bar(data, row), marks=[limit.median] if limit else [])


def _by_flows(data: Data, rows: Rows) -> list[Panel]:
    """Latency over the number of flows: lines beside those over sizes, else bars."""
    kind = Flows("latency", bars=False) if several_sizes(rows) else Bars("latency")
    return list(kind(data, at_headline(data, rows)))


def _legend_of_lines(data: Data, rows: Rows) -> list[Series]:
    return legend([*rows, *physical(data, rows[0].benchmark)]) if several_sizes(rows) else []


def serial_to_concurrent(data: Data, row: ResultRow) -> Ratio | None:
    """T calls one after the other against T at the same time; none for a single flow, or without a row for one.

    The one flow may have had a CPU for each of its contexts when several had not: that is what a user compares.
    """
    flows = row.params.get("threads")
    if not isinstance(flows, int) or flows < 2:
        return None
    alone = next((each for each in data.rows if _alike(each, row) and each.params.get("threads") == 1), None)
    if alone is None:
        return None
    once, at_once = alike(alone, row)
    return paired_ratio({block: flows * value for block, value in once.items()}, at_once)


def _alike(a: ResultRow, b: ResultRow) -> bool:
    """Whether they differ in the number of flows at most, and in what follows from it."""
    same = (a.benchmark, a.variant, a.mpi) == (b.benchmark, b.variant, b.mpi)
    follows = {"threads": 0, "processes": 0}
    return same and a.params | follows == b.params | follows


def _collective(row: ResultRow) -> str:
    collective = str(row.params.get("collective", ""))
    return f"{collective} {format_bytes(size(row))}, {row.params.get('threads', 1)} at once".strip()


BANDWIDTH = Page(
    benchmarks=["concurrent_bandwidth"],
    name="t2-concurrent-bandwidth",
    heading="T2. Concurrent bandwidth",
    how_to_read=(
        "All bytes of all flows over the time from the first start to the last end, in blocking sends: further right "
        "is better, and threads should reach what processes reach. Bars begin at zero; the marker is the median of the "
        "blocks, the dark line its 95 % interval, hollow where n is too small for one. Mark, where there is one: what "
        "the cores copy with memcpy."
    ),
    finding=partial(clean_and_shared, what="bandwidth"),
    panels=[Bars("bandwidth of all flows", bar=_with_limit, of=at_headline)],
    columns=[column("sum of the flows' own", "flow_rate", "MB/s")],
)
LATENCY = Page(
    benchmarks=["concurrent_latency"],
    name="t3-concurrent-latency",
    heading="T3. Concurrent latency",
    how_to_read=(
        "Half a round trip while all flows play ping-pong: lower is better, and the distance between threads and "
        "processes is what threads cost each other. Line: median of the blocks. Band: its 95 % interval; where n is "
        "too small for one, markers are hollow. Grey field, where there is one: beyond what the cores can hand to each "
        "other without MPI. Single round trips are in the table as p99 and longest."
    ),
    finding=partial(clean_and_shared, what="latency"),
    panels=[BySize("latency"), _by_flows],
    columns=[column("slowest flow", "slowest_flow", "us"), column("p99", "p99", "us"), column("longest", "max", "us")],
    legend=_legend_of_lines,
)
COLLECTIVES = Page(
    benchmarks=["concurrent_collectives"],
    name="t7-concurrent-collectives",
    heading="T7. Concurrent collectives",
    how_to_read=(
        "Time of one call while every flow calls the collective on its own communicator, whose members sit on "
        "different nodes: lower is better. In the table, serial / concurrent: how many times as long it takes to make "
        "the same calls one after the other; below 1x concurrency does harm."
    ),
    finding=partial(clean_and_shared, what="time of a collective"),
    panels=[Bars("time of a call", _collective, beside=["collective"])],
    columns=[
        column("slowest flow", "slowest_flow", "us"),
        ratio_column("serial / concurrent", serial_to_concurrent),
    ],
)
