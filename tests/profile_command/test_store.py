# SPDX-License-Identifier: BSD-3-Clause
"""`profile.jsonl`: what is written is read again, and what is no profile is told from one."""

from __future__ import annotations

from pathlib import Path

import pytest

from raddle.errors import UserError
from raddle.profile.model import Program
from raddle.profile.store import FILE, is_profile, load, save
from raddle.profile.view import View
from tests.profile_command.planted import Plant
from tests.profile_command.realistic import realistic


def test_what_is_saved_is_loaded(tmp_path: Path) -> None:
    records = realistic()
    save(records[::-1], tmp_path)
    assert is_profile(tmp_path)
    found = load(tmp_path)
    assert isinstance(found[0], Program)
    assert set(map(repr, found)) == set(map(repr, records))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "does not begin"),
        ("nonsense\n", "line 1: JSON is malformed"),
        ('{"record":"program"}\n', "line 1: Object missing required field"),
        ('{"record":"other"}\n', "line 1: Invalid value 'other'"),
        ("\xff\n", "line 1"),
    ],
)
def test_a_damaged_file_is_an_error_that_names_the_line(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / FILE).write_bytes(text.encode("latin-1"))
    with pytest.raises(UserError, match=said):
        load(tmp_path)


def test_a_file_without_its_head_is_an_error(tmp_path: Path) -> None:
    save(Plant().records(), tmp_path)
    lines = (tmp_path / FILE).read_bytes().splitlines(keepends=True)
    (tmp_path / FILE).write_bytes(b"".join(lines[1:]))
    with pytest.raises(UserError, match="does not begin"):
        load(tmp_path)


def test_one_of_another_version_says_which(tmp_path: Path) -> None:
    plant = Plant()
    plant.program = {"schema": 9, "raddle": "7.0"}
    save(plant.records(), tmp_path)
    with pytest.raises(UserError, match="schema 9"):
        load(tmp_path)


def test_no_file_is_an_error(tmp_path: Path) -> None:
    assert not is_profile(tmp_path)
    with pytest.raises(UserError, match="Cannot read"):
        load(tmp_path)


def test_without_a_process_there_is_nothing_to_see() -> None:
    with pytest.raises(UserError, match="no process"):
        View.of(Plant(processes=0).records())
    with pytest.raises(UserError, match="nothing of its command"):
        View.of([])
