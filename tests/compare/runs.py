# SPDX-License-Identifier: BSD-3-Clause
"""Results directories with known rows."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec

from raddle.compare.points import Comparison, compare
from raddle.compare.sides import Side
from raddle.environment import Environment
from raddle.model import ResultRow
from raddle.results.rows import write_results
from tests.report.synthetic import Recipe, environment
from tests.stats.builders import result_row

STEADY = [100.0, 101.0, 102.0, 103.0, 104.0, 105.0, 106.0, 107.0, 108.0]
BACKWARDS = list(reversed(STEADY))


def times(factor: float, values: Sequence[float] = STEADY) -> list[float]:
    return [factor * value for value in values]


def before() -> list[ResultRow]:
    """Points that become worse, better, the same, unknown, and one that is not there any more."""
    return [
        result_row("latency", "thread", STEADY),
        result_row("msgrate", "thread", STEADY),
        result_row("latency", "process", STEADY),
        result_row("bandwidth", "lane", [1.0, 2.0, 3.0]),
        result_row("msgrate", "threadcomm", STEADY),
    ]


def after() -> list[ResultRow]:
    return [
        result_row("latency", "thread", times(2)),
        result_row("msgrate", "thread", times(4)),
        result_row("latency", "process", BACKWARDS),
        result_row("bandwidth", "lane", [9.0, 9.0, 9.0]),
        result_row("msgrate", "lane", STEADY),
    ]


def write(directory: Path, rows: Sequence[ResultRow], **host: Any) -> Path:
    """A directory as `raddle run` leaves it, as far as it is compared; keywords replace what the host is."""
    directory.mkdir()
    write_results(directory / "results.jsonl", rows)
    about = environment(Recipe())
    about["host"] |= host
    (directory / "environment.json").write_text(json.dumps(about))
    return directory


def compared(a: Sequence[ResultRow], b: Sequence[ResultRow]) -> Comparison:
    """Rows of two runs about which nothing else is known."""
    return compare(Side(Path("old"), list(a), None), Side(Path("new"), list(b), None))


def known_environment(**changes: Any) -> Environment:
    return msgspec.convert(environment(Recipe()) | changes, Environment)
