# SPDX-License-Identifier: BSD-3-Clause
"""Pages of the Thakur-Gropp suite that bars and lines tell: T2, T3, T7, T8, and a receive that waits."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from raddle.judge.points import alike, whole
from raddle.model import ResultRow
from raddle.report import numbers
from raddle.report.data import Data
from raddle.report.extras import quotient
from raddle.report.figures.bar_panels import Bars, placed, plain_bar
from raddle.report.figures.bars import Bar
from raddle.report.figures.by_flows import Flows
from raddle.report.figures.by_size import BySize, legend, several_sizes
from raddle.report.figures.findings import clean_and_shared, most_telling
from raddle.report.figures.model import Panel, Series
from raddle.report.figures.page import Page
from raddle.report.figures.suite import Rows, at_headline, physical
from raddle.report.figures.tables import column, ratio_column
from raddle.report.params import series, told
from raddle.report.rows import condition, size, work_words
from raddle.stats.ratio import Ratio, paired_ratio
from raddle.units import format_bytes, format_ratio, format_ratio_interval


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
COMPUTING = Page(
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
WAITING = Page(
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
