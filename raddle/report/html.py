# SPDX-License-Identifier: BSD-3-Clause
"""`report.html`: the whole report in one file that needs no network and trusts nothing that it shows.

Its pages are parts of that file. A script shows one at a time; without it, and on paper, they stand one after another.
"""

from __future__ import annotations

import base64
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

from raddle.report import circumstances, expectations, page, states
from raddle.report.csv import to_csv
from raddle.report.data import Data
from raddle.report.draw import panel_svg
from raddle.report.figures.model import Figure, Panel
from raddle.report.five import five
from raddle.report.matrix import SCALE
from raddle.report.pages import Page, pages
from raddle.report.params import has_ways, untold
from raddle.report.reproduce import command
from raddle.report.shell import Entry, dress, templates
from raddle.report.svg import inline_svg
from raddle.report.text import without_controls


@dataclass(frozen=True)
class Drawn:
    """A panel with its drawing; `svg` is safe, since `inline_svg` has made it from a parsed tree."""

    panel: Panel
    svg: Markup


@dataclass(frozen=True)
class Section:
    """A figure on the page."""

    figure: Figure
    clean: list[Drawn]
    shared: list[Drawn]
    # Empty where it is that of the whole page.
    command: str
    # Rows in it for which MPI was not told to yield though there are too few CPUs.
    untold: list[str]


@dataclass(frozen=True)
class View:
    """A page with its drawings and the command that measures again what it shows."""

    page: Page
    sections: list[Section]
    command: str


def render(data: Data, figures: list[Figure]) -> str:
    """The page. Every string from outside goes through Jinja's escaping or the SVG serialiser, without exception."""
    page_template = templates().get_template("report.html.j2")
    return without_controls(page_template.render(_context(data, figures)))


def _context(data: Data, figures: list[Figure]) -> dict[str, Any]:
    """What the template sees."""
    environment = data.environment
    views = [_view(data, each) for each in pages(data, figures)]
    found = expectations.cards(data)
    return {
        "data": data,
        "environment": environment,
        "views": views,
        "entries": _entries(views, bool(found)),
        "verdict": five(data, figures),
        "where": {name: view.page.anchor for view in reversed(views) for name in view.page.benchmarks},
        "states": states.sentence(data),
        "scale": SCALE,
        "ways": has_ways(data.rows),
        "untold": untold(row for benchmark in data.benchmarks for row in data.headline(benchmark)),
        "cards": found,
        "counted": expectations.counted(found),
        "rules": expectations.RULES,
        "notices": page.notices(data),
        "alerts": page.alerts(data),
        "machine": page.machine(environment.host) if environment else [],
        "provenance": page.provenance(data),
        "circumstances": circumstances.by_variant(data),
        "cvars": circumstances.differing_cvars(data),
        "again": _command(data, data.benchmarks),
        "csv": base64.b64encode(to_csv(data).encode()).decode(),
        **dress(),
    }


def _view(data: Data, page_: Page) -> View:
    own = _command(data, page_.benchmarks)
    sections = [_section(data, figure, own) for figure in page_.figures]
    return View(page_, sections, own)


def _entries(views: Sequence[View], expected: bool) -> list[Entry]:
    """All pages in their order."""
    found = [Entry("overview", "Overview", "Overview", "")]
    if expected:
        found.append(Entry("expectations", "Expectations", "Three expectations", ""))
    for across, group in ((False, "Benchmarks"), (True, "Together")):
        own = [view.page for view in views if view.page.across == across]
        found += [Entry(each.anchor, each.label, each.title, group) for each in own]
    found.append(Entry("notices", "Notices", "Notices", "This run"))
    found.append(Entry("environment", "Environment", "Environment", "This run"))
    return found


def _section(data: Data, figure: Figure, known: str) -> Section:
    drawn = [Drawn(panel, Markup(_svg(figure, number, panel))) for number, panel in enumerate(figure.panels)]
    return Section(
        figure=figure,
        clean=[each for each in drawn if not each.panel.shared],
        shared=[each for each in drawn if each.panel.shared],
        command="" if (own := _command(data, figure.benchmarks)) == known else own,
        untold=untold(row for row in data.rows if row.benchmark in figure.benchmarks),
    )


def _command(data: Data, benchmarks: list[str]) -> str:
    found = data.environment
    return command(found.command, benchmarks, found.seed) if found else command([], benchmarks, None)


def _svg(figure: Figure, number: int, panel: Panel) -> str:
    oversubscribed = ", oversubscribed" if panel.shared else ""
    return inline_svg(
        panel_svg(panel),
        name=f"{figure.name}-{number}",
        title=f"{figure.heading}: {panel.title}{oversubscribed}",
        description=panel.description,
    )
