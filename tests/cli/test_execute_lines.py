# SPDX-License-Identifier: BSD-3-Clause
"""Bytes to lines, lines to records."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from raddle.execute import lines
from raddle.execute.lines import LineReader
from raddle.execute.log import Log
from raddle.execute.records import EndLine, Row, parse

pytestmark = pytest.mark.timeout(60)

ROW = {
    "type": "row", "launch": "b0", "block": 0, "benchmark": "latency", "variant": "lane", "params": {"bytes": 8},
    "metric": "latency", "unit": "us", "better": "lower", "samples": [1.5, 2.0],
}  # fmt: skip


@settings(deadline=None)
@given(st.lists(st.binary(max_size=20).filter(lambda line: b"\n" not in line and not line.endswith(b"\r"))), st.data())
def test_lines_do_not_depend_on_how_they_arrive(written: list[bytes], data: st.DataObject) -> None:
    text = b"".join(line + b"\n" for line in written)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(text)))))
    reader = LineReader()
    read = [
        line for begin, end in zip([0, *cuts], [*cuts, len(text)], strict=True) for line in reader.feed(text[begin:end])
    ]
    assert read == written
    assert reader.rest() == b""


def test_cut_line_and_carriage_return() -> None:
    reader = LineReader()
    assert list(reader.feed(b"one\r\ntwo\r")) == [b"one"]
    assert reader.rest() == b"two"


def test_endless_line_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lines, "LONGEST_LINE", 10)
    reader = LineReader()
    assert list(reader.feed(b"x" * 100)) == []
    assert list(reader.feed(b"y" * 100 + b"\nshort\n")) == [b"x" * 10, b"short"]


def test_record_and_its_text() -> None:
    text = json.dumps(ROW).encode()
    found = parse(b"noise " + text, "b0")
    assert found is not None
    line, kept = found
    assert isinstance(line, Row)
    assert line.samples == [1.5, 2.0]
    assert kept == text


def test_unknown_keys_of_a_later_version_do_no_harm() -> None:
    found = parse(b'{"type":"end","launch":"b0","rows":3,"joules":7}', "b0")
    assert found is not None
    assert isinstance(found[0], EndLine)


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"plain words",
        b"{",
        b"[]",
        b"{}",
        b'{"type":"end","launch":"somebody else","rows":3}',
    ],
)
def test_anything_else_is_chatter(raw: bytes) -> None:
    assert parse(raw, "b0") is None


@pytest.mark.parametrize(
    "raw",
    [
        b'{"type":"row"}',
        b'{"type":"dance","launch":"b0"}',
        b'{"type":"end","launch":7,"rows":3}',
        b'{"type":"end","launch":"b0","rows":3',
        b'{"type":"end","launch":"\xff","rows":3}',
        b'{"type":"row","launch":"b0","samples":[NaN]}',
        json.dumps(ROW | {"samples": [1.5, None]}).encode(),
        json.dumps(ROW).encode().replace(b"latency", b"lat[warn]\tency"),
    ],
)
def test_what_begins_like_a_record_is_kept_though_it_cannot_be_read(raw: bytes) -> None:
    assert parse(b"noise " + raw, "b0") == (None, raw)


@settings(deadline=None)
@given(st.binary(max_size=200))
def test_no_bytes_break_the_parser_or_the_log(raw: bytes) -> None:
    parse(raw, "b0")
    parse(b'{"type"' + raw, "b0")
    log = Log()
    log.add(raw)
    assert all(line.isprintable() for line in log.lines())


def test_log_keeps_the_end() -> None:
    log = Log()
    for number in range(1000):
        log.add(b"line %d" % number)
    assert log.lines()[-1] == "line 999"
    assert len(log.lines()) < 100
