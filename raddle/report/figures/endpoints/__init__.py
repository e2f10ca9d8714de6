# SPDX-License-Identifier: BSD-3-Clause
"""The evaluation of endpoints, in the order of the slides of 2014."""

from __future__ import annotations

from raddle.report.figures.endpoints import dslash, fft_exchange, highlights, overhead, throughput
from raddle.report.figures.page import Made, Page

_OWN = [overhead.PAGE, throughput.PAGE, fft_exchange.PAGE, dslash.PAGE]
PAGES: list[Page | Made] = [Made([name for page in _OWN for name in page.benchmarks], highlights.build), *_OWN]
