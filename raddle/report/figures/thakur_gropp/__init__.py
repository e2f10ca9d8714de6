# SPDX-License-Identifier: BSD-3-Clause
"""The suite of Thakur and Gropp, in the order of their paper."""

from __future__ import annotations

from raddle.report.figures.page import Made, Page
from raddle.report.figures.thakur_gropp import (
    computing,
    concurrent,
    liveness,
    message_rate,
    overlap,
    short_long,
    thread_overhead,
)

PAGES: list[Page | Made] = [
    thread_overhead.PAGE, concurrent.BANDWIDTH, concurrent.LATENCY, message_rate.PAGE, short_long.PAGE, overlap.PAGE,
    concurrent.COLLECTIVES, computing.COLLECTIVE, computing.RECEIVE, Made(["liveness"], liveness.build),
]  # fmt: skip
