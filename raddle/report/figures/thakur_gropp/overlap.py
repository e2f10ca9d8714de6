# SPDX-License-Identifier: BSD-3-Clause
"""T6, Figures 11 and 12 of the paper: whether messages travel while a process computes, and who helps them to."""

from __future__ import annotations

from raddle.model import ResultRow
from raddle.report import numbers
from raddle.report.data import Data
from raddle.report.extras import quotient
from raddle.report.figures.findings import each_mpi, on_each
from raddle.report.figures.kinds.bar_panels import Bars
from raddle.report.figures.kinds.bars import Bar
from raddle.report.figures.page import Page
from raddle.report.figures.suite import Rows, one_for_each
from raddle.report.figures.tables import column
from raddle.report.params import series, told, way
from raddle.report.rows import HEADLINE_PARAMS
from raddle.stats.ratio import Ratio

_HELPERS = {
    "thread": "a thread blocked in MPI_Recv",
    "probe": "a thread that calls MPI_Iprobe",
    "library": "the library's own progress thread",
    "proxy": "proxies that go on by themselves",
}


def _to_alone(data: Data, row: ResultRow) -> Ratio | None:
    return data.ratio(row, data.process(row))


def _finding(data: Data, shown: Rows) -> str:
    """What a helper changes, the one of the paper first; where no helper was measured, what is hidden without."""
    for progress, helper in _HELPERS.items():
        helped = one_for_each(data, [row for row in shown if row.params.get("progress") == progress])
        if found := each_mpi(data, helped, _to_alone):
            sentence = on_each(
                found,
                f"with {helper} an iteration takes {{}} as long as without",
                nothing=f"between an iteration with {helper} and one without",
            )
            return f"{sentence}; the helper has no CPU of its own here" if helped[0].profile == "shared" else sentence
    if any(row.profile == "shared" and row.params.get("progress") in _HELPERS for row in shown):
        return "A helper has no CPU of its own here, so an iteration with one is not compared with one without"
    return f"Iterations {told('ratio', str(HEADLINE_PARAMS['overlap']['ratio']))} as they exchange"


def _heading(row: ResultRow) -> str:
    ratio = row.params.get("ratio", 1)
    return f"computing {ratio if isinstance(ratio, str) else f'{ratio:g}'}x as long as the exchange"


def _bar(data: Data, row: ResultRow) -> Bar:
    """The computation dark, all of it pale, and between which marks it may lie."""
    computed = quotient(row, "compute", "exchange")
    planned = row.params.get("ratio", 1)
    share = computed.median if computed else float(planned) if not isinstance(planned, str) else None
    marks = [] if share is None else sorted((max(1.0, share), 1 + share))
    dark = None if share is None else min(share, row.median)
    helper = "" if way(row) == row.variant else f" {way(row)}"
    return Bar(series(row), f"{row.variant}{helper}", row.median, row.ci95, numbers.told(row), part=dark, marks=marks)


PAGE = Page(
    benchmarks=["overlap"],
    name="t6-overlap",
    heading="T6. Computation and communication",
    how_to_read=(
        "Time of an iteration that exchanges and computes, as a multiple of the exchange alone: further left is "
        "better. Dark: the computation alone; pale beyond it: what the exchange adds. The two marks are all of the "
        "exchange hidden (left) and none of it (right). Nobody helps unless said: + thread is a thread blocked in "
        "MPI_Recv, + probe one that calls MPI_Iprobe, + library the MPI's own progress thread, + proxy the proxies of "
        "endpoints, which else wait for the next command."
    ),
    finding=_finding,
    panels=[Bars("iteration", _heading, _bar, beside=["ratio"], from_zero=True)],
    columns=[
        column("overlap", "overlap", "fraction"),
        column("exchange", "exchange", "us"),
        column("computation", "compute", "us"),
        column("both", "total", "us"),
    ],
)
