# SPDX-License-Identifier: BSD-3-Clause
"""Every page that is made of the sources, by its path: those that are kept, and the manual, which is not."""

from __future__ import annotations

from pathlib import Path

import raddle
from raddle.cli import application
from reference import command, cxx, header, markdown, python, schema, settings
from reference import manual as man
from reference.in_header import with_settings
from reference.surroundings import MEANINGS

HEADER = "include/raddle/raddle.h"


def pages(root: Path) -> dict[str, str]:
    """What each file that is kept is to hold, by its path below `root`."""
    app = application()
    declarations = (root / HEADER).read_text(encoding="utf-8")
    templates = (root / "include/raddle/raddle.hpp").read_text(encoding="utf-8")
    table, sections = settings.settings(root), header.sections(declarations)
    overview, verbs = header.overview(declarations), list(command.verbs(app))
    help_text, epilog, groups = str(app.info.help), str(app.info.epilog), command.groups(app)
    macros = [
        (
            "RADDLE_VERSION_MAJOR, _MINOR, _PATCH",
            "version of the header: " + ".".join(header.constants(declarations).values()),
        ),
        *(
            (name, f"define it before including: {new} stands for {old}. {said}")
            for name, said, new, old in header.switches(declarations)
        ),
    ]
    return {
        HEADER: with_settings(declarations, table),
        "docs/use/reference.md": markdown.reference(
            markdown.settings_part(table, MEANINGS),
            markdown.keys_part(table),
            markdown.functions_part(sections, overview, macros),
            markdown.cxx_part(cxx.top(templates), cxx.declared(templates)),
            markdown.python_part(python.functions()),
        ),
        "docs/use/results.schema.json": schema.text(),
        "docs/use/profile.schema.json": schema.profile_text(),
        "docs/use/command.md": markdown.command(verbs, groups, help_text, epilog),
    }


def manual(root: Path) -> dict[str, str]:
    """The manual's pages, by their paths below a directory of manuals."""
    app = application()
    declarations = (root / HEADER).read_text(encoding="utf-8")
    return man.pages(
        raddle.__version__,
        settings.settings(root),
        header.sections(declarations),
        header.overview(declarations),
        list(command.verbs(app)),
        command.groups(app),
        str(app.info.help),
    )
