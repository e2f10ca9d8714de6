# SPDX-License-Identifier: BSD-3-Clause
"""E2: small messages in one direction by number of processes, threads or endpoints, in per cent of processes."""

from __future__ import annotations

from raddle.judge.points import whole
from raddle.model import ResultRow
from raddle.report import numbers
from raddle.report.data import Data
from raddle.report.figures.endpoints.shares import share, shares_front, shares_told, with_limits
from raddle.report.figures.kinds.bar_panels import Bars
from raddle.report.figures.kinds.bars import Bar
from raddle.report.figures.kinds.by_flows import Flows
from raddle.report.figures.kinds.by_size import legend
from raddle.report.figures.page import Page
from raddle.report.figures.suite import Rows, at_headline
from raddle.report.figures.tables import column
from raddle.report.params import series
from raddle.report.rows import condition, group, size
from raddle.units import format_bytes
from raddle.wording import listed


def _finding(data: Data, rows: Rows) -> str:
    """The shares of clean rows and of oversubscribed ones, each with as many flows as tell most."""
    said = [told for shared in (False, True) if (told := _shares(data, rows, shared))]
    if not said:
        return "Bandwidth of small messages by number of processes, threads or endpoints"
    return f"{format_bytes(size(rows[0]))} messages in per cent of processes: {'; '.join(said)}"


def _shares(data: Data, rows: Rows, shared: bool) -> str:
    """Of all MPIs, with the number of flows at which most can be compared; of several the highest."""
    own = [row for row in rows if condition(row).shared == shared]
    flows = group(sorted(own, key=lambda row: whole(row, "threads", 1)), lambda row: whole(row, "threads", 1))
    found = {
        number: [
            (data.title(mpi), shares)
            for mpi in data.mpis
            if (shares := shares_told(data, [row for row in some if row.mpi == mpi]))
        ]
        for number, some in flows.items()
    }
    best = max(found, key=lambda number: (sum(len(shares) for _, shares in found[number]), number), default=0)
    if not found.get(best):
        return ""
    told = "; ".join(f"{listed(shares)} on {title}" for title, shares in found[best])
    words = [condition(flows[best][0]).flows, *(["oversubscribed"] if shared else [])]
    return f"{told} ({', '.join(words)})"


def _bar(data: Data, row: ResultRow) -> Bar | None:
    its = share(data, row)
    if its is None:
        return None
    interval = None if its.interval is None else (100 * its.interval[0], 100 * its.interval[1])
    if row.variant == "process":
        # Exactly 100 %, known or not: hollow means that its own value has no interval.
        return Bar(series(row), row.variant, 100.0, interval, f"100 %, {numbers.value(row)}")
    return Bar(series(row), row.variant, 100 * its.estimate, interval, numbers.percent_text(its))


def _compared(data: Data, rows: Rows) -> Rows:
    return with_limits(data, at_headline(data, rows))


PAGE = Page(
    benchmarks=["ep_throughput"],
    name="e2-throughput",
    heading="E2. Throughput",
    how_to_read=(
        "As many processes, threads or endpoints on each side, all sending in one direction: processes are what "
        "threads could reach (ST, 100 %). In 2014, between two nodes and with 8 on each, threads on one communicator "
        "(MT) reached 2.6 % of that, endpoints with proxies (EP) 72 %. Further right is better; shares are paired "
        "block by block. No MPI: a ring of cache lines between two cores."
    ),
    finding=_finding,
    panels=[
        Bars("speed as a share of processes", bar=_bar, unit="%", of=_compared),
        Flows("bandwidth", bars=False, of=_compared),
    ],
    columns=[column("sum of the flows' own", "flow_rate", "MB/s")],
    legend=lambda data, rows: legend(_compared(data, rows)),
    fronts=lambda data, rows: shares_front(data, at_headline(data, rows)),
)
