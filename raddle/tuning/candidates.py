# SPDX-License-Identifier: BSD-3-Clause
"""What is worth a trial, read from `candidates.toml`."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files

import msgspec


class Candidate(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Settings to try together; `loses` is what a program gives up with them."""

    name: str
    settings: dict[str, str]
    loses: str = ""

    @property
    def slug(self) -> str:
        """The name as part of those of launches and files."""
        return re.sub(r"[^a-z0-9]+", "-", self.name.lower()).strip("-")


@cache
def _all() -> dict[str, list[Candidate]]:
    data = files("raddle.tuning").joinpath("candidates.toml").read_bytes()
    return msgspec.toml.decode(data, type=dict[str, list[Candidate]])


def candidates(family: str) -> list[Candidate]:
    """Those of a family, by its name; none for one that is not known."""
    return _all().get(family, [])
