# SPDX-License-Identifier: BSD-3-Clause
"""What is written down, and what need not be repeated."""

from __future__ import annotations

from pathlib import Path

import pytest

from raddle.errors import UserError
from raddle.execute.journal import Journal, finished
from raddle.results.launch_log import FILE, read_launches

pytestmark = pytest.mark.timeout(60)


def story(*lines: tuple[str, str, int | None]) -> str:
    """Lines of a journal: type, launch, status."""
    text = ""
    for kind, launch, status in lines:
        more = ',"rows":0' if kind == "end" else "" if status is None else f',"status":{status}'
        text += f'{{"type":"{kind}","launch":"{launch}"{more}}}\n'
    return text


def test_only_whole_launches_are_finished(tmp_path: Path) -> None:
    text = story(
        ("start", "good", None), ("end", "good", None), ("exit", "good", 0),
        ("start", "failed", None), ("end", "failed", None), ("exit", "failed", 3),
        ("start", "silent", None), ("exit", "silent", 0),
        ("start", "again", None), ("exit", "again", 9),
        ("start", "again", None), ("end", "again", None), ("exit", "again", 0),
        ("start", "cut", None), ("end", "cut", None),
    )  # fmt: skip
    (tmp_path / FILE).write_text("chatter\n" + text + '{"type":"exit","launch":"cu')
    assert finished(tmp_path) == {"good", "again"}


def test_a_launch_whose_rows_are_not_all_there_is_not_finished(tmp_path: Path) -> None:
    text = story(("start", "b0", None), ("end", "b0", None), ("exit", "b0", 0)).replace('"rows":0', '"rows":1')
    (tmp_path / FILE).write_text(text)
    assert finished(tmp_path) == set()


def test_nothing_is_finished_before_the_first_launch(tmp_path: Path) -> None:
    assert finished(tmp_path) == set()


def test_continuation_begins_on_a_line_of_its_own(tmp_path: Path) -> None:
    (tmp_path / FILE).write_bytes(b'{"type":"row","launch":"b0-cut')
    with Journal(tmp_path) as journal:
        journal.note("start", launch="b0")
        journal.note("exit", launch="b0", status=0, text="über\n")
    assert len((tmp_path / FILE).read_text().splitlines()) == 3
    log = read_launches(tmp_path / FILE)
    assert [one.id for one in log.launches] == ["b0"]
    assert [line for line, _ in log.unreadable] == [1]


def test_two_do_not_write_at_once(tmp_path: Path) -> None:
    with Journal(tmp_path), pytest.raises(UserError, match="Another raddle"):
        Journal(tmp_path)
    with Journal(tmp_path):
        pass


def test_unwritable_place(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="Cannot write"):
        Journal(tmp_path / "not there")
