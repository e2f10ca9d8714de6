# SPDX-License-Identifier: BSD-3-Clause
"""What the pages of the suites have in common: which rows share axes, bars, and the table of numbers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from raddle.catalogue import catalogue
from raddle.judge.points import placement
from raddle.model import PHYSICAL, ResultRow
from raddle.report import numbers
from raddle.report.data import Data
from raddle.report.extras import extra, path
from raddle.report.figures.model import Table
from raddle.report.params import is_reference, way
from raddle.report.rows import Condition, condition, display_order, group, size, work_words
from raddle.results.row_states import blocks_shown
from raddle.wording import listed

Column = tuple[str, Callable[[ResultRow], str]]
_NO_SPEED = ["-", "-"]

# Benchmarks that have such a page, with all their comparisons on it.
PAGES = (
    *("thread_overhead", "lock_operations", "concurrent_bandwidth", "concurrent_latency", "message_rate", "short_long"),
    *("overlap", "concurrent_collectives", "collective_compute", "blocking_receive", "liveness"),
)
# Those whose pages are about endpoints, in the order in which they are shown.
ENDPOINTS = tuple(catalogue().suites["endpoints-evaluation"].benchmarks)
# Those whose pages are about partitioned communication, likewise.
PARTITIONED = tuple(catalogue().suites["partitioned"].benchmarks)
# And about sparse exchange.
SPARSE = tuple(catalogue().suites["dsde"].benchmarks)
TUTORIAL = ("tutorial",)


@dataclass(frozen=True)
class Strand:
    """Rows that may share axes: one profile, and everything equal but MPI, variant and number of flows."""

    condition: Condition
    rows: list[ResultRow]

    def title(self, mpi: str) -> str:
        """Of the panel of one MPI."""
        return ", ".join([mpi, *self.condition.details])


def measured(data: Data, benchmark: str) -> list[ResultRow]:
    """All rows of a benchmark but the machine's limits."""
    return [row for row in data.rows if row.benchmark == benchmark and row.mpi in data.mpis]


def physical(data: Data, benchmark: str) -> list[ResultRow]:
    """The machine's limits for it, small messages first; none when only limits were measured: then they are rows."""
    rows = [row for row in data.rows if row.benchmark == benchmark and row.mpi not in data.mpis]
    return sorted((row for row in rows if row.variant == PHYSICAL), key=size)


def one_for_each(data: Data, rows: Sequence[ResultRow]) -> list[ResultRow]:
    """For each MPI the row that a sentence is best made of: clean, and as usual in all else; of those most flows."""

    def order(row: ResultRow) -> tuple[object, ...]:
        each = condition(row)
        return (each.shared, len(each.rest), -each.threads)

    return [min(own, key=order) for mpi in data.mpis if (own := [row for row in rows if row.mpi == mpi])]


def strands(rows: Sequence[ResultRow], beside: Sequence[str] = ()) -> list[Strand]:
    """The rows by what may share axes, clean ones first; `beside` names parameters that may differ on one axis."""

    def key(row: ResultRow) -> Condition:
        each = condition(row)
        return replace(each, threads=0, rest=tuple(pair for pair in each.rest if pair[0] not in beside))

    found = group(rows, key)
    return [Strand(each, found[each]) for each in sorted(found)]


def suite_table(data: Data, rows: Sequence[ResultRow], own: Sequence[Column] = ()) -> Table:
    """Every row with its interval, the figures that only this benchmark has, and its speed against processes, where
    there are any."""
    places = {mpi: place for place, mpi in enumerate(data.mpis)}
    columns = [*own, ("went through", lambda row: path(row) or "-")]
    own = [(name, text) for name, text in columns if any(text(row) != "-" for row in rows)]
    speeds = {id(row): _speed(data, row) for row in rows}
    compared = any(its != _NO_SPEED for its in speeds.values()) or any(map(is_reference, rows))
    body = [
        [data.title(row.mpi), way(row), placement(row), work_words(row), row.profile, numbers.value(row),
         numbers.interval(row), *(text(row) for _, text in own), *(speeds[id(row)] if compared else ()),
         str(len(blocks_shown(row))), str(len(row.samples))]
        for row in sorted(rows, key=lambda row: (condition(row), places[row.mpi], display_order(row)))
    ]  # fmt: skip
    header = ["MPI", "variant", "placement", "work", "profile", "median", "95 % interval", *(name for name, _ in own),
              *([f"speed to {_against(rows)}", "95 % interval"] if compared else ()), "blocks", "samples"]  # fmt: skip
    return Table(header, body, labels=5)


def column(header: str, name: str, unit: str) -> Column:
    """A column that tells a figure of `extra`."""
    return header, lambda row: found.text if (found := extra(row, name, unit)) else "-"


def _against(rows: Sequence[ResultRow]) -> str:
    """What speeds are held against: processes, or what the plainest way is called."""
    names = dict.fromkeys(way(row) for row in rows if is_reference(row))
    return listed(["processes" if name == "process" else name for name in names]) or "processes"


def _speed(data: Data, row: ResultRow) -> list[str]:
    its = None if is_reference(row) else data.speed(row, data.process(row))
    return _NO_SPEED if its is None else [numbers.ratio_value(its), numbers.ratio_interval(its)]
