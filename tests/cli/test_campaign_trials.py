# SPDX-License-Identifier: BSD-3-Clause
"""Trials beside a run: whatever an MPI does there, its outcomes are kept and the run goes on."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from raddle.campaign import trials
from raddle.errors import UserError
from raddle.inspection.outcomes import FILE, Trials, read_trials
from raddle.model import PointSet
from raddle.mpi.find import Mpi
from raddle.plan.document import Document, PlannedMpi
from raddle.plan.request import Request
from tests.cli import fakes

pytestmark = pytest.mark.timeout(120)

# Says what it begins, crashes at one trial, is silent at another one and does right in all others.
_INSPECT = """
import json, os, signal, sys, time
with open({calls!r}, "a") as calls:
    print(sys.argv[1:], file=calls)
for name in sys.argv[2:]:
    print(json.dumps({{"type": "begin", "trial": name}}), flush=True)
    if name == "partitioned-strided":
        os.kill(os.getpid(), signal.SIGSEGV)
    if name == "partitioned-startall":
        time.sleep(600)
    print(json.dumps({{"type": "outcome", "trial": name, "outcome": "right", "detail": ""}}), flush=True)
"""


def document(*mechanisms: str) -> Document:
    sets = [
        PointSet(benchmark="partitioned_tail", placement="node", variants=["thread"], params={"mechanism": each})
        for each in mechanisms
    ]
    return Document(
        created="", seed=1, cpus=2, pin="compact", max_blocks=1, half_width=0.1, sampling=fakes.SAMPLING,
        request=Request(), mpis=[PlannedMpi(name="alpha", selection="alpha", version="1.0")],
        launches=[fakes.launch(sets=sets)],
    )  # fmt: skip


@pytest.fixture
def mpi(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Mpi:
    """An MPI whose trials end as above."""
    script = tmp_path / "inspect.py"
    script.write_text(_INSPECT.format(calls=str(tmp_path / "calls")))
    (tmp_path / "bin").mkdir()
    program = tmp_path / "bin" / "raddle-inspect"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -S "{script}" "$@"\n')
    program.chmod(0o755)

    def built(mpi: Mpi, *, targets: Sequence[str], report: Any) -> Path:
        assert list(targets) == ["raddle-inspect"]
        return tmp_path

    monkeypatch.setattr(trials, "build", built)
    monkeypatch.setattr(trials, "SECONDS", 3.0)
    return fakes.mpi(tmp_path, fakes.family())


def calls(directory: Path) -> list[str]:
    path = directory / "calls"
    return path.read_text().splitlines() if path.exists() else []


def test_a_crash_and_a_hang_are_outcomes_and_the_rest_is_tried(mpi: Mpi, tmp_path: Path) -> None:
    said: list[str] = []
    trials.try_partitioned(document("isend", "psend"), {"alpha": mpi}, tmp_path, said.append)
    outcomes = {trial.name: trial.outcome for trial in read_trials(tmp_path).mpis["alpha"]}
    assert {name: what for name, what in outcomes.items() if what != "right"} == {
        "partitioned-strided": "crash",
        "partitioned-startall": "hang",
    }
    assert len(outcomes) == 10
    assert len(calls(tmp_path)) == 4  # two groups, and once more after each that ended a launch
    assert said == ["Trying what partitioned communication of Alpha MPI 1.0 does wrong ..."]
    assert not fakes.alive(str(tmp_path / "inspect.py"))


def test_they_are_made_once(mpi: Mpi, tmp_path: Path) -> None:
    Trials(mpis={"alpha": []}).save(tmp_path)
    trials.try_partitioned(document("psend"), {"alpha": mpi}, tmp_path, print)
    assert not calls(tmp_path)


def test_they_are_made_only_where_the_mpis_own_is_measured(mpi: Mpi, tmp_path: Path) -> None:
    trials.try_partitioned(document("isend", "raddle-auto"), {"alpha": mpi}, tmp_path, print)
    assert not calls(tmp_path)
    assert not (tmp_path / FILE).exists()


def test_what_cannot_be_built_is_said(mpi: Mpi, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any, **__: Any) -> Path:
        raise UserError("no compiler")

    monkeypatch.setattr(trials, "build", fail)
    said: list[str] = []
    trials.try_partitioned(document("psend"), {"alpha": mpi}, tmp_path, said.append)
    assert said == ["Not tried: no compiler"]
    assert not (tmp_path / FILE).exists()


@pytest.mark.parametrize("text", [b"{", b'{"schema": 1, "mpis": {"\xff": []}}'])
def test_a_damaged_file_is_none(tmp_path: Path, text: bytes) -> None:
    (tmp_path / FILE).write_bytes(text)
    assert read_trials(tmp_path).mpis == {}
