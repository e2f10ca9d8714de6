# SPDX-License-Identifier: BSD-3-Clause
"""The public C interface, read from raddle.h: its sections, and what stands above each declaration."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

_COMMENT = re.compile(r"^(/\*.*?\*/)\n", re.MULTILINE | re.DOTALL)
_TAG = re.compile(r"@(param|return|pre)\b(?:\[(\w+)\])?\s*(.*)|(Source):\s*(.*)", re.DOTALL)
_FUNCTION = re.compile(r"\b((?:Raddle|MPIX)_\w+)\s*\(")
_TYPE = re.compile(r"\b(\w+);\s*\Z")
_CONSTANT = re.compile(r"^#define (RADDLE_\w+) (\S+)$", re.MULTILINE)
_SWITCH = re.compile(r"^#ifdef (RADDLE_\w+)\n/\*\* (.*) \*/\n#define (\w+) (\w+)$", re.MULTILINE)


@dataclass
class Parameter:
    direction: str
    name: str
    text: str


@dataclass
class Declared:
    """Declarations with one comment above them."""

    code: str
    names: list[str]
    paragraphs: list[str] = field(default_factory=list)
    parameters: list[Parameter] = field(default_factory=list)
    returns: str = ""
    requires: str = ""
    source: str = ""


@dataclass
class Section:
    """`paragraphs` begin with its title."""

    title: str
    paragraphs: list[str]
    declared: list[Declared] = field(default_factory=list)

    @property
    def slug(self) -> str:
        return re.split(r"\W", self.title)[0].lower()

    @property
    def names(self) -> list[str]:
        return [name for one in self.declared for name in one.names]

    @property
    def functions(self) -> list[str]:
        """Those that can be called: no types."""
        return [name for one in self.declared if "typedef" not in one.code for name in one.names]


def constants(header: str) -> dict[str, str]:
    return dict(_CONSTANT.findall(header))


def switches(header: str) -> list[tuple[str, str, str, str]]:
    """What a program can define before it includes the header: name, what is said of it, new and old name."""
    return _SWITCH.findall(header)


def overview(header: str) -> list[str]:
    """The paragraphs at the top, of all functions, up to the settings."""
    comment = header[header.index("/**") : header.index(" * Settings.")]
    return [text for text in _paragraphs(comment) if not text.startswith("@file")]


def sections(header: str) -> list[Section]:
    """In the order of the header. Raises ValueError for a declaration without a comment."""
    body = header[header.index('extern "C" {') : header.index("#ifdef RADDLE_FORUM_NAMES")]
    pieces = _COMMENT.split(body)[1:]
    found: list[Section] = []
    for comment, code in zip(pieces[::2], pieces[1::2], strict=True):
        paragraphs = _paragraphs(comment)
        if comment.startswith("/**"):
            found[-1].declared.append(_declared(paragraphs, code))
        else:
            found.append(Section(re.split(r"[:.,]", paragraphs[0])[0], paragraphs))
    return found


def _declared(paragraphs: list[str], code: str) -> Declared:
    """Of the code it is what stands before the first empty line; more of it has no comment."""
    code, _, rest = code.strip().partition("\n\n")
    if _FUNCTION.search(rest):
        raise ValueError(f"raddle.h says nothing above {rest.strip()}")
    functions = _FUNCTION.findall(re.sub(r"/\*.*?\*/", "", code))
    declared = Declared(code, functions or _TYPE.findall(code))
    for text in paragraphs:
        if tag := _TAG.fullmatch(text):
            _take(tag, declared)
        else:
            declared.paragraphs.append(text)
    return declared


def _take(tag: re.Match[str], declared: Declared) -> None:
    kind, direction, text = tag[1] or tag[4], tag[2] or "", tag[3] if tag[1] else tag[5]
    if kind == "param":
        name, _, meaning = text.partition(" ")
        declared.parameters.append(Parameter(direction, name, meaning.strip()))
    elif kind == "return":
        declared.returns = text
    elif kind == "pre":
        declared.requires = text
    else:
        declared.source = text


def _paragraphs(comment: str) -> list[str]:
    """Each on one line. A tag begins one."""
    lines = [re.sub(r"^\s*(/\*\*?|\*(?!/))\s?|\s*\*/$", "", line) for line in comment.splitlines()]
    text = re.sub(r"\n(?=\s*(@|Source:))", "\n\n", "\n".join(lines))
    return [" ".join(part.split()) for part in re.split(r"\n\s*\n", text) if part.strip()]
