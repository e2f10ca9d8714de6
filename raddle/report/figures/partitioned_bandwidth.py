# SPDX-License-Identifier: BSD-3-Clause
"""P1: effective bandwidth by size of partition and mechanism, a panel for each order."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial

from raddle.judge.points import placement
from raddle.model import WAYS, ResultRow
from raddle.report import numbers
from raddle.report.data import Data
from raddle.report.extras import Figures, extra
from raddle.report.figures.lines import Line, Point, Scene, draw_lines
from raddle.report.figures.model import Figure, Panel
from raddle.report.figures.partitioned_pairs import (
    ADAPTIVE,
    BULK,
    NATIVE,
    legend,
    multiples,
    partition_size,
    sentence,
    table,
    told,
)
from raddle.report.figures.partitioned_trials import trials_front
from raddle.report.figures.suite import column, measured
from raddle.report.figures.ticks import axis_unit, log_limits, plain
from raddle.report.params import by_messages, series, way_rank
from raddle.report.rows import Condition, condition, group
from raddle.units import format_bytes

# What the value of a row is, and its interval; none where it has none.
_Value = Callable[[ResultRow], tuple[float, tuple[float, float] | None] | None]
# Orders as the study has them; alphabetical they would be a riddle.
_ORDERS = ("linear", "inverse", "random", "stride", "neighbours")
_WHERE = {"endpoint-direct": "endpoints"}


def build(data: Data, number: int) -> Figure | None:
    """The figure, or none when it was not measured."""
    rows = measured(data, "partitioned_bandwidth")
    if not rows:
        return None
    counted = [row for row in rows if _messages(row) is not None]
    return Figure(
        name=f"p{number}-partitioned-bandwidth",
        heading=f"P{number}. Partitioned bandwidth",
        short=f"P{number}",
        finding=_finding(data),
        how_to_read=(
            "A buffer whose partitions become ready one right after the other: its bytes over the time from the start "
            "until all is at the receiver. Higher is better; both axes are logarithmic. Bulk: one persistent send of "
            "the whole buffer when the last partition is ready. Neighbours: both processes send and receive. Line: "
            "median of the blocks; band: 95 % interval. Dashed: Raddle in messages, without the direct copy into "
            "the receiver's buffer, as between nodes; of how many is drawn last."
        ),
        panels=[
            *_panels(data, rows, _bandwidth, "effective bandwidth", rows[0].unit),
            *_panels(data, counted, _messages, "messages of a round", ""),
        ],
        table=table(
            data, rows,
            [column("perceived bandwidth", "perceived", "MB/s"), column("tail", "tail", "us"),
             column("call", "ready", "ns"), column("sender waits", "wait", "us"), column("messages", "messages", "")],
        ),
        benchmarks=["partitioned_bandwidth"],
        legend=legend(rows),
        fronts=trials_front(data),
    )  # fmt: skip


def _finding(data: Data) -> str:
    """What Raddle makes of the smallest partitions, against what the MPI makes of them and against one message."""
    rows = data.headline("partitioned_bandwidth")
    said = []
    if rows:
        where = f"in partitions of {format_bytes(partition_size(rows[0]))}"
        said += told(
            multiples(data, rows, ADAPTIVE, NATIVE),
            f"{where} Raddle multiplies the bandwidth of the MPI's own partitioned sends by {{}}",
            nothing=f"between Raddle and the MPI's own {where}",
        )
        said += told(
            multiples(data, rows, ADAPTIVE, BULK),
            "that of one large message by {}",
            nothing="between Raddle and one large message",
        )
    return sentence(said, "Effective bandwidth by size of partition and mechanism")


def _bandwidth(row: ResultRow) -> tuple[float, tuple[float, float] | None]:
    return row.median, row.ci95


def _messages(row: ResultRow) -> tuple[float, tuple[float, float] | None] | None:
    """Of how many messages a round was, where it was of any."""
    found: Figures | None = extra(row, "messages", "")
    return (found.median, found.interval) if found is not None and found.median > 0 else None


def _panels(data: Data, rows: Sequence[ResultRow], value: _Value, what: str, unit: str) -> Iterator[Panel]:
    """A panel for each order and MPI; each profile has an axis of its own, alike in all panels."""
    for shared in (False, True):
        own = [row for row in rows if condition(row).shared == shared]
        if not own:
            continue
        found = [pair for row in own if (pair := value(row)) is not None]
        label, tick = axis_unit([centre for centre, _ in found], unit) if unit else ("", plain)
        scene = Scene(
            sizes=sorted({partition_size(row) for row in own}),
            limits=log_limits([each for centre, ends in found for each in (centre, *(ends or ()))], 1.3, 1.3),
            label=f"{what} ({label})" if label else what,
            tick=tick,
            across="size of a partition",
        )
        for (each, order, variant, place), some in sorted(group(own, _key).items(), key=_sorted):
            where = [f"order {order}", _WHERE.get(variant, ""), place if place != "node" else "", each.words]
            for mpi in data.mpis:
                if here := [row for row in some if row.mpi == mpi]:
                    yield _panel(", ".join(filter(None, [data.title(mpi), *where])), scene, here, value, what)


def _key(row: ResultRow) -> tuple[Condition, str, str, str]:
    """What must be equal on one axis."""
    each = condition(row)
    rest = tuple(pair for pair in each.rest if pair[0] not in ("partition_bytes", "order", "placement", *WAYS))
    return replace(each, rest=rest), str(row.params.get("order", _ORDERS[0])), row.variant, placement(row)


def _sorted(pair: tuple[tuple[Condition, str, str, str], list[ResultRow]]) -> tuple[object, ...]:
    each, order, variant, place = pair[0]
    known = _ORDERS.index(order) if order in _ORDERS else len(_ORDERS)
    return (variant != "thread", place, each, known, order)


def _panel(title: str, scene: Scene, rows: Sequence[ResultRow], value: _Value, what: str) -> Panel:
    ordered = sorted(rows, key=lambda row: (way_rank(row), partition_size(row)))
    lines = [
        Line(name, [Point(partition_size(row), *found) for row in own if (found := value(row))], dashed=broken)
        for (name, broken), own in group(ordered, lambda row: (series(row), by_messages(row))).items()
    ]
    small = min(rows, key=lambda row: (partition_size(row), -row.median))
    return Panel(
        title=title,
        draw=partial(draw_lines, scene=scene, lines=lines),
        description=f"{what}, {len(lines)} series over {len({partition_size(row) for row in rows})} sizes of "
        f"partitions; at {format_bytes(partition_size(small))} {series(small)} is the fastest, {numbers.value(small)}.",
        shared=condition(rows[0]).shared,
    )
