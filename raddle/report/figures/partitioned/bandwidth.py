# SPDX-License-Identifier: BSD-3-Clause
"""P1: effective bandwidth by size of partition and mechanism, a panel for each order."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from raddle.judge.points import placement
from raddle.model import WAYS, ResultRow
from raddle.report import numbers
from raddle.report.data import Data
from raddle.report.extras import extra
from raddle.report.figures.claims import claims
from raddle.report.figures.kinds.line_panels import Lines, Value
from raddle.report.figures.model import Panel
from raddle.report.figures.page import Page
from raddle.report.figures.partitioned.pairs import ADAPTIVE, BULK, NATIVE, legend, multiplies, partition_size, table
from raddle.report.figures.partitioned.trials import trials_front
from raddle.report.figures.suite import Rows
from raddle.report.figures.tables import column
from raddle.report.params import by_messages, series
from raddle.report.rows import Condition, condition, group
from raddle.units import format_bytes

# Orders as the study has them; alphabetical they would be a riddle.
_ORDERS = ("linear", "inverse", "random", "stride", "neighbours")
_WHERE = {"endpoint-direct": "endpoints"}


# What Raddle makes of the smallest partitions, against what the MPI makes of them and against one message.
_FINDING = claims(
    multiplies(
        ADAPTIVE, NATIVE,
        "in partitions of {partition} Raddle multiplies the bandwidth of the MPI's own partitioned sends by {ratios}",
        "between Raddle and the MPI's own in partitions of {partition}",
    ),
    multiplies(
        ADAPTIVE, BULK, "that of one large message by {ratios}", "between Raddle and one large message"
    ),
    otherwise="Effective bandwidth by size of partition and mechanism",
)  # fmt: skip


def _messages(row: ResultRow) -> Value | None:
    """Of how many messages a round was, where it was of any."""
    found = extra(row, "messages", "")
    return (found.median, found.interval) if found is not None and found.median > 0 else None


_SPEED = Lines("effective bandwidth", at=partition_size, across="size of a partition", dashed=by_messages, named=True)
_MESSAGES = replace(_SPEED, label="messages of a round", value=_messages, unit="")


def _panels(data: Data, rows: Rows) -> Iterator[Panel]:
    """Bandwidths, then messages, where any were counted."""
    yield from _by_order(data, rows, _SPEED)
    yield from _by_order(data, [row for row in rows if _messages(row) is not None], _MESSAGES)


def _by_order(data: Data, rows: Rows, lines: Lines) -> Iterator[Panel]:
    """A panel for each order and MPI; each profile has an axis of its own, alike in all panels."""
    for shared in (False, True):
        own = [row for row in rows if condition(row).shared == shared]
        if not own:
            continue
        scene = lines.scene(own)
        for (each, order, variant, place), some in sorted(group(own, _key).items(), key=_sorted):
            where = [f"order {order}", _WHERE.get(variant, ""), place if place != "node" else "", each.words]
            for mpi in data.mpis:
                if here := [row for row in some if row.mpi == mpi]:
                    title = ", ".join(filter(None, [data.title(mpi), *where]))
                    yield lines.panel(title, scene, here, _over(here))


def _over(rows: Rows) -> str:
    small = min(rows, key=lambda row: (partition_size(row), -row.median))
    return (
        f"{len({partition_size(row) for row in rows})} sizes of partitions; at {format_bytes(partition_size(small))} "
        f"{series(small)} is the fastest, {numbers.value(small)}."
    )


def _key(row: ResultRow) -> tuple[Condition, str, str, str]:
    """What must be equal on one axis."""
    each = condition(row)
    rest = tuple(pair for pair in each.rest if pair[0] not in ("partition_bytes", "order", "placement", *WAYS))
    return replace(each, rest=rest), str(row.params.get("order", _ORDERS[0])), row.variant, placement(row)


def _sorted(pair: tuple[tuple[Condition, str, str, str], list[ResultRow]]) -> tuple[object, ...]:
    each, order, variant, place = pair[0]
    known = _ORDERS.index(order) if order in _ORDERS else len(_ORDERS)
    return (variant != "thread", place, each, known, order)


PAGE = Page(
    benchmarks=["partitioned_bandwidth"],
    name="p1-partitioned-bandwidth",
    heading="P1. Partitioned bandwidth",
    how_to_read=(
        "A buffer whose partitions become ready one right after the other: its bytes over the time from the start "
        "until all is at the receiver. Higher is better; both axes are logarithmic. Bulk: one persistent send of the "
        "whole buffer when the last partition is ready. Neighbours: both processes send and receive. Line: median of "
        "the blocks; band: 95 % interval. Dashed: Raddle in messages, without the direct copy into the receiver's "
        "buffer, as between nodes; of how many is drawn last."
    ),
    finding=_FINDING,
    panels=[_panels],
    columns=[
        column("perceived bandwidth", "perceived", "MB/s"),
        column("tail", "tail", "us"),
        column("call", "ready", "ns"),
        column("sender waits", "wait", "us"),
        column("messages", "messages", ""),
    ],
    table=table,
    legend=legend,
    fronts=trials_front,
)
