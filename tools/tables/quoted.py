# SPDX-License-Identifier: BSD-3-Clause
"""The tables that pages quote, by the name of their mark, and the run that each is made of."""

from __future__ import annotations

from collections.abc import Callable

from tables import (
    chart,
    collectives,
    endpoints,
    partitioned,
    paths,
    profiles,
    programs,
    rma,
    scale,
    sparse,
    threads,
    tutorial,
)

TABLES: dict[str, Callable[[], list[str]]] = {
    "front": chart.sentence,
    "partitioned-bandwidth": partitioned.bandwidth,
    "partitioned-tail": partitioned.tail,
    "partitioned-ready": partitioned.ready,
    "partitioned-orders": partitioned.orders,
    "partitioned-inside": partitioned.inside,
    "sparse": sparse.ways,
    "collectives": collectives.over_all_ranks,
    "rma": rma.rma,
    "files": rma.files,
    "endpoints-short": endpoints.short,
    "endpoints-give": endpoints.gives,
    "endpoints-best-processes": endpoints.best_processes,
    "endpoints-bandwidth": endpoints.bandwidth,
    "endpoints-best-bandwidth": endpoints.best_bandwidth,
    "overhead": endpoints.overhead,
    "evaluation": endpoints.evaluation,
    "no-shm": endpoints.between_nodes,
    "oversubscribed": endpoints.oversubscribed,
    "thakur-gropp": threads.of_the_suite,
    "lanes": threads.lanes,
    "lanes-and-processes": threads.lanes_and_processes,
    "profile-cost": profiles.cost,
    "profile-prediction": profiles.prediction,
    "false-alarms": profiles.alarms,
    "tutorial": tutorial.story,
    "tutorial-plate": tutorial.plate,
    "path-counts": paths.counts,
    "scale": scale.costs,
    "programs": programs.tried,
    "programs-notes": programs.notes,
    "programs-refused": programs.refused,
}
