# SPDX-License-Identifier: BSD-3-Clause
"""T4, Tables 1 and 2 of the paper: messages a second of all flows together, a table for every way to send them."""

from __future__ import annotations

from functools import partial

from raddle.judge.points import whole
from raddle.model import ResultRow
from raddle.report import numbers
from raddle.report.data import Data
from raddle.report.figures.findings import clean_and_shared
from raddle.report.figures.kinds.by_flows import Flows
from raddle.report.figures.kinds.by_size import legend
from raddle.report.figures.model import Front, Table
from raddle.report.figures.page import Page
from raddle.report.figures.suite import Rows, at_headline
from raddle.report.figures.tables import column
from raddle.report.params import told
from raddle.report.rows import condition, display_order, group, size
from raddle.stats.order import median
from raddle.units import Scale, format_bytes, scale_for

# As the paper abbreviates them, and in its manner those that it did not know.
_LETTERS = {
    "process": "P", "tuned": "U", "thread": "T", "lane": "L", "threadcomm": "C", "endpoint-direct": "E",
    "endpoint-proxy": "X",
}  # fmt: skip
_MODES = {
    "published": "Blocking sends, one acknowledgement for every window (as published)",
    "windowed": "Nonblocking, receives posted ahead",
    "unexpected": "Nonblocking, sent before any receive is posted",
}


def _fronts(data: Data, rows: Rows) -> list[Front]:
    tables = group(
        sorted(rows, key=lambda row: (_place(row), size(row), condition(row))),
        lambda row: (row.params.get("mode"), size(row), condition(row).rest),
    )
    return [_front(data, own) for own in tables.values()]


def _place(row: ResultRow) -> int:
    mode = str(row.params.get("mode"))
    return list(_MODES).index(mode) if mode in _MODES else len(_MODES)


def _front(data: Data, rows: Rows) -> Front:
    """One line an MPI; clean columns first, since more flows than CPUs are a matter of their own."""
    columns = dict(
        sorted(group(rows, lambda row: (condition(row).shared, whole(row, "threads", 1), _column(row))).items(),
               key=lambda item: (item[0][:2], display_order(item[1][0])))
    )  # fmt: skip
    scale = scale_for(median([row.median for row in rows]), rows[0].unit)
    body = [
        [data.title(mpi), *(_cell(own, mpi, scale) for own in columns.values())]
        for mpi in data.mpis
        if any(row.mpi == mpi for row in rows)
    ]
    mode = str(rows[0].params.get("mode", ""))
    starred = " (* oversubscribed)" if any(shared for shared, _, _ in columns) else ""
    words = [_MODES.get(mode, mode), format_bytes(size(rows[0])), *_rest(rows[0])]
    return Front(
        f"{', '.join(filter(None, words))}{starred}",
        Table([scale.label, *(f"{name}*" if shared else name for shared, _, name in columns)], body, labels=1),
    )


def _rest(row: ResultRow) -> list[str]:
    """What else is not as usual."""
    return [told(name, value) for name, value in condition(row).rest if name != "mode"]


def _column(row: ResultRow) -> str:
    end = f"{whole(row, 'threads', 1)}{_LETTERS.get(row.variant, f' {row.variant}')}"
    return f"{end}-{end}{', in one process' if row.params.get('placement') == 'one-process' else ''}"


def _cell(rows: Rows, mpi: str, scale: Scale) -> str:
    return next((numbers.scaled(row, scale) for row in rows if row.mpi == mpi), "-")


PAGE = Page(
    benchmarks=["message_rate"],
    name="t4-message-rate",
    heading="T4. Message rate",
    how_to_read=(
        "The paper's table: P are processes, T threads, L lanes, C MPICH's thread communicators, E endpoints, X "
        "endpoints with proxies, and the number is that of the flows on each side. nT-nT should reach nP-nP; more is "
        "better."
    ),
    finding=partial(clean_and_shared, what="message rate"),
    panels=[Flows("message rate", of=at_headline)],
    columns=[column("sum of the flows' own", "flow_rate", "msg/s")],
    legend=lambda data, rows: legend(at_headline(data, rows)),
    fronts=_fronts,
)
