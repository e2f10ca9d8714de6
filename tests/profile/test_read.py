# SPDX-License-Identifier: BSD-3-Clause
"""Files that are no profiles, or damaged ones, are told in words."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from raddle.errors import UserError
from raddle.profile import layout
from raddle.profile.gatherings import Member, waits_of
from raddle.profile.read import read


def write(path: Path, **fields: object) -> None:
    """A head by itself."""
    head = np.zeros(1, layout.PROCESS)
    head["magic"], head["version"], head["file_bytes"] = layout.MAGIC, layout.VERSION, layout.PROCESS.itemsize
    for name, value in fields.items():
        head[name] = value
    path.write_bytes(head.tobytes())


def test_nothing(tmp_path: Path) -> None:
    assert read(tmp_path) == []
    assert read(tmp_path / "none") == []


def test_empty(tmp_path: Path) -> None:
    (tmp_path / "1.prof").touch()
    with pytest.raises(UserError, match="empty"):
        read(tmp_path)


@pytest.mark.parametrize("content", [b"x", b"RADDLEPF", b"something else" * 1000])
def test_no_profile(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "1.prof").write_bytes(content)
    with pytest.raises(UserError, match="no profile of a process"):
        read(tmp_path)


def test_other_version(tmp_path: Path) -> None:
    write(tmp_path / "1.prof", version=layout.VERSION + 1)
    with pytest.raises(UserError, match=f"format {layout.VERSION + 1}"):
        read(tmp_path)


@pytest.mark.parametrize("fields", [{"file_bytes": 1 << 20}, {"threads_at": 1 << 40}, {"communicators": 1 << 30}])
def test_damaged(tmp_path: Path, fields: dict[str, object]) -> None:
    write(tmp_path / "1.prof", **fields)
    with pytest.raises(UserError, match="damaged"):
        read(tmp_path)


def member(function: str, began: float, ended: float, root: int = -1) -> Member:
    return Member(0, 0, 0, function, root, began, ended)


def test_all_wait_for_the_last() -> None:
    ranks = {0: member("MPI_Allreduce", 1, 6), 1: member("MPI_Allreduce", 5, 6), 2: member("MPI_Allreduce", 2, 6)}
    assert waits_of(ranks) == {0: (4, 1), 1: (0, 1), 2: (3, 1)}


def test_a_root_that_sends_waits_for_nobody() -> None:
    ranks = {0: member("MPI_Bcast", 1, 2, 0), 1: member("MPI_Bcast", 9, 10, 0), 2: member("MPI_Bcast", 0, 3, 0)}
    assert waits_of(ranks) == {0: (0, 0), 1: (0, 0), 2: (1, 0)}


def test_who_sends_to_a_root_waits_for_nobody() -> None:
    ranks = {
        0: member("MPI_Reduce_c", 1, 9, 0),
        1: member("MPI_Reduce_c", 5, 5.5, 0),
        2: member("MPI_Reduce_c", 8, 9, 0),
    }
    assert waits_of(ranks) == {0: (7, 2), 1: (0, 1), 2: (0, 2)}


def test_nobody_waits_longer_than_the_call_took() -> None:
    ranks = {0: member("MPI_Barrier", 1, 2), 1: member("MPI_Barrier", 5, 6)}
    assert waits_of(ranks)[0] == (1, 1)
