# SPDX-License-Identifier: BSD-3-Clause
"""Bandwidth against message size."""

from __future__ import annotations

from raddle.report.data import Data
from raddle.report.figures.by_size import by_size
from raddle.report.figures.model import Figure


def build(data: Data) -> Figure | None:
    """The figure, or none when no bandwidth was measured."""
    return by_size(
        data, "bandwidth", name="bandwidth", heading="Bandwidth", what="bandwidth",
        limit="what one core copies with memcpy",
    )  # fmt: skip
