# SPDX-License-Identifier: BSD-3-Clause
"""The shapes of work that settings are found for, and which of them a point has."""

from __future__ import annotations

from raddle.catalogue import Benchmark
from raddle.model import Params

LATENCY, RATE, BANDWIDTH = "latency", "rate", "bandwidth"
# The work that stands for a shape in a search: a benchmark, and the size of its messages.
WORKS: dict[str, tuple[str, int]] = {
    LATENCY: ("latency", 8),
    RATE: ("msgrate", 8),
    BANDWIDTH: ("bandwidth", 1 << 20),
}
# From here on a message is bandwidth, whatever is asked of it: MPIs have left their eager protocols.
LARGE = 64 << 10


def shape_of(benchmark: Benchmark, params: Params) -> str:
    """Large messages are bandwidth, windows of small ones rate, and all else is latency."""
    size = params.get("bytes", 0)
    if not isinstance(size, str) and size >= LARGE:
        return BANDWIDTH
    return RATE if benchmark.metric in ("rate", "bandwidth") else LATENCY
