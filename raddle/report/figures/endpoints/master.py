# SPDX-License-Identifier: BSD-3-Clause
"""Endpoints held against a master thread, the one of each process that communicates for all."""

from __future__ import annotations

from raddle.judge.points import placement
from raddle.model import ResultRow
from raddle.report.data import Data
from raddle.report.figures.claims import Claim
from raddle.stats.ratio import Ratio

MASTER = "master"


def to_master(data: Data, row: ResultRow) -> Ratio | None:
    """How many times faster than a master; none for that itself."""
    return None if row.variant == MASTER else data.speed(row, data.other(row, MASTER))


# What endpoints of several processes make of it, with a CPU for each thread and without; of what is for a page to say.
ENDPOINTS = Claim(
    only=lambda row: row.variant == "endpoint-direct" and placement(row) != "one-process",
    its=to_master,
    says="",
    nothing="between endpoints and a master thread ({where})",
    apart=True,
)
