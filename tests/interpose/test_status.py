# SPDX-License-Identifier: BSD-3-Clause
"""The page that says what each function does on an endpoint is that of the wrappers' data."""

from __future__ import annotations

from pathlib import Path

from generator.functions import chosen
from generator.standard import procedures
from write_status import page

ROOT = Path(__file__).parents[2]
TABLE = chosen((ROOT / "src/interpose/endpoint_functions.toml").read_text(encoding="utf-8"))
PAGE = page(procedures(), TABLE)


def row(function: str) -> list[str]:
    """The cells of a function's row."""
    (line,) = [line for line in PAGE.splitlines() if line.startswith(f"| `{function}`")]
    return [cell.strip() for cell in line.strip("|").split("|")]


def test_committed() -> None:
    committed = (ROOT / "docs/use/endpoint-functions.md").read_text(encoding="utf-8")
    assert committed == PAGE, "run src/interpose/write_status.py"


def test_words() -> None:
    assert row("MPI_Send") == ["`MPI_Send`, `_c`", "communicator", "supported"]
    assert row("MPI_Isend") == ["`MPI_Isend`, `_c`", "communicator, request", "supported"]
    assert row("MPI_Comm_set_name") == ["`MPI_Comm_set_name`", "communicator", "native"]
    assert row("MPI_Win_create") == ["`MPI_Win_create`, `_c`", "communicator, window", "supported"]
    assert row("MPI_File_open") == ["`MPI_File_open`", "communicator, file", "supported"]
    assert row("MPI_Grequest_complete") == ["`MPI_Grequest_complete`", "request", "refused"]
    assert row("MPI_Comm_join") == ["`MPI_Comm_join`", "communicator", "supported"]
    assert "`MPI_Type_contiguous`" not in PAGE


def test_totals() -> None:
    rows = [line for line in PAGE.splitlines() if line.startswith("| `MPI_")]
    (told,) = [line for line in PAGE.splitlines() if " functions, " in line]
    assert int(told.split()[0]) == len(rows)
    for part in told.split(": ")[1].rstrip(".").split(", "):
        count, word = part.split(" ", 1)
        assert sum(line.endswith(f"| {word} |") for line in rows) == int(count)
