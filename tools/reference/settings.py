# SPDX-License-Identifier: BSD-3-Clause
"""The settings of libraddle, read from the table that it reads them by."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

_TABLE, _SETTING, _STRING = "settings_table.hpp", r"Setting\{\s*(\".*?),\s*\[\]\(", r'"((?:[^"\\]|\\.)*)"'
_FLAG = "0 or 1"

# By the names of `enum class HintScope`, in the order of the page.
FUNCTIONS = {
    "lanes": "Raddle_Lanes_create",
    "endpoints": "MPIX_Comm_create_endpoints",
    "communicators": "functions that make a communicator, and MPI_Comm_set_info",
    "partitioned": "Raddle_Psend_init and Raddle_Precv_init, and MPI's where they are Raddle's",
    "sparse": "Raddle_Sparse_exchange and its relatives",
}


@dataclass(frozen=True)
class Setting:
    """An environment variable, and the info key of the same name if `hints` says which functions take it."""

    name: str
    hints: str
    valid: str
    by_default: str
    meaning: str

    @property
    def key(self) -> str:
        return self.name.lower()

    @property
    def valid_of_key(self) -> str:
        return "true or false" if self.valid == _FLAG else self.valid

    def sentence(self) -> str:
        """The meaning, as a sentence; values that it explains keep their spelling."""
        first = self.meaning.partition(" ")[0]
        text = self.meaning if first.endswith(":") else self.meaning[0].upper() + self.meaning[1:]
        return f"{text}."


def settings(root: Path) -> list[Setting]:
    """In the order of the table."""
    folder = root / "src" / "platform"
    table = (folder / _TABLE).read_text(encoding="utf-8")
    names = {"sparse_algorithms_valid": _listed((folder / "sparse_algorithms.def").read_text(encoding="utf-8"))}
    found = [_setting(match[1], names) for match in re.finditer(_SETTING, table, re.DOTALL)]
    if len(found) != table.count("](std::string_view"):
        raise ValueError(f"{_TABLE} has entries of another form")
    return found


def _setting(text: str, names: dict[str, str]) -> Setting:
    """An entry's fields up to its function: strings, possibly in pieces, or names of strings; and its HintScope."""
    fields = [_field(part, names) for part in re.split(r",(?=(?:[^\"]*\"[^\"]*\")*[^\"]*$)", text)]
    return Setting(*fields)


def _field(text: str, names: dict[str, str]) -> str:
    text = text.strip()
    if pieces := re.findall(_STRING, text):
        return "".join(pieces)
    return names.get(text) or text.removeprefix("HintScope::")


def _listed(text: str) -> str:
    """As sparse_algorithm.hpp joins the names."""
    *first, last = ["auto", *re.findall(r"^RADDLE_SPARSE_ALGORITHM\((\w+),", text, re.MULTILINE)]
    return f"{', '.join(first)} or {last}"
