# SPDX-License-Identifier: BSD-3-Clause
"""The report of a run, made from what its launches printed."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console

if TYPE_CHECKING:
    from raddle.report.data import Data
    from raddle.results.merged import Merged


def make_report(directory: Path, console: Console, merged: Merged | None = None) -> Data:
    """Write tables, figures and page of a run, say what it found on `console`, and return it. Raises UserError."""
    # SciPy and Matplotlib take a second to load, which a run need not wait for before it measures.
    from raddle.report.load import load  # noqa: PLC0415
    from raddle.report.terminal import summary  # noqa: PLC0415
    from raddle.report.write import write  # noqa: PLC0415

    data = load(directory, merged)
    write(data, directory)
    console.print(summary(data, directory, console.width))
    return data
