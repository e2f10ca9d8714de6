# SPDX-License-Identifier: BSD-3-Clause
"""Latency against message size."""

from __future__ import annotations

from raddle.report.data import Data
from raddle.report.figures.by_size import by_size
from raddle.report.figures.model import Figure


def build(data: Data) -> Figure | None:
    """The figure, or none when no latency was measured."""
    return by_size(
        data, "latency", name="latency", heading="Latency", what="latency",
        limit="what the cores can hand to each other without MPI",
    )  # fmt: skip
