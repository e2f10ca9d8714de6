# SPDX-License-Identifier: BSD-3-Clause
"""Two profiles side by side."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
from rich.console import Console

from raddle.errors import UserError
from raddle.profile.compare import ONCE, compared, document, markdown, profiles, rendered
from raddle.profile.store import save
from tests.profile_command.planted import Plant

BEFORE = Plant(seconds=10.0).call("MPI_Isend", 4.0, lock=2.0)
AFTER = Plant(seconds=8.0).call("MPI_Isend", 2.0)


def test_times_and_their_ratios() -> None:
    found = compared("a", BEFORE.summary(), "b", AFTER.summary())
    lines = {line.quantity: line for line in found.lines}
    assert lines["program"].ratio == pytest.approx(0.8)
    assert lines["inside the MPI"].ratio == pytest.approx(0.5)
    assert lines["locks"].share_a == pytest.approx(0.2)
    assert lines["locks"].b == 0
    assert lines["hidden locks"].ratio is None
    assert found.differences == []


def test_what_is_not_alike_is_told() -> None:
    found = compared("a", BEFORE.summary(), "b", Plant(processes=4).summary())
    assert found.differences == [
        "command: mpiexec -n 2 ./program and mpiexec -n 4 ./program", "processes: 2 and 4", "threads: 4 and 8",
    ]  # fmt: skip


def test_forms_say_the_same() -> None:
    found = compared("a", BEFORE.summary(), "b", AFTER.summary())
    out = io.StringIO()
    Console(file=out, width=80).print(rendered(found))
    table, text = out.getvalue(), markdown(found)
    assert max(map(len, table.splitlines())) <= 80
    for words in ("0.80x", "10.0 s", "8.00 s", ONCE):
        assert words in " ".join(table.split())
        assert words in text
    assert json.loads(document(found))["lines"][0] == {
        "quantity": "program", "a": 10.0, "b": 8.0, "share_a": None, "share_b": None,
    }  # fmt: skip


def test_a_profile_is_compared_with_a_profile_only(tmp_path: Path) -> None:
    run, own = tmp_path / "run", tmp_path / "own"
    for path in (run, own):
        path.mkdir()
    save(BEFORE.records(), own)
    assert not profiles(run, run)
    assert profiles(own, own)
    with pytest.raises(UserError, match="run is no profile"):
        profiles(own, run)
    with pytest.raises(UserError, match="run is no profile"):
        profiles(run, own)
    with pytest.raises(UserError, match="nothing to compare"):
        profiles(own, None)
