# SPDX-License-Identifier: BSD-3-Clause
"""Message rate against message size, where more than the headline size was measured."""

from __future__ import annotations

from raddle.report.data import Data
from raddle.report.figures.by_size import by_size
from raddle.report.figures.model import Figure
from raddle.report.rows import size


def build(data: Data) -> Figure | None:
    """The figure; none when there is but one size, which `rate.py` shows better."""
    if len({size(row) for row in data.rows if row.benchmark == "msgrate"}) < 2:
        return None
    return by_size(
        data, "msgrate", name="rate-by-size", heading="Message rate by size", what="message rate",
        limit="what the cores can hand to each other without MPI", short="Rate by size",
    )  # fmt: skip
