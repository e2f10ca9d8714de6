# SPDX-License-Identifier: BSD-3-Clause
"""The C++ interface in short: what stands above each declaration of raddle.hpp, its `detail` left out."""

from __future__ import annotations

import re
from dataclasses import dataclass

_SAID = re.compile(r"^((?:/// .*\n)+)((?:template.*\n|  requires.*\n)*)(.*)$", re.MULTILINE)
_DETAIL = re.compile(r"^namespace detail \{.*?^\}  // namespace detail$", re.MULTILINE | re.DOTALL)


@dataclass(frozen=True)
class Told:
    kind: str  # concept, class or function
    name: str
    text: str


def declared(header: str) -> list[Told]:
    """In the order of the header."""
    return [_told(match) for match in _SAID.finditer(_DETAIL.sub("", header))]


def top(header: str) -> list[str]:
    """The paragraphs at its top, but the licence."""
    lines = header.partition("#pragma once")[0].splitlines()[1:]
    text = "\n".join(line.removeprefix("//").strip() for line in lines)
    return [" ".join(part.split()) for part in text.split("\n\n") if part.strip()]


def _told(match: re.Match[str]) -> Told:
    text = " ".join(line.removeprefix("///").strip() for line in match[1].splitlines())
    line = match[3]
    if found := re.match(r"(concept|class|struct) (\w+)", line):
        return Told("class" if found[1] == "struct" else found[1], found[2], text)
    if found := re.search(r"(\w+)\(", line):
        return Told("function", found[1], text)
    raise ValueError(f"raddle.hpp: what is declared by {line}?")
