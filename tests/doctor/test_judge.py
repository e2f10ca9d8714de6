# SPDX-License-Identifier: BSD-3-Clause
"""What follows from which facts, where the catalogue's cases do not say it."""

from __future__ import annotations

from typing import Any

import pytest

from raddle.doctor.catalogue import Finding
from raddle.doctor.diagnosis import Diagnosis, wrong
from raddle.doctor.judge import judge
from raddle.doctor.judge_binding import table_of_ranks
from raddle.inspection.facts import Job, Rank, Trial
from raddle.mpi.family import family
from tests.doctor import cases

BIG = list(range(64))


def found(name: str = "mpich", job: Job | None = None, cpus: list[int] | None = None, **facts: Any) -> list[Diagnosis]:
    """What is found about an MPI of that family."""
    here = cases.machine(cpus=cpus or cases.FOUR)
    return judge(cases.facts(**facts), job or Job(processes=2, threads=2), here, family(name))


def names(diagnoses: list[Diagnosis]) -> set[Finding]:
    return {one.finding for one in diagnoses}


def one(diagnoses: list[Diagnosis], finding: Finding) -> Diagnosis:
    return next(each for each in diagnoses if each.finding is finding)


def bound(*cpus: list[int]) -> dict[str, Any]:
    """Ranks bound so, with and without OpenMP's own binding."""
    ranks = [cases.rank(number, each) for number, each in enumerate(cpus)]
    return {"all": ranks, "bare": ranks}


class TestBinding:
    def test_two_ranks_on_a_core_each_of_64(self) -> None:
        """What Open MPI does by default."""
        told = one(found("openmpi", cpus=BIG, one=[cases.rank(0, [0])], **bound([0], [1])), Finding.BOUND_BELOW_SHARE)
        assert told.seen == "'mpiexec -n 2' leaves a process CPU 0; its share of this machine's is 32 CPUs."
        assert told.do == "mpiexec --bind-to none, or export PRTE_MCA_hwloc_default_binding_policy=none"
        assert told.settings == {"PRTE_MCA_hwloc_default_binding_policy": "none"}

    def test_one_core_each_is_fair_where_there_are_two(self) -> None:
        assert Finding.BOUND_FAIRLY in names(found(cpus=[0, 1], one=[cases.rank(0, [0, 1])], **bound([0], [1])))

    def test_a_core_is_enough_for_one_thread(self) -> None:
        job = Job(processes=2, threads=1)
        assert Finding.BOUND_FAIRLY in names(found(job=job, cpus=BIG, one=[cases.rank(0, [0])], **bound([0], [1])))

    def test_ranks_on_other_nodes_are_no_neighbours(self) -> None:
        ranks = [Rank(rank=number, host=f"node{number}", cpus=[0, 1], threads=[[0, 1]] * 2) for number in range(2)]
        assert Finding.BOUND_BELOW_SHARE not in names(
            found(cpus=[0, 1], one=[cases.rank(0, [0, 1])], all=ranks, bare=ranks)
        )

    def test_threads_bound_apart_by_openmp_are_well(self) -> None:
        spread = [cases.rank(0, [0], [[0], [1]]), cases.rank(1, [2], [[2], [3]])]
        assert Finding.BOUND_FAIRLY in names(found(all=spread))

    def test_nothing_is_said_where_nothing_was_seen(self) -> None:
        assert not {
            Finding.BOUND_FAIRLY,
            Finding.BOUND_BELOW_SHARE,
            Finding.RANKS_SHARE_CPU,
            Finding.THREADS_SHARE_CPU,
        } & names(found(all=[], bare=[], one=[]))


def test_threads_are_told_apart_where_they_are_bound_apart() -> None:
    ranks = [cases.rank(0, [0, 1], [[0], [1]]), cases.rank(1, [2, 3])]
    assert table_of_ranks(ranks) == "rank 0: 0-1 (threads 0, 1); rank 1: 2-3"


