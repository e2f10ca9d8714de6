# SPDX-License-Identifier: BSD-3-Clause
"""The verbs of the command with their options, read from the functions that typer makes them of."""

from __future__ import annotations

import inspect
import re
import typing
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

import typer
from typer.models import ArgumentInfo, OptionInfo

_EXACT = 100_000  # a limit from there on is that of a type, and nobody meets it
_SPECIAL = re.compile(r"(Examples|Exit status): *(.*)", re.DOTALL)


@dataclass
class Option:
    """Of a verb; `names` of an argument is its metavariable."""

    names: str
    value: str  # empty: it takes none
    text: str
    panel: str
    default: str


@dataclass
class Verb:
    words: str  # as typed, without `raddle`
    paragraphs: list[str]
    arguments: list[Option] = field(default_factory=list)
    options: list[Option] = field(default_factory=list)
    examples: list[str] = field(default_factory=list)
    exit_status: str = ""

    @property
    def first(self) -> str:
        """What it is in a line, without a full stop."""
        return self.paragraphs[0].removesuffix(".")

    @property
    def synopsis(self) -> str:
        words = ["raddle", self.words, *(["[OPTIONS]"] if self.options else []), *(one.names for one in self.arguments)]
        return " ".join(words)

    def panels(self) -> dict[str, list[Option]]:
        """Options by the heading they stand under; empty: none."""
        found: dict[str, list[Option]] = {}
        for option in self.options:
            found.setdefault(option.panel, []).append(option)
        return found


def verbs(app: typer.Typer, before: str = "") -> Iterator[Verb]:
    """All of them, those of groups by both words, in the order in which they were given to typer."""
    for command in app.registered_commands:
        assert command.callback is not None
        name = command.name or command.callback.__name__.replace("_", "-")
        yield _verb(f"{before}{name}", command.callback)
    for group in app.registered_groups:
        assert group.typer_instance is not None
        yield from verbs(group.typer_instance, f"{before}{group.name} ")


def groups(app: typer.Typer) -> dict[str, str]:
    """What each verb is for that has verbs of its own."""
    found = {}
    for group in app.registered_groups:
        assert group.typer_instance is not None
        found[str(group.name)] = str(group.typer_instance.info.help)
    return found


def _verb(words: str, function: Callable[..., Any]) -> Verb:
    verb = Verb(words, [])
    for text in inspect.cleandoc(function.__doc__ or "").split("\n\n"):
        special = _SPECIAL.fullmatch(text)
        if special and special[1] == "Exit status":
            verb.exit_status = " ".join(special[2].split())
        elif text.startswith("* "):
            verb.examples += [" ".join(part.split()) for part in re.split(r"^\* ", text, flags=re.MULTILINE)[1:]]
        elif not special:
            verb.paragraphs.append(" ".join(text.split()))
    hints = typing.get_type_hints(function, include_extras=True)
    for name, parameter in inspect.signature(function).parameters.items():
        for said in getattr(hints[name], "__metadata__", ()):
            if isinstance(said, ArgumentInfo):
                verb.arguments.append(_argument(name, hints[name], parameter, said))
            elif isinstance(said, OptionInfo) and not said.hidden:
                verb.options.append(_option(name, hints[name], parameter, said))
    return verb


def _argument(name: str, hint: Any, parameter: inspect.Parameter, said: ArgumentInfo) -> Option:
    called = said.metavar or name.upper()
    if parameter.default is not inspect.Parameter.empty and not called.startswith("["):
        called = f"[{called}]"
    several = any(typing.get_origin(kind) is list for kind in _kinds(hint)) and not called.endswith("...")
    return Option(f"{called}{'...' if several else ''}", "", _text(said.help), "", "")


def _option(name: str, hint: Any, parameter: inspect.Parameter, said: OptionInfo) -> Option:
    # In an annotation the first of the names is where a default would be.
    declared = [word for word in (said.default, *(said.param_decls or ())) if isinstance(word, str)]
    names = ", ".join(declared or [f"--{name.replace('_', '-')}"])
    default, kinds = parameter.default, _kinds(hint)
    if bool in kinds:
        return Option(names, "", _text(said.help), said.rich_help_panel or "", "")
    value = said.metavar or next((_choices(kind) for kind in kinds if _choices(kind)), name.upper())
    shown = default.value if isinstance(default, Enum) else default
    bounds = f" {said.min:g} to {said.max:g}." if said.min is not None and said.max and said.max < _EXACT else ""
    return Option(
        names, value, _text(said.help) + bounds, said.rich_help_panel or "", "" if shown is None else str(shown)
    )


def _kinds(hint: Any) -> list[Any]:
    """The types that an annotation allows."""
    kind = typing.get_args(hint)[0]
    return list(typing.get_args(kind)) if _is_union(kind) else [kind]


def _is_union(kind: Any) -> bool:
    return not isinstance(kind, type) and typing.get_origin(kind) is not list


def _choices(kind: Any) -> str:
    is_enum = isinstance(kind, type) and issubclass(kind, Enum)
    return "|".join(str(one.value) for one in kind) if is_enum else ""


def _text(said: str | None) -> str:
    return " ".join((said or "").split())
