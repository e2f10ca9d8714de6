# SPDX-License-Identifier: BSD-3-Clause
"""E4: Wilson Dslash, performance by contexts, and where the time goes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from raddle.judge.points import placement, whole
from raddle.model import ResultRow
from raddle.report.data import Data
from raddle.report.extras import Figures, extra, figures
from raddle.report.figures.bar_panels import Bars, bar_panels, placed
from raddle.report.figures.bars import Bar
from raddle.report.figures.by_flows import flow_panels
from raddle.report.figures.ep_shares import shares_front
from raddle.report.figures.findings import on_each
from raddle.report.figures.model import Figure, Panel
from raddle.report.figures.suite import column, measured, one_for_each, suite_table
from raddle.report.params import lattice, series
from raddle.report.rows import condition, group
from raddle.stats.ratio import Ratio

COMPUTATION = ("pack", "interior", "boundary")
COMMUNICATION = ("post", "wait")


def build(data: Data, number: int) -> Figure | None:
    """The figure, or none when it was not measured."""
    rows = measured(data, "dslash")
    if not rows:
        return None
    shown = data.headline("dslash")
    return Figure(
        name=f"e{number}-dslash",
        heading=f"E{number}. Wilson Dslash",
        short=f"E{number}",
        finding=_finding(data, shown),
        how_to_read=(
            "The operator of lattice QCD on a lattice that stays the same, divided among more and more contexts. "
            "Performance: all contexts together, further right (or higher) is better; with as many CPUs as contexts it "
            "should grow with them. The second kind of panel is the time of one application where communication weighs "
            f"most, on the lattice {_lattice(shown[0])}: further left is better. Dark: computation; pale beyond it: "
            "posting messages and waiting for them, or for the thread that does, whose share is the percentage. What "
            "goes on behind the computation costs nothing and is not seen."
        ),
        panels=[
            *_on_each_lattice(rows, lambda own: flow_panels(data, own, "performance")),
            *_on_each_lattice(shown, lambda own: list(bar_panels(data, own, TIMES))),
        ],
        table=suite_table(
            data, rows,
            [column("communication", "communication", "fraction"),
             *(column(phase, phase, "us") for phase in ("pack", "post", "interior", "wait", "boundary"))],
        ),
        benchmarks=["dslash"],
        fronts=shares_front(data, shown),
    )  # fmt: skip


def breakdown(row: ResultRow) -> Bar | None:
    """The time of an application of a context in the middle, the computation in it dark."""
    whole, computed = _sum(row, *COMPUTATION, *COMMUNICATION), _sum(row, *COMPUTATION)
    share = extra(row, "communication", "fraction")
    if whole is None or computed is None or share is None:
        return None
    text = f"{whole.text}, {share.value}"
    return Bar(series(row), placed(row), whole.median, whole.interval, text, part=min(computed.median, whole.median))


def _sum(row: ResultRow, *phases: str) -> Figures | None:
    return figures(row, "us", lambda *each: sum(each), *phases)


def _heading(row: ResultRow) -> str:
    return condition(row).flows


TIMES = Bars("time of an application", _heading, breakdown, "us", from_zero=True)


def _on_each_lattice(
    rows: Sequence[ResultRow], panels: Callable[[Sequence[ResultRow]], list[Panel]]
) -> Iterator[Panel]:
    """Panels of each lattice, small ones first, that name it: also the one that goes without saying elsewhere."""
    for extent, own in sorted(group(rows, lambda row: whole(row, "extent")).items()):
        name = f"lattice {lattice(str(extent))}"
        for panel in panels(own):
            yield panel if name in panel.title else replace(panel, title=f"{panel.title}, {name}")


def _lattice(row: ResultRow) -> str:
    return lattice(str(row.params.get("extent", "")))


def _finding(data: Data, shown: Sequence[ResultRow]) -> str:
    """What endpoints make of a master thread's performance: with a CPU for each thread, and without."""
    own = [row for row in shown if row.variant == "endpoint-direct" and placement(row) != "one-process"]
    said = [sentence for shared in (False, True) if (sentence := _sentence(data, own, shared))]
    return "; ".join([said[0], *(part[:1].lower() + part[1:] for part in said[1:])]) if said else "Dslash by variant"


def _sentence(data: Data, rows: Sequence[ResultRow], shared: bool) -> str:
    chosen = one_for_each(data, [row for row in rows if condition(row).shared == shared])
    found = [(data.title(row.mpi), its) for row in chosen if (its := to_master(data, row)) is not None]
    if not found:
        return ""
    where = f"{_lattice(chosen[0])}, {'oversubscribed, ' if shared else ''}{condition(chosen[0]).flows}"
    return on_each(
        found,
        f"on {where}, endpoints multiply the performance of a master thread by {{}}",
        nothing=f"between endpoints and a master thread ({where})",
    )


def to_master(data: Data, row: ResultRow) -> Ratio | None:
    """How many times faster than one thread of each process that communicates for all."""
    return data.speed(row, data.other(row, "master"))
