# SPDX-License-Identifier: BSD-3-Clause
"""Endpoints held against a master thread, the one of each process that communicates for all."""

from __future__ import annotations

from collections.abc import Callable

from raddle.judge.points import placement
from raddle.model import ResultRow
from raddle.report.data import Data
from raddle.report.figures.findings import each_mpi, joined, on_each
from raddle.report.figures.suite import Rows, one_for_each
from raddle.report.rows import condition
from raddle.stats.ratio import Ratio

MASTER = "master"


def to_master(data: Data, row: ResultRow) -> Ratio | None:
    """How many times faster than a master; none for that itself."""
    return None if row.variant == MASTER else data.speed(row, data.other(row, MASTER))


def finding(data: Data, shown: Rows, claim: Callable[[ResultRow], str], where: Callable[[ResultRow], str]) -> str:
    """What endpoints make of it, with a CPU for each thread and without; nothing where there was no master.

    `claim` has `{where}` for the circumstances, and `{}` for the ratios.
    """
    own = [row for row in shown if row.variant == "endpoint-direct" and placement(row) != "one-process"]
    said = []
    for shared in (False, True):
        chosen = one_for_each(data, [row for row in own if condition(row).shared == shared])
        if found := each_mpi(data, chosen, to_master):
            told = [where(chosen[0]), "oversubscribed" if shared else "", condition(chosen[0]).flows]
            place = ", ".join(filter(None, told))
            sentence = claim(chosen[0]).replace("{where}", place)
            said.append(on_each(found, sentence, nothing=f"between endpoints and a master thread ({place})"))
    return joined(said, "")
