# SPDX-License-Identifier: BSD-3-Clause
"""How many CPUs a launch wants at once, which says which ones it takes."""

from __future__ import annotations

from raddle.catalogue import catalogue
from raddle.plan.schedule import Launch
from raddle.plan.teams import team_of


def contexts_of(launch: Launch) -> int:
    """Threads and processes that communicate at the same time, at most over what the launch measures."""
    known = catalogue()
    return max(
        sum(team_of(known.benchmarks[each.benchmark], known.variants[variant], each.placement, each.params).contexts)
        for each in launch.sets
        for variant in each.variants
    )
