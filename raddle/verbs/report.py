# SPDX-License-Identifier: BSD-3-Clause
"""`raddle report`: make all files of a run again from what its launches printed, and say what it found."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from raddle.errors import UserError


def report(
    directory: Annotated[Path, typer.Argument(metavar="DIR", help="A results directory, e.g. results/latest.")],
    png: Annotated[bool, typer.Option("--png", help="Also slides: plots/slide-*.png, 1920 x 1080.")] = False,
) -> None:
    """Write report.html, tables.csv, plots/ and results.jsonl of a run again, and sum it up.

    Works on a run that was killed, too, and says what is missing; and where only results.jsonl was kept. Of what
    `raddle try` has found it shows the table, and writes report.md; of a profile report.html and summary.json.
    """
    # What draws takes a second to load, which `raddle --help` must not wait for.
    from raddle.profile import store  # noqa: PLC0415
    from raddle.report.make import make_report  # noqa: PLC0415
    from raddle.results.merged import write_merged  # noqa: PLC0415
    from raddle.trial.summary import save, saved, show  # noqa: PLC0415

    console = Console(highlight=False)
    if store.is_profile(directory):
        _of_profile(directory, console, png=png)
        return
    if trial := saved(directory):
        write_merged(directory)
        save(trial, directory)
        show(trial, console)
        return
    data = make_report(directory, console, write_merged(directory))
    if png:
        from raddle.report.write import write_slides  # noqa: PLC0415

        slides = write_slides(data, directory)
        console.print(f"Slides: {len(slides)} in {directory / 'plots'}, from {slides[0]} on", markup=False)


def _of_profile(directory: Path, console: Console, *, png: bool) -> None:
    from raddle.profile.report import make  # noqa: PLC0415
    from raddle.profile.terminal import show as show_profile  # noqa: PLC0415

    if png:
        raise UserError("A profile has no slides.", hint="Leave --png out.")
    show_profile(make(directory), console, directory)
