# SPDX-License-Identifier: BSD-3-Clause
"""`raddle report`: make all files of a run again from what its launches printed, and say what it found."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console


def report(
    directory: Annotated[Path, typer.Argument(metavar="DIR", help="A results directory, e.g. results/latest.")],
) -> None:
    """Write report.html, tables.csv, plots/ and results.jsonl of a run again, and sum it up.

    Works on a run that was killed, too, and says what is missing.
    """
    # Matplotlib takes a second to load, which `raddle --help` must not wait for.
    from raddle.report.load import load  # noqa: PLC0415
    from raddle.report.terminal import summary  # noqa: PLC0415
    from raddle.report.write import write  # noqa: PLC0415

    data = load(directory)
    write(data, directory)
    console = Console(highlight=False)
    console.print(summary(data, directory, console.width))
