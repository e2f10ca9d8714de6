# SPDX-License-Identifier: BSD-3-Clause
"""`raddle mpi` as a user meets it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from raddle.errors import UserError
from raddle.mpi.family import family
from raddle.mpi.places import prefix_of
from raddle.verbs.mpi import mpi_app
from tests.cli.mpi_fakes import executable


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RADDLE_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", "")
    monkeypatch.setenv("COLUMNS", "120")


def invoke(*arguments: str) -> str:
    result = CliRunner().invoke(mpi_app, arguments)
    if isinstance(result.exception, Exception):
        raise result.exception
    assert result.exit_code == 0
    return result.output


def test_what_is_missing_is_listed_with_the_command_that_gets_it() -> None:
    said = invoke("list")
    for name in ("mpich", "openmpi", "intel"):
        assert f"not installed: raddle mpi install {name}" in said


def test_one_that_is_installed_but_broken_does_not_hide_the_others() -> None:
    executable(prefix_of(family("mpich")) / "bin" / "mpicc", "echo no compiler >&2; exit 1")
    entries = {entry["name"]: entry for entry in json.loads(invoke("list", "--json"))}
    assert "no compiler" in entries["mpich"]["problem"]
    assert entries["openmpi"]["problem"] == "not installed: raddle mpi install openmpi"


def test_one_of_ones_own_is_listed_by_path(tmp_path: Path) -> None:
    script = 'while [ "$1" != -o ]; do shift; done; printf "#!/bin/sh\\necho Open MPI v6.1.0\\n" > "$2"; chmod +x "$2"'
    mpicc = executable(tmp_path / "own" / "bin" / "mpicc", script)
    entry = json.loads(invoke("list", "--json", str(mpicc)))[-1]
    assert (entry["name"], entry["version"], entry["where"]) == ("openmpi", "6.1.0", str(tmp_path / "own"))


def test_installing_all_goes_on_without_those_that_cannot_be_had() -> None:
    said = invoke("install", "--quiet")
    assert said.count("skipped: No matching distribution") == 3


def test_installing_one_by_name_fails_when_it_cannot_be_had() -> None:
    with pytest.raises(UserError, match="Not installed: MPICH") as error:
        invoke("install", "mpich")
    assert "--mpi PATH" in error.value.hint
