# SPDX-License-Identifier: BSD-3-Clause
"""docs/results.schema.json, for programs that read results: made from `raddle.model.ResultRow`."""

from __future__ import annotations

import json
from typing import Any

import msgspec

from raddle.model import SCHEMA, STATES_SCHEMA, ResultRow


def text() -> str:
    """The file."""
    return json.dumps(row_schema(), indent=2) + "\n"


def row_schema() -> dict[str, Any]:
    """The JSON Schema (draft 2020-12) of one row."""
    described = msgspec.json.schema(ResultRow)
    definition = described["$defs"]["ResultRow"]
    # In Python the version has a default; in a file it must stand, and be one of these.
    definition["properties"]["schema"] = {"enum": [SCHEMA, STATES_SCHEMA]}
    definition["required"] = ["schema", *definition["required"]]
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"A row of results.jsonl, schemas {SCHEMA} and {STATES_SCHEMA} (docs/results.md)",
        **described,
    }
