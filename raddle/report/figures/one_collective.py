# SPDX-License-Identifier: BSD-3-Clause
"""A collective over all ranks against its size, a figure for each collective."""

from __future__ import annotations

from collections.abc import Callable

from raddle.report.data import Data
from raddle.report.figures.by_size import by_size
from raddle.report.figures.model import Figure

NAMES = ("allreduce", "barrier", "bcast", "alltoall")


def builders() -> list[Callable[[Data], Figure | None]]:
    """For each collective what makes its figure, or nothing when it was not measured."""
    return [_builder(name) for name in NAMES]


def _builder(name: str) -> Callable[[Data], Figure | None]:
    return lambda data: by_size(
        data, name, name=name, heading=name.capitalize(), what=f"time of MPI_{name.capitalize()}",
        limit="what is possible without MPI",
    )  # fmt: skip
