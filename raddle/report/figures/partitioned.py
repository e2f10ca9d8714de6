# SPDX-License-Identifier: BSD-3-Clause
"""Partitioned communication: a page for each benchmark of the suite, in its order."""

from __future__ import annotations

from collections.abc import Callable

from raddle.report.data import Data
from raddle.report.figures import partitioned_bandwidth, partitioned_ready, partitioned_tail
from raddle.report.figures.model import Figure
from raddle.report.figures.suite import PARTITIONED

_PAGES: dict[str, Callable[[Data, int], Figure | None]] = {
    "partitioned_bandwidth": partitioned_bandwidth.build,
    "partitioned_tail": partitioned_tail.build,
    "partitioned_ready": partitioned_ready.build,
}


def builders() -> list[Callable[[Data], Figure | None]]:
    """What makes the page of each benchmark; nothing where it was not measured."""
    return [builder(name, number) for number, name in enumerate(PARTITIONED, start=1)]


def builder(name: str, number: int) -> Callable[[Data], Figure | None]:
    """The same for one benchmark, the `number`th of the suite."""
    build = _PAGES[name]
    return lambda data: build(data, number)
