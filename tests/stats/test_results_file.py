# SPDX-License-Identifier: BSD-3-Clause
"""`results.jsonl` survives a round trip, refuses what it does not understand, and is described."""

from __future__ import annotations

import json
import lzma
from pathlib import Path

import msgspec
import pytest
from reference.schema import row_schema

from raddle.errors import UserError
from raddle.model import ResultRow
from raddle.results.rows import read_results, results_file, write_results
from tests.stats.builders import result_row


def test_round_trip(tmp_path: Path) -> None:
    rows = [
        result_row("latency", "thread", [1.0, 2.0]),
        result_row("msgrate", "lane", [1.0] * 9, extra={"note": "a\u2028b\nc"}),
    ]
    path = tmp_path / "results.jsonl"
    write_results(path, rows)
    assert read_results(path) == rows
    assert [each.name for each in tmp_path.iterdir()] == ["results.jsonl"]
    write_results(path, [])
    assert read_results(path) == []


def broken(row: ResultRow, **keys: object) -> str:
    return json.dumps(msgspec.to_builtins(row) | keys)


@pytest.mark.parametrize(
    ("keys", "says"),
    [({"schema": 3}, "schema 3"), ({"schema": "1"}, "schema"), ({"median": "fast"}, "median"), ({"ci95": [1]}, "ci95")],
)
def test_a_bad_line_is_refused_with_file_and_line(tmp_path: Path, keys: dict[str, object], says: str) -> None:
    path = tmp_path / "results.jsonl"
    good = result_row("latency", "thread", [1.0])
    path.write_text(f"{broken(good)}\n\n{broken(good, **keys)}\n", encoding="utf-8")
    with pytest.raises(UserError, match=says) as caught:
        read_results(path)
    assert f"{path}, line 3" in str(caught.value)
    assert "raddle report" in caught.value.hint


@pytest.mark.parametrize("key", ["schema", "samples", "ci95", "launches"])
def test_a_missing_key_is_refused(tmp_path: Path, key: str) -> None:
    built = msgspec.to_builtins(result_row("latency", "thread", [1.0]))
    del built[key]
    path = tmp_path / "results.jsonl"
    path.write_text(json.dumps(built), encoding="utf-8")
    with pytest.raises(UserError, match=f"line 1: .*{key}"):
        read_results(path)


@pytest.mark.parametrize("content", [b'{"schema":1', b"\xff\xfe", b"hello"])
def test_garbage_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "results.jsonl"
    path.write_bytes(content)
    with pytest.raises(UserError, match=r"results\.jsonl"):
        read_results(path)


def test_unreadable_and_unwritable(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="Cannot read"):
        read_results(tmp_path / "results.jsonl")
    with pytest.raises(UserError, match="Cannot write"):
        write_results(tmp_path / "absent" / "results.jsonl", [])


def test_the_schema_asks_for_every_key_of_a_row() -> None:
    definition = row_schema()["$defs"]["ResultRow"]
    of_states = {"state", "block_states", "block_limits", "states"}  # which older runs have not
    assert {*definition["required"], *of_states} == {*ResultRow.__struct_fields__}
    assert not of_states & {*definition["required"]}
    assert definition["properties"]["schema"] == {"enum": [1, 2]}


def test_a_compressed_file_is_read_where_there_is_no_other(tmp_path: Path) -> None:
    rows = [result_row("latency", "thread", [1.0, 2.0])]
    write_results(tmp_path / "results.jsonl", rows)
    assert results_file(tmp_path) == tmp_path / "results.jsonl"
    compressed = tmp_path / "results.jsonl.xz"
    compressed.write_bytes(lzma.compress((tmp_path / "results.jsonl").read_bytes()))
    assert results_file(tmp_path) == tmp_path / "results.jsonl"
    (tmp_path / "results.jsonl").unlink()
    assert read_results(results_file(tmp_path)) == rows
    compressed.write_bytes(b"not compressed")
    with pytest.raises(UserError, match="not what xz makes"):
        read_results(compressed)
