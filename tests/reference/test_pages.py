# SPDX-License-Identifier: BSD-3-Clause
"""The reference and the manual are those of the sources, leave nothing out, and can be set."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import typer.main
from reference import command, header, settings
from reference.pages import manual, pages
from reference.surroundings import MEANINGS, read_by_the_command

from raddle.cli import application

ROOT = Path(__file__).parents[2]
HEADER = (ROOT / "include/raddle/raddle.h").read_text(encoding="utf-8")
PAGES = pages(ROOT)
MANUAL = manual(ROOT)


@pytest.mark.parametrize("name", PAGES)
def test_committed(name: str) -> None:
    assert (ROOT / name).read_text(encoding="utf-8") == PAGES[name], "run tools/write_reference.py"


def test_the_manual_is_written_anew(tmp_path: Path) -> None:
    """Not over an earlier one, which may have pages of functions that there are no longer."""
    place = tmp_path / "man"
    (place / "man3").mkdir(parents=True)
    (place / "man3" / "earlier.3").write_text("", encoding="utf-8")
    command_line = [sys.executable, str(ROOT / "tools/write_reference.py"), "--manual", str(place)]
    subprocess.run(command_line, check=True, timeout=60)
    assert {str(path.relative_to(place)) for path in place.rglob("*.[137]")} == set(MANUAL)
    assert (place / "man3/Raddle_Lanes_create.3").read_text(encoding="utf-8") == ".so man3/raddle_lanes.3\n"


def test_every_declaration_is_told() -> None:
    declared = set(re.findall(r"^\w[\w *]*\b((?:Raddle|MPIX)_\w+)\(", HEADER, re.MULTILINE))
    assert len(declared) > 20
    assert declared <= {name for section in header.sections(HEADER) for name in section.names}
    for name in declared:
        assert f"{name}(" in PAGES["docs/use/reference.md"]


def test_info_keys_are_those_of_the_table() -> None:
    """All follow from its names; one that is spelt elsewhere would be in no page."""
    found = set()
    for path in (ROOT / "src").rglob("*.?pp"):
        found |= set(re.findall(r'"(raddle_[a-z_]+[a-z])"', path.read_text(encoding="utf-8")))
    assert found == set()
    assert "raddle_partitioned" in {one.key for one in settings.settings(ROOT) if one.hints != "none"}


def test_every_variable_that_the_command_reads_is_told() -> None:
    known = {one.name for one in settings.settings(ROOT)}
    assert read_by_the_command(ROOT) - known == set(MEANINGS), "mend tools/reference/surroundings.py"


def test_every_option_is_told() -> None:
    app = application()
    told = {verb.words: {name for one in verb.options for name in one.names.split(", ")} for verb in command.verbs(app)}
    root = typer.main.get_command(app)
    commands: dict[str, Any] = {}
    for name, one in root.commands.items():  # type: ignore[attr-defined]
        commands |= {f"{name} {inner}": each for inner, each in getattr(one, "commands", {}).items()} or {name: one}
    options = {
        name: {word for one in each.params for word in one.opts if word.startswith("-")}
        for name, each in commands.items()
    }
    assert told == options


@pytest.mark.parametrize("name", [name for name, text in MANUAL.items() if not text.startswith(".so ")])
def test_groff_does_not_complain(name: str) -> None:
    if shutil.which("groff") is None:
        assert os.environ.get("CI") != "true", "groff is missing"
        pytest.skip("groff is missing")
    done = subprocess.run(
        ["groff", "-man", "-Tascii", "-ww", "-rHY=0"], input=MANUAL[name], capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "Raddle" in done.stdout
