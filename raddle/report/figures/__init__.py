# SPDX-License-Identifier: BSD-3-Clause
"""The figures of a report, in the order in which they are shown. A new kind is a new file and a name in this list."""

from __future__ import annotations

from collections.abc import Callable

from raddle.report.data import Data
from raddle.report.figures import (
    bandwidth,
    blocking_receive,
    collective_compute,
    concurrent_bandwidth,
    concurrent_collectives,
    concurrent_latency,
    distribution,
    dsde,
    endpoints,
    latency,
    limit,
    liveness,
    message_rate,
    one_collective,
    over_time,
    overlap,
    partitioned,
    rate,
    rate_by_size,
    ratios,
    short_long,
    states,
    thread_overhead,
    tutorial,
)
from raddle.report.figures.model import Figure

KINDS: list[Callable[[Data], Figure | None]] = [
    ratios.build,
    rate.build,
    rate_by_size.build,
    latency.build,
    bandwidth.build,
    *one_collective.builders(),
    thread_overhead.build,
    concurrent_bandwidth.build,
    concurrent_latency.build,
    message_rate.build,
    short_long.build,
    overlap.build,
    concurrent_collectives.build,
    collective_compute.build,
    blocking_receive.build,
    liveness.build,
    *endpoints.builders(),
    *partitioned.builders(),
    *dsde.builders(),
    tutorial.build,
    limit.build,
    states.build,
    distribution.build,
    over_time.build,
]


def figures(data: Data) -> list[Figure]:
    """Every figure that this run has rows for."""
    return [figure for kind in KINDS if (figure := kind(data)) is not None]
