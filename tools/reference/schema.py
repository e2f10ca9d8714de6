# SPDX-License-Identifier: BSD-3-Clause
"""docs/use/results.schema.json and docs/use/profile.schema.json, for programs that read results and profiles."""

from __future__ import annotations

import json
from typing import Any

import msgspec

from raddle.model import SCHEMA, STATES_SCHEMA, ResultRow
from raddle.profile import model as profile


def text() -> str:
    """The file."""
    return json.dumps(row_schema(), indent=2) + "\n"


def profile_text() -> str:
    """The file for profiles."""
    return json.dumps(record_schema(), indent=2) + "\n"


def record_schema() -> dict[str, Any]:
    """The JSON Schema of one line of profile.jsonl: one of the records, told apart by `record`."""
    described = msgspec.json.schema(profile.Record)
    described["$defs"]["Program"]["properties"]["schema"] = {"enum": [profile.SCHEMA]}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"A line of profile.jsonl, schema {profile.SCHEMA} (docs/use/profile.md)",
        **described,
    }


def row_schema() -> dict[str, Any]:
    """The JSON Schema (draft 2020-12) of one row."""
    described = msgspec.json.schema(ResultRow)
    definition = described["$defs"]["ResultRow"]
    # In Python the version has a default; in a file it must stand, and be one of these.
    definition["properties"]["schema"] = {"enum": [SCHEMA, STATES_SCHEMA]}
    definition["required"] = ["schema", *definition["required"]]
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"A row of results.jsonl, schemas {SCHEMA} and {STATES_SCHEMA} (docs/use/results.md)",
        **described,
    }
