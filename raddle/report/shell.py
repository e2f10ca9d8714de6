# SPDX-License-Identifier: BSD-3-Clause
"""What every page of Raddle has around its content: templates that escape, colours of both themes, style and script."""

from __future__ import annotations

import base64
import hashlib
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

from jinja2 import BaseLoader, ChoiceLoader, Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from raddle.report import numbers, page
from raddle.report.emphasis import breakable, emphasised
from raddle.report.style import css_name, css_variables, page_variables, variant_style


@dataclass(frozen=True)
class Entry:
    """A page in the list of pages; what belongs to one group stands together."""

    anchor: str
    label: str
    title: str
    group: str


STYLES = ("report.css", "matrix.css", "narrow.css", "print.css")


def templates(*more: BaseLoader) -> Environment:
    """The report's templates and those of `more`. Every string from outside is escaped."""
    made = Environment(
        loader=ChoiceLoader([*more, PackageLoader("raddle.report")]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.globals.update(emphasised=emphasised, when=page.when, value=numbers.value, interval=numbers.interval)
    made.globals.update(ratio_value=numbers.ratio_value, ratio_interval=numbers.ratio_interval)
    made.globals.update(style_of=variant_style, css_name=css_name, breakable=breakable)
    return made


def dress(*styles: str) -> dict[str, Any]:
    """Style and script of a page as its layout takes them; `styles` come after the report's own."""
    script = asset("report.js")
    return {
        "style": Markup(theme() + "".join(map(asset, STYLES)) + "".join(styles)),
        "script": Markup(script),
        # The content security policy lets this script run and no other.
        "script_hash": base64.b64encode(hashlib.sha256(script.encode()).digest()).decode(),
    }


def asset(name: str, package: str = "raddle.report") -> str:
    """A file among a package's templates."""
    return files(package).joinpath("templates", name).read_text(encoding="utf-8")


def theme() -> str:
    """The colours of both themes. Dark applies when the system asks for it, unless the reader has chosen."""
    table = css_variables() | page_variables()
    light = "".join(f"{name}:{pair[0]};" for name, pair in table.items())
    dark = "".join(f"{name}:{pair[1]};" for name, pair in table.items())
    return (
        f":root{{color-scheme:light;{light}}}\n"
        f"@media screen and (prefers-color-scheme:dark){{:root:not([data-theme=light]){{color-scheme:dark;{dark}}}}}\n"
        f"@media screen{{:root[data-theme=dark]{{color-scheme:dark;{dark}}}}}\n"
    )
