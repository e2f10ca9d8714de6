# SPDX-License-Identifier: BSD-3-Clause
"""From facts to findings. Nothing is asked here: the same facts always give the same findings."""

from __future__ import annotations

from collections.abc import Iterator

from raddle.doctor.catalogue import Finding
from raddle.doctor.diagnosis import Diagnosis, as_words, shown
from raddle.doctor.judge_binding import binding
from raddle.doctor.judge_rivals import rivals
from raddle.doctor.judge_trials import trials
from raddle.inspection.facts import Facts, Job, Machine
from raddle.model import LEVELS
from raddle.mpi.family import Family
from raddle.wording import count

# Open MPI reserves 16 MiB a process at its start, MPICH 5; large messages take more.
_SHM_MIB_A_PROCESS = 32


def judge(facts: Facts, job: Job, machine: Machine, family: Family) -> list[Diagnosis]:
    """Everything to be said about one MPI, in the order of the catalogue."""
    parts = (
        _start(facts),
        _levels(facts),
        _contexts(facts, job),
        binding(facts, job, machine, family),
        _cpus(facts, job, machine, family),
        _settings(facts),
        _ways(facts, machine),
        _shm(job, machine),
        rivals(facts),
        trials(facts),
    )
    order = list(Finding)
    found = [diagnosis for part in parts for diagnosis in part]
    return sorted(found, key=lambda diagnosis: order.index(diagnosis.finding))


def _start(facts: Facts) -> Iterator[Diagnosis]:
    if not facts.problem:
        return
    values = {"command": shown(facts.command), "problem": facts.problem}
    if facts.root_refused:
        yield Diagnosis(Finding.ROOT_REFUSED, values, facts.needs)
    elif facts.needs:
        yield Diagnosis(Finding.DOES_NOT_START, {**values, "fix": f"export {as_words(facts.needs)}"}, facts.needs)
    else:
        yield Diagnosis(Finding.DOES_NOT_START, {**values, "fix": "Read what it says when it is started by hand."})


def _levels(facts: Facts) -> Iterator[Diagnosis]:
    as_asked = True
    for asked, provided in facts.levels.items():
        if provided == asked or provided not in LEVELS:
            continue
        as_asked = False
        lower = LEVELS.index(provided) < LEVELS.index(asked)
        finding = Finding.LEVEL_LOWER if lower else Finding.LEVEL_RAISED
        yield Diagnosis(finding, {"asked": asked, "provided": provided})
    if facts.levels and as_asked:
        yield Diagnosis(Finding.LEVELS_AS_ASKED, {"levels": ", ".join(facts.levels)})


def _contexts(facts: Facts, job: Job) -> Iterator[Diagnosis]:
    if not facts.levels:
        return
    if facts.contexts is None:
        yield Diagnosis(Finding.CONTEXTS_UNTOLD, {"name": facts.name})
        return
    threads = str(job.threads)
    values = {"threads": threads, "contexts": count(facts.contexts, "communication context")}
    if facts.contexts >= job.threads:
        yield Diagnosis(Finding.CONTEXTS_ENOUGH, values)
        return
    if facts.lane_settings and facts.lane_settings.items() <= facts.environment.items():
        opened = values["contexts"]
    elif facts.contexts_with is not None and facts.contexts_with < job.threads:
        opened = count(facts.contexts_with, "communication context")
    else:
        yield Diagnosis(Finding.FEW_CONTEXTS, values, facts.lane_settings)
        return
    yield Diagnosis(Finding.CONTEXTS_REFUSED, {"threads": threads, "contexts": opened}, facts.lane_settings)


def _cpus(facts: Facts, job: Job, machine: Machine, family: Family) -> Iterator[Diagnosis]:
    if not facts.levels:
        return
    told = {True: "yields while it waits", False: "does not yield", None: "does not tell whether it yields"}
    values = {
        "busy": str(job.contexts),
        "processes": str(job.processes),
        "threads": str(job.threads),
        "cpus": count(len(machine.cpus), "CPU"),
        "yields": told[facts.yields],
    }
    yielding = family.profile_env("shared")
    variables = " ".join(name for name in yielding if name in facts.environment)
    if job.contexts > len(machine.cpus):
        spins = facts.yields is False and bool(yielding)
        yield Diagnosis(Finding.SPINS if spins else Finding.OVERSUBSCRIBED, values, yielding if spins else {})
    elif facts.yields and variables:
        yield Diagnosis(Finding.YIELDS_IDLY, {**values, "variables": variables})
    else:
        yield Diagnosis(Finding.CPUS_ENOUGH, values)


def _settings(facts: Facts) -> Iterator[Diagnosis]:
    changes = [f"{name}={now} (default {default})" for name, (now, default) in facts.changed.items()]
    if facts.unknown_settings:
        yield Diagnosis(Finding.SETTINGS_UNKNOWN, {"variables": " ".join(facts.unknown_settings)})
    if changes:
        variables = " ".join(facts.environment)
        yield Diagnosis(Finding.SETTINGS_CHANGED, {"changes": ", ".join(changes), "variables": variables})
    elif facts.defaults:
        yield Diagnosis(Finding.SETTINGS_DEFAULT)


def _ways(facts: Facts, machine: Machine) -> Iterator[Diagnosis]:
    if not facts.levels:
        return
    if facts.transport:
        yield Diagnosis(Finding.TRANSPORT, {"transport": facts.transport})
    else:
        yield Diagnosis(Finding.TRANSPORT_UNTOLD)
    if facts.no_network:
        yield Diagnosis(Finding.NO_NETWORK, {"library": facts.no_network})
    if facts.reach == "permitted":
        yield Diagnosis(Finding.REACH_PERMITTED)
    elif facts.reach:
        values = {"why": facts.reach, "scope": machine.ptrace_scope or "not there"}
        yield Diagnosis(Finding.REACH_FORBIDDEN, values)


def _shm(job: Job, machine: Machine) -> Iterator[Diagnosis]:
    needed = job.processes * _SHM_MIB_A_PROCESS
    values = {
        "free": str(max(machine.shm_free_mib, 0)),
        "whole": str(max(machine.shm_mib, 0)),
        "processes": str(job.processes),
        "needed": str(needed),
    }
    yield Diagnosis(Finding.SHM_SMALL if machine.shm_free_mib < needed else Finding.SHM_ENOUGH, values)
