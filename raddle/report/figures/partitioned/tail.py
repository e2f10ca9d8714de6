# SPDX-License-Identifier: BSD-3-Clause
"""P2: what is left to do when the last partition is ready, and when each of one round became ready and arrived."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from raddle.model import ResultRow
from raddle.report import numbers
from raddle.report.data import Data
from raddle.report.extras import trace
from raddle.report.figures.claims import claims
from raddle.report.figures.kinds.bar_panels import Bars, plain_bar
from raddle.report.figures.kinds.timeline import Timeline, draw_timeline, timeline_of
from raddle.report.figures.model import Panel
from raddle.report.figures.page import Page
from raddle.report.figures.partitioned.pairs import ADAPTIVE, NATIVE, as_placed, legend, multiplies, partitions, table
from raddle.report.figures.suite import Rows, at_headline, one_for_each
from raddle.report.figures.tables import column
from raddle.report.params import series, told, way
from raddle.report.rows import condition

# Whose rounds are shown: one that is early without any library, the MPI's own, Raddle's.
_SHOWN = ("isend", NATIVE, ADAPTIVE)


def _heading(row: ResultRow) -> str:
    """What was sent, and by whom."""
    noise = str(row.params.get("noise", "none"))
    words = [
        f"{partitions(row)} partitions",
        condition(row).flows,
        told("noise", noise) if noise != "none" else "",
    ]
    return ", ".join(filter(None, words))


def _timelines(data: Data, rows: Rows) -> Iterator[Panel]:
    """One for each mechanism and MPI, all with one axis."""
    shown = [row for row in at_headline(data, rows) if as_placed(row)]
    found: list[tuple[ResultRow, Timeline]] = []
    for mechanism in _SHOWN:
        for row in one_for_each(data, [row for row in shown if row.params.get("mechanism") == mechanism]):
            if (timeline := timeline_of(trace(row))) is not None:
                found.append((row, timeline))
    end = max((max(timeline.arrived) for _, timeline in found), default=0.0)
    for row, timeline in found:
        shared = condition(row).shared
        yield Panel(
            title=f"{data.title(row.mpi)}, {series(row)}",
            draw=partial(draw_timeline, timeline=timeline, mechanism=series(row), end=end),
            description=f"One round of {len(timeline.ready)} partitions; {numbers.amount(timeline.tail, 'us')} after "
            "the last was ready all had arrived.",
            shared=shared,
        )


PAGE = Page(
    benchmarks=["partitioned_tail"],
    name="p2-partitioned-tail",
    heading="P2. Partitioned tail",
    how_to_read=(
        "Partitions become ready one after the other while a thread computes. Tail: from when the last one is ready "
        "until all is at the receiver; what was sent early is not in it. Further left is better. In messages: without "
        "the direct copy into the receiver's buffer, as between nodes. Timelines: one round of the first launch, a row "
        "for each partition, from when it was ready (stroke) until its arrival was seen (dot); dotted: when the last "
        "one was ready. Where a mechanism does not tell of single partitions, all arrive at the end."
    ),
    finding=claims(
        multiplies(
            ADAPTIVE, NATIVE,
            "with {partitions} partitions Raddle multiplies the tail of the MPI's own partitioned sends by {ratios}",
            "between Raddle's tail and the MPI's own with {partitions} partitions",
        ),
        otherwise="What is left to do when the last partition is ready, by mechanism",
    ),
    panels=[
        Bars(
            "time after the last partition", _heading, partial(plain_bar, label=way),
            beside=["partition_bytes", "noise"],
        ),
        _timelines,
    ],
    columns=[
        column("perceived bandwidth", "perceived", "MB/s"),
        column("sender waits", "wait", "us"),
        column("messages", "messages", ""),
    ],
    table=table,
    legend=legend,
)  # fmt: skip
