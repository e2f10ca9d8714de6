# SPDX-License-Identifier: BSD-3-Clause
"""Partitioned communication, in the order of its suite."""

from __future__ import annotations

from raddle.report.figures.partitioned import bandwidth, ready, tail

PAGES = [bandwidth.PAGE, tail.PAGE, ready.PAGE]
