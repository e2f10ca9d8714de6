# SPDX-License-Identifier: BSD-3-Clause
"""The evaluation of endpoints, in the order of the slides of 2014: a page for each benchmark of the suite."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from raddle.report.data import Data
from raddle.report.figures import ep_highlights, ep_overhead, ep_throughput
from raddle.report.figures.by_flows import flow_panels
from raddle.report.figures.by_size import legend, size_panels
from raddle.report.figures.ep_shares import shares_front
from raddle.report.figures.findings import clean_and_shared
from raddle.report.figures.model import Figure
from raddle.report.figures.suite import ENDPOINTS, measured, physical, suite_table
from raddle.report.rows import size

# A benchmark with a page of its own kind; all others have one that fits any.
_OWN: dict[str, Callable[[Data, int], Figure | None]] = {
    "ep_overhead": ep_overhead.build,
    "ep_throughput": ep_throughput.build,
}
_TITLES = {"fft_exchange": "FFT exchange", "dslash": "Wilson Dslash"}


def builders() -> list[Callable[[Data], Figure | None]]:
    """What makes the page about all of it, and that of each benchmark; nothing where it was not measured."""
    return [ep_highlights.build, *(builder(name, number) for number, name in enumerate(ENDPOINTS, start=1))]


def builder(name: str, number: int) -> Callable[[Data], Figure | None]:
    """The same for one benchmark, the `number`th of the evaluation."""
    build = _OWN.get(name) or partial(_build, name)
    return lambda data: build(data, number)


def _build(name: str, data: Data, number: int) -> Figure | None:
    rows = measured(data, name)
    if not rows:
        return None
    shown, limits = data.headline(name), physical(data, name)
    several = len({size(row) for row in rows}) > 1
    what = rows[0].metric
    return Figure(
        name=f"e{number}-{name.replace('_', '-')}",
        heading=f"E{number}. {_TITLES.get(name, name)}",
        short=f"E{number}",
        finding=clean_and_shared(data, shown, what),
        how_to_read=(
            f"{'Higher' if rows[0].better == 'higher' else 'Lower'} is better. Marker: median of the blocks; line or "
            "band: its 95 % interval, hollow where n is too small for one. The table tells the speed as a share of "
            "that of processes that do the same work, paired block by block: above 100 % is faster."
        ),
        panels=size_panels(data, rows, limits, what) if several else flow_panels(data, shown, what),
        table=suite_table(data, rows),
        benchmarks=[name],
        legend=legend([*rows, *limits]),
        fronts=shares_front(data, shown),
    )
