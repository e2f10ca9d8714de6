# SPDX-License-Identifier: BSD-3-Clause
"""The order of launches: every block holds all of them once, shuffled, so that drift of the machine hits all alike."""

from __future__ import annotations

import random

from raddle.catalogue import catalogue
from raddle.model import Plan, Sampling
from raddle.plan.launches import Group


class Launch(Plan, frozen=True, kw_only=True):
    """One planned start: the plan that the program reads, and how to start it."""

    level: str
    processes: int  # of the application
    proxies: int = 0  # of each of them
    env: dict[str, str]
    topology: str = "node"

    @property
    def started(self) -> int:
        """Processes that the launcher starts: each of the application's is followed by its proxies."""
        return self.processes * (1 + self.proxies)

    @property
    def points(self) -> int:
        """How many rows it makes."""
        return sum(len(one.variants) for one in self.sets)

    @property
    def kind(self) -> str:
        """What it has in common with its twins in other blocks."""
        return self.launch.removeprefix(f"b{self.block}-")

    def plan(self) -> Plan:
        """The part that `raddle-bench` reads, which refuses keys that it does not know."""
        return Plan(**{name: getattr(self, name) for name in Plan.__struct_fields__})


def block(groups: list[Group], number: int, seed: int, sampling: Sampling, pin: str = "compact") -> list[Launch]:
    """The launches of block `number`, in an order that depends on nothing but `seed` and `number`.

    Sets are shuffled too: what was measured just before a point (caches, pages, connections) is part of its luck.
    """
    order = random.Random(f"{seed}/{number}")
    # Sorted first, so that a resumed run, which knows the groups from its plan.json only, goes on with the same order.
    groups = sorted(groups, key=lambda one: one.name)
    launches = [
        Launch(
            launch=f"b{number}-{one.name}",
            block=number,
            seed=order.getrandbits(48),  # fits a JSON number everywhere
            mpi=one.mpi,
            profile=one.profile,
            sets=order.sample(sorted(one.sets, key=str), len(one.sets)),
            sampling=catalogue().profiles[one.profile].sampling(sampling),
            # Proxies take the CPUs behind those of the threads.
            pin="compact" if one.proxies and pin == "spread" else pin,
            level=one.level,
            processes=one.processes,
            proxies=one.proxies,
            env=one.env,
            topology=one.topology,
        )
        for one in groups
    ]
    order.shuffle(launches)
    return launches
