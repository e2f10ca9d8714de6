# SPDX-License-Identifier: BSD-3-Clause
"""Findings as data: what is claimed of the ratios of some rows, and told of every MPI as far as it is shown."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from raddle.model import ResultRow
from raddle.report.data import Data
from raddle.report.figures.findings import each_mpi, joined, on_each
from raddle.report.figures.suite import RatioOf, Rows, one_for_each
from raddle.report.rows import condition, size
from raddle.units import format_bytes


def where(row: ResultRow) -> str:
    """How much runs at once, and whether there were too few CPUs for it."""
    return ", ".join(filter(None, ["oversubscribed" if condition(row).shared else "", condition(row).flows]))


def _words(row: ResultRow) -> dict[str, str]:
    return {"size": format_bytes(size(row)), "where": where(row)}


@dataclass(frozen=True)
class Claim:
    """Of each MPI one row is taken, the plainest of those at the headline sizes that `only` lets pass.

    `says` has {ratios}, `of` stands behind the first of them, and `nothing` is what no difference is shown between.
    All may have what `words` says of the first row.
    """

    only: Callable[[ResultRow], bool]
    its: RatioOf
    says: str
    nothing: str
    of: str = ""
    words: Callable[[ResultRow], Mapping[str, str]] = _words
    # Whether clean rows and oversubscribed ones are told of one after the other.
    apart: bool = False

    def told(self, data: Data, shown: Rows) -> list[str]:
        """The sentences; none where there is nothing to compare."""
        rows = [row for row in shown if self.only(row)]
        heaps = [[row for row in rows if condition(row).shared == shared] for shared in (False, True)]
        return list(filter(None, (self._told(data, heap) for heap in (heaps if self.apart else [rows]))))

    def _told(self, data: Data, rows: Rows) -> str:
        chosen = one_for_each(data, rows)
        found = each_mpi(data, chosen, self.its)
        if not found:
            return ""
        words = self.words(chosen[0])
        says = self.says.format(**words, ratios="{}")
        return on_each(found, says, nothing=self.nothing.format(**words), of=self.of)


def claims(*all_of: Claim, otherwise: str) -> Callable[[Data, Rows], str]:
    """What a page finds: all that can be claimed as one sentence, `otherwise` where nothing can."""
    return lambda data, shown: joined([sentence for each in all_of for sentence in each.told(data, shown)], otherwise)
