# SPDX-License-Identifier: BSD-3-Clause
"""What states of the machine bring in a run of one MPI under two names, from its `results.jsonl`.

    tools/state_gain.py docs/results/2026-11-25-state-aa-2core

How wide the intervals of single figures are over all blocks and within each state, and in how many cells (points that
both names have) the ratio of the two, which are the same, is shown to be another than 1.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from raddle.compare.points import compare
from raddle.compare.sides import Side
from raddle.judge.points import by_block
from raddle.model import NO_MPI, ResultRow
from raddle.results.machine_states import words
from raddle.results.rows import read_results, results_file
from raddle.stats.order import median, median_interval
from raddle.stats.ratio import paired_ratio


@dataclass(frozen=True)
class Width:
    """Of the interval of one figure, as a fraction of its median: over all blocks, and within one state; and whether
    the one over all blocks holds the median of the state."""

    state: str
    all_blocks: float
    within: float
    holds: bool


def widths(rows: Sequence[ResultRow]) -> list[Width]:
    """Of each point in each state in which it has an interval, on rows that were in several."""
    return [
        Width(
            each.state,
            _width(whole, median(row.blocks)),
            _width(each.ci95, each.median),
            whole[0] <= each.median <= whole[1],
        )
        for row in rows
        if row.median  # zero where no byte is moved
        and len([each for each in row.states if each.ci95]) > 1
        and (whole := median_interval(row.blocks)) is not None
        for each in row.states
        if each.ci95 is not None and each.median is not None
    ]


def _width(interval: tuple[float, float], middle: float) -> float:
    return (interval[1] - interval[0]) / middle


def shown(rows: Sequence[ResultRow]) -> Mapping[str, tuple[int, int, int]]:
    """By how blocks are paired: cells, those that have an interval, and those that show a difference."""
    a, b = sorted({row.mpi for row in rows} - {NO_MPI})
    place = Path()
    sides = (Side(place, [row for row in rows if row.mpi == name], None, name) for name in (a, b))
    points = compare(*sides).points
    found = {
        "all blocks": [paired_ratio(by_block(point.a), by_block(point.b)) for point in points],
        "blocks in one state": [point.ratio for point in points],
    }
    return {
        how: (
            len(ratios),
            sum(ratio is not None and ratio.interval is not None for ratio in ratios),
            sum(ratio is not None and ratio.shown for ratio in ratios),
        )
        for how, ratios in found.items()
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("directory", type=Path, help="a run of one MPI under two names")
    rows = read_results(results_file(parser.parse_args().directory))
    found = widths(rows)
    for each in rows[0].states:
        print(f"{words(each.state)}: {each.core_to_core_ns:.0f} ns from core to core, {each.share:.0%} of launches")
    for state in dict.fromkeys(each.state for each in found):
        own = [each for each in found if each.state == state]
        times = median([each.within / each.all_blocks for each in own])
        all_blocks, within = median([each.all_blocks for each in own]), median([each.within for each in own])
        print(
            f"{words(state)}: width of {len(own)} intervals, medians: {all_blocks:.0%} over all blocks, {within:.0%} "
            f"within the state, {times:.2f} times as wide; the one over all blocks leaves out the median of the state "
            f"in {sum(not each.holds for each in own)} cells"
        )
    for how, (cells, known, different) in shown(rows).items():
        print(f"{how}: {different} of {known} ratios ({cells} cells) show a difference")


if __name__ == "__main__":
    main()
