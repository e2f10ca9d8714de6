# SPDX-License-Identifier: BSD-3-Clause
"""`results.jsonl`: reading refuses what it does not understand and says where it stands."""

from __future__ import annotations

import lzma
from collections.abc import Iterable
from pathlib import Path

import msgspec

from raddle.errors import UserError
from raddle.files import write_whole
from raddle.model import SCHEMA, STATES_SCHEMA, ResultRow

RESULTS = "results.jsonl"
COMPRESSED = "results.jsonl.xz"


class _Version(msgspec.Struct):
    schema: int


def results_file(directory: Path) -> Path:
    """That of a run: as it was written, or compressed."""
    plain, compressed = directory / RESULTS, directory / COMPRESSED
    return compressed if compressed.is_file() and not plain.is_file() else plain


def read_results(path: Path) -> list[ResultRow]:
    """All rows of such a file. Raises UserError naming file and line for anything of a later schema."""
    try:
        content = path.read_bytes()
        text = (lzma.decompress(content) if path.name == COMPRESSED else content).decode()
    except lzma.LZMAError as error:
        raise UserError(f"{path} is not what xz makes: {error}.", hint=_remake(path)) from error
    except UnicodeDecodeError as error:
        raise UserError(f"{path} is not UTF-8 text: {error.reason}.", hint=_remake(path)) from error
    except OSError as error:
        raise UserError(
            f"Cannot read {path}: {error.strerror}.", hint="Name a directory that 'raddle run' has written."
        ) from error
    return [_row(line, path, number) for number, line in enumerate(text.split("\n"), start=1) if line.strip()]


def write_results(path: Path, rows: Iterable[ResultRow], hint: str = "Choose another --out.") -> None:
    """Writes the rows, all or none: a reader never sees half a file. Raises UserError when the place is unwritable."""
    write_whole(path, b"".join(msgspec.json.encode(row) + b"\n" for row in rows), hint)


def _row(line: str, path: Path, number: int) -> ResultRow:
    try:
        version = msgspec.json.decode(line, type=_Version).schema
        if version not in (SCHEMA, STATES_SCHEMA):
            raise UserError(
                f"{path}, line {number}: schema {version}, but this raddle reads schemas {SCHEMA} and {STATES_SCHEMA}",
                hint=f"Use the version of raddle that wrote it. {_remake(path)}",
            )
        return msgspec.json.decode(line, type=ResultRow)
    except msgspec.MsgspecError as error:
        raise UserError(f"{path}, line {number}: {error}", hint=_remake(path)) from error


def _remake(path: Path) -> str:
    return f"'raddle report {path.parent}' makes the file again from launches.jsonl."
