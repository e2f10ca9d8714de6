# SPDX-License-Identifier: BSD-3-Clause
"""Files are written whole, or it is said why not."""

from __future__ import annotations

from pathlib import Path

import pytest

from raddle.errors import UserError
from raddle.files import write_whole


def test_a_file_is_replaced_as_a_whole(tmp_path: Path) -> None:
    for text in (b"first", b"second"):
        write_whole(tmp_path / "file", text)
        assert [(path.name, path.read_bytes()) for path in tmp_path.iterdir()] == [("file", text)]


@pytest.mark.parametrize("name", [".", "/", "folder", "absent/file"])
def test_what_is_no_file_is_refused_and_nothing_is_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder").mkdir()
    with pytest.raises(UserError, match=f"Cannot write {name}: ") as caught:
        write_whole(Path(name), b"", hint="Choose another --save.")
    assert caught.value.hint == "Choose another --save."
    assert [path.name for path in tmp_path.iterdir()] == ["folder"]
