# SPDX-License-Identifier: BSD-3-Clause
"""The same thing under two names on a machine that moves its CPUs, simulated: what states must bring, and must not."""

from __future__ import annotations

from collections.abc import Iterator
from statistics import median

import numpy as np

from raddle.judge.points import ratio
from raddle.model import ResultRow
from raddle.results.launch_log import parse_launches
from raddle.results.merge import merge
from raddle.stats.order import median_interval
from tests.stats.builders import launch_lines, row_line

RUNS, BLOCKS, POINTS = 60, 20, 4
MOVES = 0.04  # the chance of it during a launch: every half minute, of launches that take a second
NS, US = (45.0, 200.0), (0.13, 0.40)  # as measured: from core to core, and what a message takes
NOISE = 0.04
LATENCY = {"benchmark": "latency", "metric": "latency", "unit": "us", "better": "lower"}


def run(random: np.random.Generator) -> dict[str, ResultRow]:
    """Rows by variant, each its own launch in every block, all equal."""
    lines: list[str] = []
    state = int(random.integers(2))
    for block in range(BLOCKS):
        for variant in random.permutation(POINTS):
            before, state = state, state ^ int(random.random() < MOVES)
            # A launch that saw a change measured some of both.
            us = US[before] if before == state else random.uniform(*US)
            name = f"b{block}-{variant}"
            value = us * float(np.exp(random.normal(0, NOISE)))
            found = tuple(NS[each] * float(np.exp(random.normal(0, 0.03))) for each in (before, state))
            record = row_line(name, block, [value], **LATENCY, variant=f"v{variant}")
            lines += launch_lines(name, [record], probe=found)
    return {row.variant: row for row in merge(parse_launches(lines).launches)}


def runs() -> Iterator[dict[str, ResultRow]]:
    random = np.random.default_rng(20261125)
    for _ in range(RUNS):
        yield run(random)


def width(interval: tuple[float, float] | None, middle: float) -> float:
    assert interval is not None
    return (interval[1] - interval[0]) / middle


def test_intervals_are_narrower_by_half_and_no_difference_is_made_up() -> None:
    narrower, shown, cells = [], 0, 0
    for rows in runs():
        for row in rows.values():
            times = [row.block_states.count(name) for name in ("near", "far")]
            if min(times) >= BLOCKS // 4 and row.ci95 is not None:
                all_blocks = median_interval(row.blocks)
                narrower.append(width(row.ci95, row.median) / width(all_blocks, median(row.blocks)))
        for one, other in (("v0", "v1"), ("v2", "v3")):
            found = ratio(rows[one], rows[other])
            assert found is not None
            cells += 1
            shown += found.shown
    assert len(narrower) > 50  # else the machine hardly moved
    assert median(narrower) < 0.5
    assert cells == 2 * RUNS
    assert shown <= 0.05 * cells


def test_each_state_keeps_its_own_value() -> None:
    for rows in runs():
        for row in rows.values():
            for each in row.states:
                if row.block_states and each.blocks >= 4:
                    assert each.median is not None
                    assert abs(each.median / US[each.state == "far"] - 1) < 0.1, each
