# SPDX-License-Identifier: BSD-3-Clause
"""docs/use/reference.md and docs/use/command.md."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from reference.command import Option, Verb
from reference.cxx import Told
from reference.header import Declared, Section
from reference.settings import FUNCTIONS, Setting

_PAGE = re.compile(r"(?<![\w/])docs/(?:use/|(\w+/))([\w-]+\.md)")
_MADE = "Made by `tools/write_reference.py` from {}; a test compares."
_NAME = re.compile(r"(?<![\w/.])((?:RADDLE|Raddle|MPIX?|PMPI|raddle)_\w+(?:\(\))?)(?!\w)")


def settings_part(settings: Sequence[Setting], others: Mapping[str, str]) -> str:
    rows = [(f"`{s.name}`", s.valid, s.by_default, _coded(s.sentence())) for s in settings]
    return (
        "## Environment variables\n\n"
        "libraddle reads them once, at the first call into it. An unknown name that begins with `RADDLE_`, or a bad "
        "value, is an error that lists what is valid.\n\n"
        + _table(("variable", "values", "default", "meaning"), rows)
        + "\nThe command reads these besides:\n\n"
        + _table(
            ("variable", "meaning"),
            [(f"`{name}`", f"{_coded(text[0].upper() + text[1:])}.") for name, text in others.items()],
        )
    )


def keys_part(settings: Sequence[Setting]) -> str:
    text = (
        "## Info keys\n\n"
        "Each is a setting from above for one call, and overrides the environment variable of the same name. A key "
        "that begins with `raddle_` and that a function does not know is `MPI_ERR_INFO_KEY`, a bad value "
        "`MPI_ERR_INFO_VALUE`; the error's text lists what is valid. Only functions that make a communicator pass over "
        "keys that are not theirs and over any value of theirs but `true`.\n"
    )
    for hints, functions in FUNCTIONS.items():
        mine = [s for s in settings if s.hints == hints]
        rows = [(f"`{s.key}`", s.valid_of_key, f"`{s.name}`") for s in mine]
        text += f"\nOf {_coded(functions)}:\n\n" + _table(("info key", "values", "as"), rows)
    return text


def functions_part(sections: Iterable[Section], overview: Iterable[str], macros: Sequence[tuple[str, str]]) -> str:
    text = "## C functions\n\n`#include <raddle/raddle.h>`, and link with `-lraddle` before the MPI.\n"
    text += "".join(f"\n{_coded(paragraph)}\n" for paragraph in overview)
    text += "\n" + _table(("macro", ""), [(f"`{name}`", _coded(meaning)) for name, meaning in macros])
    for section in sections:
        text += f"\n### {section.title}\n"
        if len(section.paragraphs) > 1 or len(section.paragraphs[0]) > len(section.title) + 1:
            text += "".join(f"\n{_coded(paragraph)}\n" for paragraph in section.paragraphs)
        text += "".join(_declared(one) for one in section.declared)
    return text


def cxx_part(top: Iterable[str], told: Iterable[Told]) -> str:
    rows = [(f"`{one.name}`", one.kind, _coded(one.text)) for one in told]
    return (
        "## C++, in short\n\n`#include <raddle/raddle.hpp>`, in the namespace `raddle`.\n"
        + "".join(f"\n{_coded(paragraph)}\n" for paragraph in top)
        + "\n"
        + _table(("name", "", "what it is"), rows)
    )


def python_part(functions: Mapping[str, Sequence[str]]) -> str:
    text = "## Python\n\n`import raddle`, in a program that libraddle is loaded into (`raddle exec`).\n"
    for signature, paragraphs in functions.items():
        text += f"\n```python\n{signature}\n```\n" + "".join(f"\n{_coded(part)}\n" for part in paragraphs)
    return text


def reference(*parts: str) -> str:
    head = (
        "# Reference\n\n"
        + _MADE.format("src/platform/settings_table.hpp, include/raddle and the Python package")
        + "\nVerbs and options of the command are in [command.md](command.md); what each function of MPI does on an "
        "endpoint\nis in [endpoint-functions.md](endpoint-functions.md). After `raddle install` or `cmake --install` "
        "the same stands in\nthe manual: `man 7 raddle`, `man Raddle_Lanes_create`, `man raddle-run`. For Fortran see "
        "[fortran.md](fortran.md).\n"
    )
    return "\n".join([head, *parts])


def command(verbs: Sequence[Verb], groups: Mapping[str, str], help_text: str, epilog: str) -> str:
    text = (
        f"# The command\n\n{_MADE.format('the command itself')} `raddle VERB --help` says the same.\n\n"
        f"{help_text} {epilog}\n\n"
    )
    rows = [(f"[`raddle {verb.words}`](#raddle-{verb.words.replace(' ', '-')})", f"{verb.first}.") for verb in verbs]
    text += _table(("verb", ""), rows)
    for verb in verbs:
        text += f"\n## raddle {verb.words}\n\n    {verb.synopsis}\n"
        text += "".join(f"\n{paragraph}\n" for paragraph in verb.paragraphs)
        if verb.arguments:
            text += "\n" + _table(("argument", ""), [(f"`{one.names}`", one.text) for one in verb.arguments])
        for panel, options in verb.panels().items():
            text += "\n" + _table((panel or "option", ""), [_option_row(option) for option in options])
        if verb.examples:
            text += "\nExamples:\n\n" + "".join(f"* {example}\n" for example in verb.examples)
        if verb.exit_status:
            text += f"\nExit status: {verb.exit_status}\n"
    return text


def _option_row(option: Option) -> tuple[str, str]:
    shown = " ".join(filter(None, [option.names, option.value]))
    return f"`{shown}`", option.text + (f" Default: {option.default}." if option.default else "")


def _declared(one: Declared) -> str:
    text = f"\n#### {', '.join(one.names)}\n\n```c\n{one.code}\n```\n" + "".join(
        f"\n{_coded(paragraph)}\n" for paragraph in one.paragraphs
    )
    if one.parameters:
        rows = [(f"`{each.name}`", each.direction, _coded(each.text)) for each in one.parameters]
        text += "\n" + _table(("argument", "", ""), rows)
    lines = {"Needs": one.requires, "Returns": one.returns, "Source": one.source}
    return text + "".join(f"\n{word}: {_coded(said)}\n" for word, said in lines.items() if said)


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    cells = [heads, ["---"] * len(heads), *rows]
    return "".join(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in row)} |\n" for row in cells)


def _link(page: re.Match[str]) -> str:
    """From docs/use, where these pages are."""
    return f"[{page[2]}]({f'../{page[1]}' if page[1] else ''}{page[2]})"


def _coded(text: str) -> str:
    """Names of the API in code type, pages as links, and no HTML; what is in code type stays."""
    parts = text.split("`")
    for at, part in enumerate(parts[::2]):
        parts[2 * at] = _PAGE.sub(_link, _NAME.sub(r"`\1`", part.replace("<", "&lt;")))
    return "`".join(parts)
