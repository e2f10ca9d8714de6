# SPDX-License-Identifier: BSD-3-Clause
"""Facts that exist only in tests: all well, and for each finding what has to be different for it to occur."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import msgspec

from raddle.doctor.catalogue import Finding
from raddle.doctor.judge_trials import FAILED
from raddle.inspection.facts import Behind, Facts, Job, Machine, Rank, Trial
from raddle.tuning.tuned import Choice

FOUR = [0, 1, 2, 3]
TRIALS = list(FAILED)


def rank(number: int, cpus: list[int], threads: list[list[int]] | None = None) -> Rank:
    """A process with two threads that may run where it may."""
    return Rank(rank=number, host="here", cpus=cpus, threads=threads or [cpus, cpus])


def facts(**changes: Any) -> Facts:
    """An MPI with which nothing is wrong, on a machine of four CPUs."""
    both = [rank(0, [0, 1]), rank(1, [2, 3])]
    usual: dict[str, Any] = {
        "name": "mpich",
        "title": "MPICH",
        "version": "5.0.2",
        "library": "MPICH Version: 5.0.2",
        "command": ["/opt/mpich/bin/mpiexec", "-n", "2"],
        "command_one": ["/opt/mpich/bin/mpiexec", "-n", "1"],
        "levels": {"single": "single", "funneled": "funneled", "serialized": "serialized", "multiple": "multiple"},
        "all": both,
        "bare": both,
        "one": [rank(0, FOUR)],
        "contexts": 2,
        "contexts_with": 2,
        "lane_settings": {"MPIR_CVAR_CH4_NUM_VCIS": "2"},
        "transport": "UCX netmod",
        "reach": "permitted",
        "yields": False,
        "cvars": {"MPIR_CVAR_CH4_NUM_VCIS": 1},
        "defaults": {"MPIR_CVAR_CH4_NUM_VCIS": 1},
        "trials": [Trial(name=name, outcome="right") for name in TRIALS],
    }
    return Facts(**{**usual, **changes})


def machine(**changes: Any) -> Machine:
    """Four CPUs, and nothing scarce."""
    usual = Machine(cpus=FOUR, shm_mib=8192, shm_free_mib=8000, ptrace_scope="0", root=False)
    return msgspec.structs.replace(usual, **changes)


def trial(name: str, outcome: str, detail: str = "seen") -> list[Trial]:
    """All trials went well, save this one."""
    return [Trial(name=one, outcome=outcome if one == name else "right", detail=detail) for one in TRIALS]


@dataclass(frozen=True)
class Case:
    """What differs from a machine and an MPI with which all is well."""

    facts: dict[str, Any] = field(default_factory=dict)
    machine: dict[str, Any] = field(default_factory=dict)
    job: Job = field(default_factory=lambda: Job(processes=2, threads=2))


LATENCY_BEHIND = Behind(
    shape="latency", times=4.0, interval=(3.8, 4.2), best="Open MPI 4.1.4 (Debian)", own="0.88 us", its="0.22 us"
)
RATE_TUNED = Choice(
    name="another transport",
    settings={"MPIR_CVAR_NOLOCAL": "1"},
    loses="neighbours",
    gain=4.2,
    interval=(4.0, 4.4),
    blocks=8,
    unit="msg/s",
    without=1.6e6,
    with_it=6.9e6,
)

_ALL_ON_ZERO = [rank(0, [0]), rank(1, [0])]
# For each finding the least that makes it occur.
CASES: dict[Finding, Case] = {
    Finding.DOES_NOT_START: Case({"problem": "not enough slots"}),
    Finding.ROOT_REFUSED: Case({"problem": "as root", "root_refused": True, "needs": {"ALLOW": "1"}}),
    Finding.LEVEL_LOWER: Case({"levels": {"multiple": "serialized"}}),
    Finding.LEVEL_RAISED: Case({"levels": {"single": "multiple"}}),
    Finding.LEVELS_AS_ASKED: Case(),
    Finding.TOOL_KEEPS_LEVEL: Case(),
    Finding.ANY_SOURCE_FINDS: Case(),
    Finding.FEW_CONTEXTS: Case({"contexts": 1}),
    Finding.CONTEXTS_REFUSED: Case({"contexts": 1, "contexts_with": 1}),
    Finding.CONTEXTS_ENOUGH: Case(),
    Finding.CONTEXTS_UNTOLD: Case({"contexts": None}),
    Finding.FAR_FROM_BEST: Case({"behind": [LATENCY_BEHIND], "tuned": {"rate": RATE_TUNED}}),
    Finding.BOUND_BELOW_SHARE: Case({"one": [rank(0, [0])]}),
    Finding.RANKS_SHARE_CPU: Case({"bare": _ALL_ON_ZERO, "all": _ALL_ON_ZERO}),
    Finding.THREADS_SHARE_CPU: Case({"all": [rank(0, [0], [[0], [0]]), rank(1, [2, 3])]}),
    Finding.BOUND_FAIRLY: Case(),
    Finding.SPINS: Case(machine={"cpus": [0, 1]}),
    Finding.OVERSUBSCRIBED: Case({"yields": True}, {"cpus": [0, 1]}),
    Finding.YIELDS_IDLY: Case({"yields": True, "environment": {"MPIR_CVAR_CH4_PROGRESS_THROTTLE": "1"}}),
    Finding.CPUS_ENOUGH: Case(),
    Finding.SETTINGS_CHANGED: Case(
        {"cvars": {"MPIR_CVAR_CH4_NUM_VCIS": 4}, "environment": {"MPIR_CVAR_CH4_NUM_VCIS": "4"}}
    ),
    Finding.SETTINGS_UNKNOWN: Case({"unknown_settings": ["MPIR_CVAR_CH4_NUM_VCI"]}),
    Finding.SETTINGS_DEFAULT: Case(),
    Finding.TRANSPORT: Case(),
    Finding.TRANSPORT_UNTOLD: Case({"transport": ""}),
    Finding.NO_NETWORK: Case({"no_network": "libfabric.so.1"}),
    Finding.REACH_FORBIDDEN: Case({"reach": "Operation not permitted"}, {"ptrace_scope": "1"}),
    Finding.REACH_PERMITTED: Case(),
    Finding.SHM_SMALL: Case(machine={"shm_free_mib": 63, "shm_mib": 64}),
    Finding.SHM_ENOUGH: Case(machine={"shm_free_mib": 64, "shm_mib": 64}),
    Finding.SPAWN_WORKS: Case(),
    Finding.PARTITIONED_ABSENT: Case({"trials": trial("partitioned-test", "absent")}),
    Finding.PARTITIONED_RIGHT: Case(),
    Finding.NOT_TRIED: Case({"trials": trial("spawn", "not-run", "no slots")}),
    **{finding: Case({"trials": trial(name, "wrong")}) for name, finding in FAILED.items()},
}
