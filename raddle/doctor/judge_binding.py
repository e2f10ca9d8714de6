# SPDX-License-Identifier: BSD-3-Clause
"""Whether processes and their threads got the CPUs they need: by the launcher, and by the OpenMP runtime."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from raddle.doctor.catalogue import Finding
from raddle.doctor.diagnosis import Diagnosis, shown
from raddle.inspection.facts import Facts, Job, Machine, Rank
from raddle.mpi.family import Family
from raddle.wording import count, cpu_ranges


def binding(facts: Facts, job: Job, machine: Machine, family: Family) -> Iterator[Diagnosis]:
    """At most one finding about the launcher and one about OpenMP, or the one that says all is fair."""
    if not facts.one or not facts.bare:
        return
    found = [*_launcher(facts, job, machine, family), *_threads(facts)]
    yield from found or [Diagnosis(Finding.BOUND_FAIRLY, {"cpus": table_of_ranks(facts.all)})]


def _launcher(facts: Facts, job: Job, machine: Machine, family: Family) -> Iterator[Diagnosis]:
    """By the launches without OpenMP's own binding, of one process and of as many as the job has."""
    mend = {"option": family.doctor.unbind_option}
    here = _on_one_host(facts.bare)
    together = _union(rank.cpus for rank in here)
    if len(together) < min(len(here), len(machine.cpus)):
        values = {
            **mend,
            "command": shown(facts.command),
            "ranks": str(len(here)),
            "bound": _cpus(together),
            "cpus": count(len(machine.cpus), "CPU"),
        }
        yield Diagnosis(Finding.RANKS_SHARE_CPU, values, family.doctor.unbind)
        return
    for command, ranks in ((facts.command, here), (facts.command_one, facts.one)):
        share = max(1, len(machine.cpus) // len(ranks))
        least = min((rank.cpus for rank in ranks), key=len)
        if len(least) < min(share, job.threads):
            values = {
                **mend,
                "command": shown(command),
                "bound": _cpus(least),
                "share": count(share, "CPU"),
            }
            yield Diagnosis(Finding.BOUND_BELOW_SHARE, values, family.doctor.unbind)
            return


def _threads(facts: Facts) -> Iterator[Diagnosis]:
    """Threads of a process crowd together within what the launcher left it."""
    left = {rank.rank: rank.cpus for rank in facts.bare}
    for rank in facts.all:
        used = _union(rank.threads)
        may = left.get(rank.rank, [])
        if len(used) < min(len(rank.threads), len(may)):
            values = {
                "threads": str(len(rank.threads)),
                "bound": _cpus(used),
                "cpus": _cpus(may),
            }
            yield Diagnosis(Finding.THREADS_SHARE_CPU, values)
            return


def _on_one_host(ranks: Sequence[Rank]) -> list[Rank]:
    return [rank for rank in ranks if rank.host == ranks[0].host]


def _union(sets: Iterable[list[int]]) -> list[int]:
    return sorted({cpu for cpus in sets for cpu in cpus})


def _cpus(cpus: Sequence[int]) -> str:
    """`CPU 0`, `CPUs 0-3,8`."""
    return f"CPU{'' if len(cpus) == 1 else 's'} {cpu_ranges(cpus)}"


def table_of_ranks(ranks: Sequence[Rank]) -> str:
    """`rank 0: 0-1 (threads 0, 1)`: each rank, and its threads where they may run on less than it."""
    return "; ".join(f"rank {rank.rank}: {cpu_ranges(rank.cpus)}{_own(rank)}" for rank in ranks)


def _own(rank: Rank) -> str:
    if all(cpus == rank.cpus for cpus in rank.threads):
        return ""
    return f" (threads {', '.join(map(cpu_ranges, rank.threads))})"
