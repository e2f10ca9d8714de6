# SPDX-License-Identifier: BSD-3-Clause
"""Speeds in per cent of those of processes, as the slides on endpoints tell them: ST is 100 %, what are MT and EP?"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from raddle.judge.points import placement, whole
from raddle.model import ResultRow
from raddle.report import numbers
from raddle.report.data import Data
from raddle.report.figures.model import Front, Table
from raddle.report.rows import condition, display_order, group, work_words
from raddle.stats.ratio import Ratio

# The slides' own abbreviations: one thread in each process, many, and many with an endpoint each.
_NAMES = {"process": "ST: process", "thread": "MT: thread", "endpoint-direct": "EP: direct",
          "endpoint-proxy": "EP: proxy", "physical": "no MPI"}  # fmt: skip
_TOLD = ("thread", "endpoint-direct", "endpoint-proxy")


def with_limits(data: Data, rows: Sequence[ResultRow]) -> list[ResultRow]:
    """The rows, and the machine's limit as one more series wherever it was probed for just as many flows.

    It was measured with the machine to itself, so it stands beside no oversubscribed row.
    """
    return [*rows, *(limit for row in rows if (limit := _limit(data, row)) is not None)]


def share(data: Data, row: ResultRow) -> Ratio | None:
    """Its speed as a multiple of that of processes; the limit's row is one of `with_limits`."""
    return data.speed(row, data.process(row))


def shares_front(data: Data, rows: Sequence[ResultRow]) -> list[Front]:
    """Processes as measured, all others in per cent of them, a line for every MPI and work; none without processes."""
    rows = [row for row in rows if placement(row) != "one-process"]  # processes are several
    rows = sorted(with_limits(data, rows), key=lambda row: (condition(row).shared, condition(row), display_order(row)))
    if not any(row.variant == "process" for row in rows):
        return []
    variants = list(dict.fromkeys(row.variant for row in sorted(rows, key=display_order)))
    body = [
        [f"{data.title(mpi)}, {work_words(own[0])}{'*' if condition(own[0]).shared else ''}",
         *(_cell(data, own, rows, variant) for variant in variants)]
        for mpi in data.mpis
        for own in group((row for row in rows if row.mpi == mpi), condition).values()
        if any(row.variant == "process" for row in own)
    ]  # fmt: skip
    starred = " (* oversubscribed)" if any(line[0].endswith("*") for line in body) else ""
    caption = f"Processes as measured, all others in per cent of their speed{starred}"
    return [Front(caption, Table(["", *(_NAMES.get(name, name) for name in variants)], body, labels=1))]


def shares_told(data: Data, rows: Sequence[ResultRow]) -> list[str]:
    """`thread 2.60 % [2.52, 2.68]` and so on: what the slides compare with processes, of rows of one MPI and work."""
    compared = [(row, share(data, row)) for row in sorted(rows, key=display_order) if row.variant in _TOLD]
    return [f"{row.variant} {numbers.percent_spoken(its)}" for row, its in compared if its]


def _cell(data: Data, own: Sequence[ResultRow], rows: Sequence[ResultRow], variant: str) -> str:
    """Of a line's own rows, or whether the same work needs more CPUs in this way."""
    row = next((row for row in own if row.variant == variant), None)
    if row is None:
        works = {(each.mpi, each.variant, whole(each, "threads", 1)) for each in rows if condition(each).shared}
        return "oversubscribed, not compared" if (own[0].mpi, variant, whole(own[0], "threads", 1)) in works else "-"
    if variant == "process":
        return numbers.told(row)
    its = share(data, row)
    return numbers.percent_text(its) if its else "-"


def _limit(data: Data, row: ResultRow) -> ResultRow | None:
    limit = data.limit(row) if row.variant == "process" and not condition(row).shared else None
    if limit is None or whole(limit, "threads", 1) != whole(row, "threads", 1):
        return None
    return msgspec.structs.replace(limit, mpi=row.mpi, mpi_version=row.mpi_version, params=row.params)
