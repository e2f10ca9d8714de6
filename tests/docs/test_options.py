# SPDX-License-Identifier: BSD-3-Clause
"""Each command of Raddle's on any page has verbs and options that there are, and values that they take.

Those of README and tutorial are run (test_commands.py), others where tests run what their page is about.
"""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import Any

import pytest
import typer.main

from raddle.cli import application
from tests.docs.pages import ROOT, command, indented

PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*/*.md"))]
WRONG: Any = typer.BadParameter.__mro__[1]  # what the parser of the command line calls a usage error
_ASSIGNED = re.compile(r"^\w+=\S*$")


def commands(page: Path) -> list[list[str]]:
    """The words of each, without what stands before `raddle` and behind a pipe or an arrow."""
    found = []
    for line in map(command, indented(page)):
        if "raddle" not in line or "..." in line or "$(" in line.partition("raddle")[0]:
            continue
        try:
            words = shlex.split(line, comments=True)
        except ValueError:
            continue  # a line that goes on in the next one
        while words and _ASSIGNED.match(words[0]):
            del words[0]
        if words and Path(words[0]).name == "raddle" and "OPTIONS" not in line:
            end = next((at for at, word in enumerate(words) if word in ("|", ">", "&&")), len(words))
            found.append(words[1:end])
    return found


def parsed(words: list[str]) -> None:
    """Raises WRONG for what the command does not take."""
    verb: Any = typer.main.get_command(application())
    context = typer.Context(verb, info_name="raddle")
    while commands := getattr(verb, "commands", None):
        if not words or words[0].startswith("-"):
            break
        assert words[0] in commands, f"there is no verb {words[0]}"
        verb, words = commands[words[0]], words[1:]
    verb.make_context(verb.name, list(words), parent=context)


def test_there_are_many() -> None:
    assert sum(len(commands(page)) for page in PAGES) > 40


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_its_commands_have_such_options(page: Path) -> None:
    for words in commands(page):
        try:
            parsed(words)
        except WRONG as error:
            pytest.fail(f"raddle {shlex.join(words)}: {error}")


def test_a_wrong_option_is_found() -> None:
    with pytest.raises(WRONG, match="No such option"):
        parsed(["run", "--quickly"])
