# SPDX-License-Identifier: BSD-3-Clause
"""The figures of a report, in the order in which they are shown.

A benchmark of a suite has a `Page`, which is data, among PAGES. What holds all benchmarks against each other, or is of
no such form, is a function among FIGURES.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from raddle.report.data import Data
from raddle.report.figures import (
    basic,
    distribution,
    dsde_algorithms,
    dsde_auto,
    dsde_census,
    dsde_endpoints,
    dslash,
    ep_highlights,
    ep_overhead,
    ep_throughput,
    fft_exchange,
    liveness,
    message_rate,
    multiples,
    over_time,
    overlap,
    partitioned_bandwidth,
    partitioned_ready,
    partitioned_tail,
    short_long,
    states,
    thakur_gropp,
    thread_overhead,
    tutorial,
)
from raddle.report.figures.model import Figure

_PAPER = [thread_overhead.PAGE, thakur_gropp.BANDWIDTH, thakur_gropp.LATENCY, message_rate.PAGE, short_long.PAGE,
          overlap.PAGE, thakur_gropp.COLLECTIVES, thakur_gropp.COMPUTING, thakur_gropp.WAITING]  # fmt: skip
_ENDPOINTS = [ep_overhead.PAGE, ep_throughput.PAGE, fft_exchange.PAGE, dslash.PAGE]
_PARTITIONED = [partitioned_bandwidth.PAGE, partitioned_tail.PAGE, partitioned_ready.PAGE]
_SPARSE = [dsde_census.PAGE, dsde_algorithms.PAGE, dsde_endpoints.PAGE]
PAGES = [*_PAPER, *_ENDPOINTS, *_PARTITIONED, *_SPARSE, tutorial.PAGE]
# Benchmarks with all their comparisons on a page of their own.
TOLD = frozenset([*(name for page in PAGES for name in page.benchmarks), "liveness"])

FIGURES: list[Callable[[Data], Figure | None]] = [
    partial(multiples.against_processes, without=TOLD),
    basic.rate,
    basic.rate_by_size,
    *(each.build for each in basic.BY_SIZE),
    *(page.build for page in _PAPER),
    liveness.build,
    ep_highlights.build,
    *(page.build for page in [*_ENDPOINTS, *_PARTITIONED]),
    dsde_census.PAGE.build,
    dsde_algorithms.PAGE.build,
    dsde_auto.build,
    dsde_endpoints.PAGE.build,
    tutorial.PAGE.build,
    multiples.distance_to_physical,
    states.build,
    distribution.build,
    over_time.build,
]


def figures(data: Data) -> list[Figure]:
    """Every figure that this run has rows for."""
    return [figure for build in FIGURES if (figure := build(data)) is not None]
