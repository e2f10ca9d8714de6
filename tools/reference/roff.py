# SPDX-License-Identifier: BSD-3-Clause
"""Manual pages in the macros of man(7)."""

from __future__ import annotations

import re
from collections.abc import Iterable

_NAME = re.compile(r"(?<![\w./])((?:RADDLE|Raddle|MPIX?|PMPI|raddle)_\w+)")
_SPAN = re.compile(r"`([^`]*)`|\*\*([^*]*)\*\*|\[([^\]]*)\]\([^)]*\)")


class Page:
    """One page; its parts in the order of the calls."""

    def __init__(self, name: str, section: int, version: str, what: str, names: Iterable[str] = ()) -> None:
        self._lines = [
            '.\\" SPDX-License-Identifier: BSD-3-Clause',
            '.\\" Made by tools/write_reference.py.',
            f'.TH {name.upper()} {section} "" "Raddle {version}" "Raddle"',
            ".SH NAME",
            f"{', '.join(_escaped(each) for each in names or [name])} \\- {_inline(what)}",
        ]

    def heading(self, text: str) -> None:
        self._lines.append(f'.SH "{_escaped(text.upper())}"')

    def subheading(self, text: str) -> None:
        self._lines.append(f'.SS "{_escaped(text)}"')

    def paragraphs(self, texts: Iterable[str]) -> None:
        for text in texts:
            first = self._lines[-1].startswith((".SH", ".SS"))
            self._lines += [*([] if first else [".PP"]), _begun(_inline(text))]

    def items(self, items: Iterable[tuple[str, str]]) -> None:
        """A term in bold, and what is said of it."""
        for term, text in items:
            self._lines += [".TP", f"\\fB{_code(term)}\\fR", _begun(_inline(text) or "\\&")]

    def code(self, text: str) -> None:
        first = self._lines[-1].startswith((".SH", ".SS"))
        lines = [_begun(_code(line)) for line in text.splitlines()]
        self._lines += [*([] if first else [".PP"]), ".nf", *lines, ".fi"]

    def see(self, others: Iterable[tuple[str, int]]) -> None:
        self.heading("see also")
        self._lines.append(",\n".join(f"\\fB{_code(name)}\\fR({section})" for name, section in others))

    def text(self) -> str:
        return "\n".join(self._lines) + "\n"


def _inline(text: str) -> str:
    """Text with code, bold and links as in Markdown; names of the API become bold."""
    parts, at = [], 0
    for span in _SPAN.finditer(text):
        parts.append(_plain(text[at : span.start()]))
        strong = span[1] if span[1] is not None else span[2]
        parts.append(f"\\fB{_code(strong)}\\fR" if strong is not None else _plain(span[3]))
        at = span.end()
    return "".join([*parts, _plain(text[at:])])


def _plain(text: str) -> str:
    options = re.sub(r"(?<![\w-])-{1,2}(?=\w)", lambda found: "\\-" * len(found[0]), _escaped(text))
    return _NAME.sub(r"\\fB\1\\fR", options)


def _code(text: str) -> str:
    return _escaped(text).replace("-", "\\-")


def _escaped(text: str) -> str:
    return text.replace("\\", "\\e").replace("~", "\\(ti").replace("^", "\\(ha")


def _begun(line: str) -> str:
    """A line that is no request."""
    return f"\\&{line}" if line.startswith((".", "'")) else line
