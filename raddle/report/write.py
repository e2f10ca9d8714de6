# SPDX-License-Identifier: BSD-3-Clause
"""Everything that `raddle report` writes, each file whole or not at all."""

from __future__ import annotations

from pathlib import Path

from raddle.errors import UserError
from raddle.files import write_whole
from raddle.report.csv import to_csv
from raddle.report.data import Data
from raddle.report.draw import figure_files
from raddle.report.figures import figures
from raddle.report.html import render
from raddle.report.slides import slides

_HINT = "A report goes into the directory of the run, which must be yours to write and have room."


def write(data: Data, directory: Path) -> None:
    """Write tables, figures and the page. Raises UserError."""
    write_whole(directory / "tables.csv", to_csv(data).encode(), hint=_HINT)
    drawn = figures(data)
    plots = _folder(directory / "plots")
    for figure in (each for each in drawn if each.panels):
        for name, content in figure_files(figure).items():
            write_whole(plots / name, content, hint=_HINT)
    write_whole(directory / "report.html", render(data, drawn).encode(), hint=_HINT)


def write_slides(data: Data, directory: Path) -> list[str]:
    """Write the slides into plots/ in place of earlier ones; their names in the order of showing. Raises UserError."""
    plots = _folder(directory / "plots")
    for old in plots.glob("slide-*.png"):
        old.unlink()
    names = []
    for name, content in slides(data, figures(data)):
        write_whole(plots / name, content, hint=_HINT)
        names.append(name)
    return names


def _folder(path: Path) -> Path:
    try:
        path.mkdir(exist_ok=True)
    except OSError as error:
        raise UserError(f"Cannot make {path}: {error.strerror}.", hint=_HINT) from error
    return path
