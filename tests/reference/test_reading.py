# SPDX-License-Identifier: BSD-3-Clause
"""What is read from the sources is what stands there; what cannot be read is an error and no gap."""

from __future__ import annotations

import shutil
from enum import Enum
from pathlib import Path
from typing import Annotated

import pytest
import typer
from reference import command, cxx, header, settings
from reference.in_header import with_settings
from reference.roff import Page

ROOT = Path(__file__).parents[2]

LITTLE = """/**
 * @file little.h
 *
 * All functions do something.
 *
 * Settings. Made by tools/write_reference.py.
 */
#ifndef RADDLE_H
#define RADDLE_VERSION_MAJOR 3
extern "C" {

/* Boats: things that float. More of them. */

/**
 * Makes a boat,
 * and names it.
 *
 * @param[in]  name   of one
 *                    line or two
 * @param[out] boat   made
 * @return MPI_SUCCESS; MPI_ERR_ARG
 * Source: a shipyard.
 */
int Raddle_Boat(const char* name,
                int* boat);
int Raddle_Boats(int* boats);

/** A crew. */
typedef struct Raddle_Crew_s {
  int size; /**< heads */
} Raddle_Crew;

#ifdef RADDLE_FORUM_NAMES
/** Its old name. */
#define MPI_Boat Raddle_Boat
#endif
#ifdef __cplusplus
}
#endif
"""


def test_a_header() -> None:
    (section,) = header.sections(LITTLE)
    assert (section.title, section.slug) == ("Boats", "boats")
    assert section.paragraphs == ["Boats: things that float. More of them."]
    boat, crew = section.declared
    assert boat.names == ["Raddle_Boat", "Raddle_Boats"]
    assert boat.paragraphs == ["Makes a boat, and names it."]
    assert [(one.direction, one.name, one.text) for one in boat.parameters] == [
        ("in", "name", "of one line or two"),
        ("out", "boat", "made"),
    ]
    assert (boat.returns, boat.source) == ("MPI_SUCCESS; MPI_ERR_ARG", "a shipyard.")
    assert crew.names == ["Raddle_Crew"]
    assert section.functions == ["Raddle_Boat", "Raddle_Boats"]
    assert header.overview(LITTLE) == ["All functions do something."]
    assert header.constants(LITTLE) == {"RADDLE_VERSION_MAJOR": "3"}
    assert header.switches(LITTLE) == [("RADDLE_FORUM_NAMES", "Its old name.", "MPI_Boat", "Raddle_Boat")]


def test_a_declaration_without_a_comment_is_an_error() -> None:
    more = LITTLE.replace("/** A crew. */", "int Raddle_Raft(void);\n\n/** A crew. */")
    with pytest.raises(ValueError, match="says nothing above int Raddle_Raft"):
        header.sections(more)


def test_settings_stand_in_the_header() -> None:
    one = settings.Setting("RADDLE_SAIL", "lanes", "0 or 1", "0", "1: it is set")
    made = with_settings(LITTLE, [one])
    assert " *   RADDLE_SAIL  0 or 1; default: 0. 1: it is set.\n" in made
    assert " *   Raddle_Lanes_create: raddle_sail (true or false)\n" in made
    assert with_settings(made, [one]) == made
    with pytest.raises(ValueError, match="no place"):
        with_settings("", [one])


def test_a_setting_of_another_form_is_an_error(tmp_path: Path) -> None:
    there = shutil.copytree(ROOT / "src/platform", tmp_path / "src/platform") / "settings_table.hpp"
    table = there.read_text(encoding="utf-8")
    assert settings.settings(tmp_path) == settings.settings(ROOT)
    there.write_text(table.replace('Setting{"RADDLE_EAGER"', 'setting("RADDLE_EAGER"'), encoding="utf-8")
    with pytest.raises(ValueError, match="of another form"):
        settings.settings(tmp_path)


class Sail(Enum):
    jib = "jib"
    genoa = "genoa"


def test_a_verb() -> None:
    app = typer.Typer()

    @app.command("set-sail")
    def set_sail(
        boats: Annotated[list[str] | None, typer.Argument(help="Which.")] = None,
        sail: Annotated[Sail, typer.Option("--sail", "-s", help="What.")] = Sail.jib,
        knots: Annotated[int | None, typer.Option(min=1, max=9, help="How fast.")] = None,
        fast: Annotated[bool, typer.Option("--fast", help="At once.", rich_help_panel="When")] = False,
    ) -> None:
        """Set sail.

        With wind.

        Examples:

        * `set`
        * `set
          twice`

        Exit status: 0 it sails.
        """

    (verb,) = command.verbs(app)
    assert verb.synopsis == "raddle set-sail [OPTIONS] [BOATS]..."
    assert verb.paragraphs == ["Set sail.", "With wind."]
    assert [(one.names, one.value, one.text, one.panel, one.default) for one in verb.options] == [
        ("--sail, -s", "jib|genoa", "What.", "", "jib"),
        ("--knots", "KNOTS", "How fast. 1 to 9.", "", ""),
        ("--fast", "", "At once.", "When", ""),
    ]
    assert verb.examples == ["`set`", "`set twice`"]
    assert verb.exit_status == "0 it sails."


def test_templates() -> None:
    told = cxx.declared(
        "/// A boat.\n/// Floats.\ntemplate <typename T>\n  requires Wood<T>\nclass Boat {\n/// Sails.\nvoid sail();\n"
    )
    assert [(one.kind, one.name, one.text) for one in told] == [
        ("class", "Boat", "A boat. Floats."),
        ("function", "sail", "Sails."),
    ]


def test_a_manual_page() -> None:
    page = Page("boat", 1, "3", "floats")
    page.heading("description")
    page.paragraphs([".hidden `a-b` and **strong**, back\\slash [shown](nowhere) --fast"])
    page.items([("--fast", "'tis")])
    assert page.text().splitlines()[5:] == [
        '.SH "DESCRIPTION"',
        "\\&.hidden \\fBa\\-b\\fR and \\fBstrong\\fR, back\\eslash shown \\-\\-fast",
        ".TP",
        "\\fB\\-\\-fast\\fR",
        "\\&'tis",
    ]
