# SPDX-License-Identifier: BSD-3-Clause
"""The figures of a report, in the order in which they are shown.

A benchmark of a suite has a `Page`, which is data; the folder of the suite lists its PAGES. What holds all benchmarks
against each other, or is of no such form, is a function that makes a figure.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from raddle.report.data import Data
from raddle.report.figures import (
    basic,
    distribution,
    endpoints,
    multiples,
    over_time,
    partitioned,
    sparse,
    states,
    thakur_gropp,
    tutorial,
)
from raddle.report.figures.model import Figure

PAGES = [*thakur_gropp.PAGES, *endpoints.PAGES, *partitioned.PAGES, *sparse.PAGES, tutorial.PAGE]
# Benchmarks with all their comparisons on a page of their own.
TOLD = frozenset(name for page in PAGES for name in page.benchmarks)

FIGURES: list[Callable[[Data], Figure | None]] = [
    partial(multiples.against_processes, without=TOLD),
    basic.rate,
    basic.rate_by_size,
    *(each.build for each in basic.BY_SIZE),
    *(page.build for page in PAGES),
    multiples.distance_to_physical,
    states.build,
    distribution.build,
    over_time.build,
]


def figures(data: Data) -> list[Figure]:
    """Every figure that this run has rows for."""
    return [figure for build in FIGURES if (figure := build(data)) is not None]
