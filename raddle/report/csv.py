# SPDX-License-Identifier: BSD-3-Clause
"""`tables.csv`: every row without its samples, for spreadsheets. Nothing is rounded: that is for people."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable

from raddle.model import NO_MPI, PHYSICAL, ResultRow
from raddle.report.data import Data
from raddle.report.params import is_reference
from raddle.report.rows import display_order
from raddle.results.machine_states import words
from raddle.results.row_states import blocks_shown
from raddle.stats.ratio import Ratio

_WORDS = ["benchmark", "variant", "mpi", "mpi_version", "profile"]
_NUMBERS = ["metric", "unit", "better", "median"]
_SPREAD = ["p50", "p90", "p99", "min", "max", "mad", "autocorrelation", "outliers"]


def to_csv(data: Data) -> str:
    """The table, header first; parameters get a column each, in the order in which benchmarks name them."""
    params = list(dict.fromkeys(name for row in data.rows for name in row.params))
    several = any(row.block_states for row in data.rows)
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(
        [*_WORDS, *params, *_NUMBERS, "ci95_lo", "ci95_hi", "blocks", "samples", *_SPREAD,
         "speed_to_process", "speed_to_process_lo", "speed_to_process_hi",
         "best_process", "speed_to_best", "speed_to_best_lo", "speed_to_best_hi",
         "speed_to_physical", "speed_to_physical_lo", "speed_to_physical_hi", "flags", *(["state"] if several else [])]
    )  # fmt: skip
    place = {mpi: number for number, mpi in enumerate([*data.mpis, NO_MPI])}
    order = {name: number for number, name in enumerate(data.benchmarks)}
    for row in sorted(
        data.rows, key=lambda row: (order[row.benchmark], row.profile, place[row.mpi], display_order(row))
    ):
        writer.writerow(
            _cells(
                [getattr(row, name) for name in _WORDS]
                + [row.params.get(name) for name in params]
                + [getattr(row, name) for name in _NUMBERS]
                + list(row.ci95 or (None, None))
                + [len(blocks_shown(row)), len(row.samples)]
                + [getattr(row, name) for name in _SPREAD]
                + _ratio(None if is_reference(row) else data.speed(row, data.process(row)))
                + _to_best(data, row)
                + _ratio(None if row.variant == PHYSICAL else data.speed(row, data.limit(row)))
                + [" ".join(row.flags), *([words(row.state)] if several else [])]
            )
        )
    return out.getvalue()


def _to_best(data: Data, row: ResultRow) -> list[str | float | None]:
    """Against the best processes of any MPI: which, and how fast it is; nothing where it is the best itself."""
    rival = None if row.variant == PHYSICAL else data.rival(row)
    found = None if rival is None or rival is row else data.speed(row, rival)
    return [rival.mpi if rival and found else None, *_ratio(found)]


def _ratio(ratio: Ratio | None) -> list[float | None]:
    return [None, None, None] if ratio is None else [ratio.estimate, ratio.lo, ratio.hi]


def _cells(values: Iterable[object]) -> list[str]:
    return [_cell(value) for value in values]


def _cell(value: object) -> str:
    """Empty for what is not there. A text that a spreadsheet would run as a formula gets a quote in front."""
    if value is None:
        return ""
    if isinstance(value, float):
        return f"{value:.10g}"
    text = str(value).replace("\r", " ")  # some readers end a line there, quoted or not
    return f"'{text}" if text[:1] in ("=", "+", "-", "@", "\t") and isinstance(value, str) else text
