# SPDX-License-Identifier: BSD-3-Clause
"""A comparison as JSON, for programs: docs/use/compare.md says what its keys mean."""

from __future__ import annotations

from typing import Any

import msgspec

from raddle.compare import words
from raddle.compare.points import Comparison, Point
from raddle.compare.sides import Side
from raddle.model import ResultRow
from raddle.paths import writable
from raddle.results.row_states import blocks_shown

SCHEMA = 1
_POINT = ("benchmark", "variant", "profile", "params", "metric")
_MEASURED = ("mpi", "mpi_version", "unit", "median", "ci95", "flags", "state")


def document(comparison: Comparison, percent: float | None = None) -> str:
    """The text of one JSON object; with `percent`, whether --fail-above found something."""
    content: dict[str, Any] = {
        "schema": SCHEMA,
        "a": _side(comparison.a),
        "b": _side(comparison.b),
        "paired": comparison.paired,
        "differences": [each._asdict() for each in words.surroundings(comparison)],
        "warnings": words.warnings(comparison),
        "points": [_point(point, percent) for point in comparison.points],
        "only_a": [_alone(row) for row in comparison.only_a],
        "only_b": [_alone(row) for row in comparison.only_b],
        "fail_above": percent,
        "failed": None if percent is None else any(point.worse_by(percent) for point in comparison.points),
    }
    return msgspec.json.format(msgspec.json.encode(content), indent=2).decode()


def _side(side: Side) -> dict[str, Any]:
    made = side.environment
    return {
        "directory": writable(str(side.directory)),
        "mpi": side.mpi,
        "created": made.created if made else None,
        "commit": made.commit if made else None,
    }


def _point(point: Point, percent: float | None) -> dict[str, Any]:
    ratio = point.ratio
    return {
        **_fields(point.a, _POINT),
        "better": point.a.better,
        "a": _measured(point.a),
        "b": _measured(point.b),
        "ratio": ratio.estimate if ratio else None,
        "interval": ratio.interval if ratio else None,
        "n": ratio.n if ratio else 0,
        "outcome": point.outcome.value,
        "why": point.why,
        "failed": None if percent is None else point.worse_by(percent),
    }


def _measured(row: ResultRow) -> dict[str, Any]:
    return {**_fields(row, _MEASURED), "blocks": len(blocks_shown(row))}


def _alone(row: ResultRow) -> dict[str, Any]:
    return _fields(row, (*_POINT, "mpi"))


def _fields(row: ResultRow, names: tuple[str, ...]) -> dict[str, Any]:
    return {name: getattr(row, name) for name in names}
