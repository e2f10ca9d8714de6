# SPDX-License-Identifier: BSD-3-Clause
"""`report.html`: the whole report in one page that needs no network and trusts nothing that it shows."""

from __future__ import annotations

import base64
import hashlib
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from raddle.report import circumstances, expectations, page
from raddle.report.csv import to_csv
from raddle.report.data import Data
from raddle.report.draw import panel_svg
from raddle.report.emphasis import emphasised
from raddle.report.figures.model import Figure, Panel
from raddle.report.matrix import matrix
from raddle.report.reproduce import command
from raddle.report.style import css_name, css_variables, variant_style
from raddle.report.svg import inline_svg
from raddle.report.text import without_controls
from raddle.report.words import findings


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
    command: str


def render(data: Data, figures: list[Figure]) -> str:
    """The page. Every string from outside goes through Jinja's escaping or the SVG serialiser, without exception."""
    page_template = _templates().get_template("report.html.j2")
    return without_controls(page_template.render(_context(data, figures)))


def _context(data: Data, figures: list[Figure]) -> dict[str, Any]:
    """What the template sees."""
    script = _asset("report.js")
    environment = data.environment
    return {
        "data": data,
        "environment": environment,
        "sections": [_section(data, figure) for figure in figures],
        "findings": findings(data),
        "cards": (found := expectations.cards(data)),
        "counted": expectations.counted(found),
        "rules": expectations.RULES,
        "parts": matrix(data),
        "notices": page.notices(data),
        "alerts": page.alerts(data),
        "machine": page.machine(environment.host) if environment else [],
        "provenance": page.provenance(data),
        "circumstances": circumstances.by_variant(data),
        "cvars": circumstances.differing_cvars(data),
        "again": _command(data, data.benchmarks),
        "csv": base64.b64encode(to_csv(data).encode()).decode(),
        "style": Markup(_theme() + _asset("report.css")),
        "script": Markup(script),
        # The content security policy lets this script run and no other.
        "script_hash": base64.b64encode(hashlib.sha256(script.encode()).digest()).decode(),
    }


def _section(data: Data, figure: Figure) -> Section:
    drawn = [Drawn(panel, Markup(_svg(figure, number, panel))) for number, panel in enumerate(figure.panels)]
    return Section(
        figure=figure,
        clean=[each for each in drawn if not each.panel.shared],
        shared=[each for each in drawn if each.panel.shared],
        command=_command(data, figure.benchmarks),
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


def _templates() -> Environment:
    templates = Environment(
        loader=PackageLoader("raddle.report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    templates.globals.update(emphasised=emphasised, when=page.when, style_of=variant_style, css_name=css_name)
    return templates


def _asset(name: str) -> str:
    return files("raddle.report").joinpath("templates", name).read_text(encoding="utf-8")


def _theme() -> str:
    """The colours of both themes. Dark applies when the system asks for it, unless the reader has chosen."""
    light = "".join(f"{name}:{pair[0]};" for name, pair in css_variables().items())
    dark = "".join(f"{name}:{pair[1]};" for name, pair in css_variables().items())
    return (
        f":root{{color-scheme:light;{light}}}\n"
        f"@media screen and (prefers-color-scheme:dark){{:root:not([data-theme=light]){{color-scheme:dark;{dark}}}}}\n"
        f"@media screen{{:root[data-theme=dark]{{color-scheme:dark;{dark}}}}}\n"
    )