class TestContexts:
    def test_advice_names_what_the_family_needs(self) -> None:
        settings = family("intel").variant_env("lane", 2, 2)
        told = one(found("intel", contexts=1, lane_settings=settings), Finding.FEW_CONTEXTS)
        assert "export I_MPI_THREAD_SPLIT=1 I_MPI_THREAD_RUNTIME=generic I_MPI_THREAD_MAX=2 " in told.do
        assert told.seen == "The library opened one communication context for 2 threads a process."

    def test_settings_that_are_made_and_did_not_help_are_not_advised_again(self) -> None:
        here = found(contexts=1, environment={"MPIR_CVAR_CH4_NUM_VCIS": "2"})
        assert Finding.FEW_CONTEXTS not in names(here)
        assert Finding.CONTEXTS_REFUSED in names(here)

    def test_one_thread_needs_one(self) -> None:
        assert Finding.CONTEXTS_ENOUGH in names(found(job=Job(processes=2, threads=1), contexts=1))


class TestCpus:
    @pytest.mark.parametrize(
        ("name", "setting"),
        [
            ("mpich", "MPIR_CVAR_CH4_PROGRESS_THROTTLE=true"),
            ("openmpi", "OMPI_MCA_mpi_yield_when_idle=true"),
            ("intel", "I_MPI_THREAD_YIELD=2"),
        ],
    )
    def test_spinning_is_mended_by_the_familys_own_setting(self, name: str, setting: str) -> None:
        assert setting in one(found(name, job=Job(processes=2, threads=3)), Finding.SPINS).do

    def test_an_unknown_mpi_is_not_said_to_spin(self) -> None:
        here = names(found("other", job=Job(processes=4, threads=4), yields=None))
        assert Finding.OVERSUBSCRIBED in here
        assert Finding.SPINS not in here

    def test_yielding_that_nobody_asked_for_is_left_alone(self) -> None:
        """Open MPI decides so by itself where it counts more processes than slots."""
        assert Finding.CPUS_ENOUGH in names(found(yields=True))


class TestStart:
    def test_nothing_starts(self) -> None:
        """No fact was found out, so nothing is said to be fine."""
        nothing: dict[str, Any] = {
            "problem": "no slots", "levels": {}, "all": [], "bare": [], "one": [], "cvars": {}, "defaults": {},
            "trials": [], "reach": "", "transport": "", "contexts": None,
        }  # fmt: skip
        assert names(found(**nothing)) == {Finding.DOES_NOT_START, Finding.SHM_ENOUGH}

    def test_what_helps_is_advised(self) -> None:
        told = one(found(problem="refused", needs={"A": "1", "B": "2"}), Finding.DOES_NOT_START)
        assert told.do == "export A=1 B=2"
        assert told.seen == "'mpiexec -n 2' does not start a program: refused."


def test_a_crash_where_partitions_were_to_arrive_is_no_advice() -> None:
    here = names(found(trials=[Trial(name="partitioned-in-parts", outcome="crash", detail="bus error")]))
    assert Finding.PARTITIONED_FAILS in here
    assert Finding.PARTITIONED_LATE not in here


@pytest.mark.parametrize(
    ("outcome", "words"), [("wrong", "seen"), ("hang", "it hung (seen)"), ("crash", "it crashed (seen)")]
)
def test_what_a_trial_showed_is_told(outcome: str, words: str) -> None:
    told = one(found(trials=cases.trial("spawn", outcome)), Finding.SPAWN_FAILS)
    assert told.seen == f"MPI_Comm_spawn of one process: {words}."


def test_what_is_accepted_does_not_count() -> None:
    here = found(trials=cases.trial("spawn", "crash"), levels={"multiple": "single"})
    assert {one.finding for one in wrong(here)} == {Finding.SPAWN_FAILS, Finding.LEVEL_LOWER}
    assert {one.finding for one in wrong(here, ["spawn-fails", "few-contexts"])} == {Finding.LEVEL_LOWER}
