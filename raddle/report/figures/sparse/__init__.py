# SPDX-License-Identifier: BSD-3-Clause
"""Dynamic sparse data exchange, in the order of its suite."""

from __future__ import annotations

from raddle.report.figures.page import Made, Page
from raddle.report.figures.sparse import algorithms, census, choice, endpoints

PAGES: list[Page | Made] = [
    census.PAGE,
    algorithms.PAGE,
    Made(algorithms.PAGE.benchmarks, choice.build),
    endpoints.PAGE,
]
