# SPDX-License-Identifier: BSD-3-Clause
"""The functions that an installed mpi.h declares, with its own prototypes: they are what a wrapper has to match."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

_ATTRIBUTE = re.compile(r"__attribute__\s*\(\(")
_FUNCTION = re.compile(r"(?P<result>[\w\s*]+?)\b(?P<name>P?MPIX?_[A-Z]\w*)\s*\((?P<parameters>.*)\)", re.DOTALL)
_NAME_LAST = re.compile(r"^(?P<type>.*[\s*])(?P<name>\w+)\s*(?P<array>(\[[^\]]*\]\s*)*)$", re.DOTALL)
_TYPES = {"void", "char", "short", "int", "long", "float", "double", "signed", "unsigned", "size_t"}


@dataclass(frozen=True)
class Parameter:
    """A parameter as C++ has to write it."""

    declaration: str
    name: str
    type: str  # without `const`, and without the brackets of an array

    @property
    def points(self) -> bool:
        """Whether it is the address of what it is about. Of handles that come in, few are."""
        return self.type.endswith("*") or "[" in self.declaration


@dataclass(frozen=True)
class Declaration:
    """A function that the header declares."""

    result: str
    name: str
    parameters: tuple[Parameter, ...]

    @property
    def returns_code(self) -> bool:
        """Whether what it returns says how it has ended. Some headers write `int` for MPI_Fint, too."""
        return self.result == "int" and not self.name.endswith(("_c2f", "_toint"))

    def prototype(self, name: str = "") -> str:
        """The declaration again, or of another name. In brackets, for some headers have macros of the same name."""
        return f"{self.result} ({name or self.name})({', '.join(one.declaration for one in self.parameters)})"

    def arguments(self) -> str:
        """What hands all parameters on."""
        return ", ".join(one.name for one in self.parameters)


def declarations(preprocessed: str) -> dict[str, Declaration]:
    """The MPI_, PMPI_ and MPIX_ functions in an mpi.h that the C preprocessor has been over."""
    found = (_declaration(statement) for statement in _statements(preprocessed))
    return {one.name: one for one in found if one}


def _statements(text: str) -> Iterator[str]:
    """What stands outside braces, cut at semicolons, without attributes."""
    text = re.sub(r"^#.*$", "", text, flags=re.MULTILINE)
    while start := _ATTRIBUTE.search(text):
        text = text[: start.start()] + text[_closing(text, start.end() - 2) + 1 :]
    while (without := re.sub(r"\{[^{}]*\}", ";", text)) != text:
        text = without
    return iter(" ".join(part.split()) for part in text.split(";"))


def _closing(text: str, opening: int) -> int:
    depth = 0
    for at in range(opening, len(text)):
        depth += {"(": 1, ")": -1}.get(text[at], 0)
        if depth == 0:
            return at
    raise ValueError("a bracket in mpi.h is never closed")


def _declaration(statement: str) -> Declaration | None:
    found = _FUNCTION.fullmatch(statement.removeprefix('extern "C"').strip())
    if not found or found["result"].split()[0] in ("typedef", "return", "static"):
        return None
    result = " ".join(word for word in found["result"].split() if word != "extern")
    listed = [] if found["parameters"].strip() in ("", "void") else _split(found["parameters"])
    return Declaration(result, found["name"], tuple(_parameter(text, at) for at, text in enumerate(listed)))


def _split(parameters: str) -> list[str]:
    """At the commas that are not inside brackets."""
    parts, depth = [""], 0
    for character in parameters:
        depth += {"(": 1, ")": -1}.get(character, 0)
        if character == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += character
    return [part.strip() for part in parts]


def _parameter(text: str, position: int) -> Parameter:
    named = _NAME_LAST.fullmatch(text)
    if text == "..." or (named and not _is_type(named["name"])):
        name, kind = (named["name"], named["type"]) if named else ("", text)
        return Parameter(text, name, _bare(kind))
    base, bracket, rest = text.partition("[")
    return Parameter(f"{base.strip()} argument_{position}{bracket}{rest}", f"argument_{position}", _bare(base))


def _is_type(word: str) -> bool:
    return word in _TYPES or re.match(r"MPIX?_[A-Z]", word) is not None


def _bare(kind: str) -> str:
    return " ".join(word for word in kind.replace("*", " * ").split() if word != "const")
