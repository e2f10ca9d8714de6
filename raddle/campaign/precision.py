# SPDX-License-Identifier: BSD-3-Clause
"""When enough blocks have been measured: every ratio that the verdict tells has an interval, and a narrow one."""

from __future__ import annotations

from pathlib import Path

from raddle.judge.verdict import Topic, verdict
from raddle.results.launch_log import read_launches
from raddle.results.merge import merge
from raddle.stats.ratio import Ratio


def count_narrow(journal: Path, half_width: float) -> tuple[int, int]:
    """How many of the ratios that a verdict on `launches.jsonl` tells are known to `half_width`, and how many it tells.

    Those of oversubscribed rows do not count: they are the scheduler's as much as the MPI's, and may never settle.
    """
    sentences = verdict(merge(read_launches(journal).launches))
    ratios = [one.ratio for one in sentences if one.topic is not Topic.NOTHING and not one.shared]
    return sum(is_narrow(ratio, half_width) for ratio in ratios), len(ratios)


def count_split(journal: Path) -> tuple[int, int]:
    """How many of these ratios have no interval since their blocks are of several states of the machine, of how many.

    None where there is one state: what lacks an interval then lacks it for a reason that more blocks do not mend.
    """
    log = read_launches(journal)
    if not log.states.several:
        return 0, 0
    ratios = [one.ratio for one in verdict(merge(log.launches)) if one.topic is not Topic.NOTHING and not one.shared]
    return sum(ratio is None or ratio.interval is None for ratio in ratios), len(ratios)


def is_narrow(ratio: Ratio | None, half_width: float) -> bool:
    """Whether the ratio is known to `half_width` of itself."""
    if ratio is None or ratio.interval is None:
        return False
    lo, hi = ratio.interval
    return hi - lo <= 2 * half_width * ratio.estimate
