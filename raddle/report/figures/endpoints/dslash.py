# SPDX-License-Identifier: BSD-3-Clause
"""E4: Wilson Dslash, performance by contexts, and where the time goes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from raddle.judge.points import whole
from raddle.model import ResultRow
from raddle.report.data import Data
from raddle.report.extras import Figures, extra, figures
from raddle.report.figures.claims import claims, where
from raddle.report.figures.endpoints.master import ENDPOINTS
from raddle.report.figures.endpoints.shares import shares_front
from raddle.report.figures.kinds.bar_panels import Bars, placed
from raddle.report.figures.kinds.bars import Bar
from raddle.report.figures.kinds.by_flows import Flows
from raddle.report.figures.model import Panel
from raddle.report.figures.page import Drawing, Page
from raddle.report.figures.suite import Chosen, Rows, at_headline, everything
from raddle.report.figures.tables import column
from raddle.report.params import lattice, series
from raddle.report.rows import group

COMPUTATION = ("pack", "interior", "boundary")
COMMUNICATION = ("post", "wait")


def breakdown(data: Data, row: ResultRow) -> Bar | None:
    """The time of an application of a context in the middle, the computation in it dark."""
    whole, computed = _sum(row, *COMPUTATION, *COMMUNICATION), _sum(row, *COMPUTATION)
    share = extra(row, "communication", "fraction")
    if whole is None or computed is None or share is None:
        return None
    text = f"{whole.text}, {share.value}"
    return Bar(series(row), placed(row), whole.median, whole.interval, text, part=min(computed.median, whole.median))


def _sum(row: ResultRow, *phases: str) -> Figures | None:
    return figures(row, "us", lambda *each: sum(each), *phases)


def _lattice(row: ResultRow) -> str:
    return lattice(str(row.params.get("extent", "")))


def _on_each_lattice(kind: Drawing, of: Chosen = everything) -> Drawing:
    """Panels of each lattice, small ones first, that name it: also the one that goes without saying elsewhere."""

    def panels(data: Data, rows: Rows) -> Iterator[Panel]:
        for extent, own in sorted(group(of(data, rows), lambda row: whole(row, "extent")).items()):
            name = f"lattice {lattice(str(extent))}"
            for panel in kind(data, own):
                yield panel if name in panel.title else replace(panel, title=f"{panel.title}, {name}")

    return panels


_PERFORMANCE = replace(
    ENDPOINTS,
    says="on {where}, endpoints multiply the performance of a master thread by {ratios}",
    words=lambda row: {"where": f"{_lattice(row)}, {where(row)}"},
)


def _how_to_read(shown: Rows) -> str:
    return (
        "The operator of lattice QCD on a lattice that stays the same, divided among more and more contexts. "
        "Performance: all contexts together, further right (or higher) is better; with as many CPUs as contexts it "
        "should grow with them. The second kind of panel is the time of one application where communication weighs "
        f"most, on the lattice {_lattice(shown[0])}: further left is better. Dark: computation; pale beyond it: "
        "posting messages and waiting for them, or for the thread that does, whose share is the percentage. What goes "
        "on behind the computation costs nothing and is not seen."
    )


PAGE = Page(
    benchmarks=["dslash"],
    name="e4-dslash",
    heading="E4. Wilson Dslash",
    how_to_read=_how_to_read,
    finding=claims(_PERFORMANCE, otherwise="Dslash by variant"),
    panels=[
        _on_each_lattice(Flows("performance")),
        _on_each_lattice(Bars("time of an application", bar=breakdown, unit="us", from_zero=True), of=at_headline),
    ],
    columns=[
        column("communication", "communication", "fraction"),
        *(column(phase, phase, "us") for phase in ("pack", "post", "interior", "wait", "boundary")),
    ],
    fronts=lambda data, rows: shares_front(data, at_headline(data, rows)),
)
