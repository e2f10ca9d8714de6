# SPDX-License-Identifier: BSD-3-Clause
"""The evaluation of endpoints, in the order of the slides of 2014: a page for each benchmark of the suite."""

from __future__ import annotations

from collections.abc import Callable

from raddle.report.data import Data
from raddle.report.figures import dslash, ep_highlights, ep_overhead, ep_throughput, fft_exchange
from raddle.report.figures.model import Figure
from raddle.report.figures.suite import ENDPOINTS

_PAGES: dict[str, Callable[[Data, int], Figure | None]] = {
    "ep_overhead": ep_overhead.build,
    "ep_throughput": ep_throughput.build,
    "fft_exchange": fft_exchange.build,
    "dslash": dslash.build,
}


def builders() -> list[Callable[[Data], Figure | None]]:
    """What makes the page about all of it, and that of each benchmark; nothing where it was not measured."""
    return [ep_highlights.build, *(builder(name, number) for number, name in enumerate(ENDPOINTS, start=1))]


def builder(name: str, number: int) -> Callable[[Data], Figure | None]:
    """The same for one benchmark, the `number`th of the evaluation."""
    build = _PAGES[name]
    return lambda data: build(data, number)
