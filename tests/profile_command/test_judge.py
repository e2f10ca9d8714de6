# SPDX-License-Identifier: BSD-3-Clause
"""Each sentence and each remedy of the catalogue is found where its cause was planted, and not in its quiet twin."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import msgspec
import pytest

from raddle.mpi.family import family
from raddle.profile.catalogue import Finding, Group, Remedy
from raddle.profile.facts import Facts
from raddle.profile.judge import MOST, verdict
from raddle.profile.offers import offers
from tests.profile_command.planted import Plant


def contended(communicator: Callable[[int], int] = lambda _: 0) -> Plant:
    plant = Plant(threads=2)
    for thread in range(2):
        plant.call("MPI_Isend", 4.0, lock=2.0, threads=[thread], communicator=communicator(thread))
        for process in range(2):
            plant.held(thread, 1 - thread, 2.0, process=process)
    return plant.inside(4.0, 4.0, 2.0).inside(4.0, 4.0, 2.0, process=1)


def receiving() -> Plant:
    """Two threads that are inside together all the time, and wait for locks seldom."""
    plant = Plant(threads=2).call("MPI_Recv", 8.0, lock=0.4)
    return plant.inside(1.0, 1.0, 8.0).inside(1.0, 1.0, 8.0, process=1)


def quiet() -> Plant:
    """Two threads that are seldom inside together, and wait for nothing."""
    return Plant().call("MPI_Isend", 0.4).inside(9.3, 0.69, 0.01).inside(9.3, 0.69, 0.01, process=1)


def busy_on(cpus: int, host: int, *, cpu: float, preempted: int = 500) -> tuple[Plant, int]:
    plant = Plant(processes=1, threads=4, cpus=cpus).call("MPI_Recv", 2.0)
    plant.process = {"cpu": cpu}
    plant.thread = {"cpu": cpu / 4, "preempted": preempted}
    return plant, host


def asleep_inside() -> Plant:
    """More threads than CPUs, which take no CPU time while they are inside the MPI."""
    plant, _ = busy_on(2, 2, cpu=19.0)
    plant.thread = {**plant.thread, "cpu_mpi": 0.0}
    return plant


def sent(*numbers: int, peers: tuple[int, ...] = (1, 1)) -> Plant:
    plant = quiet()
    for thread, number in enumerate(numbers):
        plant.sent(number, 4096, peers[thread], thread=thread)
    return plant


def level(provided: str, requested: str = "multiple", threads: int = 2) -> Plant:
    plant = Plant(threads=threads).call("MPI_Isend", 1.0).inside(9.0, 1.0).inside(9.0, 1.0, process=1)
    plant.provided, plant.requested = provided, requested
    return plant


def ended(how: str) -> Plant:
    plant = quiet()
    plant.program = {"ended": how, "status": 137}
    return plant


def lost(calls: int) -> Plant:
    plant = quiet()
    plant.process = {"lost": calls}
    return plant


def late(*seconds: float) -> Plant:
    """Process 0 waits so long for each other process."""
    plant = Plant(processes=4, threads=1, provided="funneled", requested="funneled")
    plant.call("MPI_Recv", 6.0, processes=[0])
    for process, each in enumerate(seconds, 1):
        plant.wait(each, process)
    return plant


def exchange(*functions: str, processes: int = 4, seconds: float = 0.5) -> Plant:
    plant = Plant(processes, threads=1, provided="funneled", requested="funneled")
    for function in functions:
        plant.call(function, seconds)
    return plant


def moving(times: int) -> Plant:
    plant = quiet()
    plant.thread = {"moved": times}
    return plant


@dataclass(frozen=True)
class Case:
    """What is planted, its twin without the cause, and the CPUs of the machine for both."""

    planted: Plant
    twin: Plant
    cpus: int = 8


FINDINGS = {
    Finding.LEVEL_LOWER: Case(level("serialized"), level("multiple")),
    Finding.CUT_OFF: Case(ended("killed"), ended("finalized")),
    Finding.ROOM: Case(lost(5), lost(0)),
    Finding.LOCKS: Case(contended(), quiet()),
    Finding.LOOSE: Case(receiving(), contended()),
    Finding.NOTHING: Case(quiet(), contended()),
    Finding.UNTOLD: Case(
        Plant().call("MPI_Recv", 3.0).inside(5.0, 3.0, 2.0).inside(5.0, 3.0, 2.0, process=1), quiet()
    ),
    Finding.ALONE: Case(Plant(threads=1).call("MPI_Send", 1.0), quiet()),
    Finding.ONE_CPU: Case(busy_on(1, 8, cpu=9.9)[0], busy_on(1, 8, cpu=2.0)[0]),
    Finding.CROWDED: Case(busy_on(2, 2, cpu=19.0)[0], busy_on(2, 2, cpu=19.0, preempted=2)[0], cpus=2),
    Finding.LATE: Case(late(0.1, 4.0, 0.1), late(0.1, 0.1, 0.1)),
    Finding.UNEVEN: Case(late(1.5, 1.5, 1.5), late(0.1, 0.1, 0.1)),
    Finding.PARTS: Case(sent(100, 100), sent(100, 100, peers=(1, 2))),
    Finding.SPARSE: Case(exchange("MPI_Alltoallv"), exchange("MPI_Alltoall")),
    Finding.LEVEL_HIGHER: Case(level("multiple", threads=1), level("funneled", "funneled", threads=1)),
    Finding.MOVED: Case(moving(1000), moving(10)),
}  # fmt: skip

REMEDIES = {
    Remedy.BINDING: FINDINGS[Finding.ONE_CPU],
    Remedy.YIELD: Case(busy_on(2, 2, cpu=19.0, preempted=2)[0], asleep_inside(), cpus=2),
    Remedy.FEWER: FINDINGS[Finding.CROWDED],
    Remedy.CONTEXTS: Case(contended(lambda thread: 2 + thread), contended()),
    Remedy.LANES: Case(contended(), contended(lambda thread: 2 + thread)),
    Remedy.ENDPOINTS: Case(contended(), quiet()),
    Remedy.FEWER_CALLING: Case(contended(), quiet()),
    Remedy.LEVEL: FINDINGS[Finding.LEVEL_HIGHER],
    Remedy.PARTITIONED: FINDINGS[Finding.PARTS],
    Remedy.SPARSE: FINDINGS[Finding.SPARSE],
}


def test_every_entry_has_a_case() -> None:
    assert set(FINDINGS) | {Finding.WHERE} == set(Finding)
    assert set(REMEDIES) == set(Remedy)


@pytest.mark.parametrize("finding", FINDINGS)
def test_a_finding_is_found_and_its_twin_is_not_accused(finding: Finding) -> None:
    case = FINDINGS[finding]
    said = {each.finding: each.text for each in verdict(case.planted.facts(cpus=case.cpus))}
    assert finding in said
    assert "{" not in said[finding]
    assert finding not in {each.finding for each in verdict(case.twin.facts(cpus=case.cpus))}


@pytest.mark.parametrize("remedy", REMEDIES)
def test_a_remedy_is_offered_and_not_in_its_twin(remedy: Remedy) -> None:
    case = REMEDIES[remedy]
    found = {each.remedy: each for each in offers(case.planted.facts(cpus=case.cpus))}
    assert remedy in found
    assert "{" not in found[remedy].do
    assert 0 < found[remedy].most <= case.planted.seconds
    assert remedy not in {each.remedy for each in offers(case.twin.facts(cpus=case.cpus))}


@pytest.mark.parametrize("plant", [quiet(), Plant(threads=1, provided="funneled", requested="funneled")])
def test_nothing_is_offered_where_nothing_is_lost(plant: Plant) -> None:
    assert offers(plant.facts()) == []
    said = verdict(plant.facts())
    assert [each.finding.group for each in said] == [Group.TIME, Group.LOCKS]
    assert said[1].text.startswith("Nothing to gain here")


def test_there_are_five_sentences_at_most_and_doubts_come_first() -> None:
    plant = contended()
    plant.program, plant.process, plant.provided = {"ended": "killed"}, {"lost": 3}, "serialized"
    plant.sent(100, 4096, 1).sent(100, 4096, 1, thread=1).thread = {"moved": 5000}
    said = [each.finding for each in verdict(plant.facts())]
    assert said[:3] == [Finding.LEVEL_LOWER, Finding.CUT_OFF, Finding.ROOM]
    assert Finding.LOCKS in said
    assert len(said) == MOST


def test_an_estimate_is_said_to_be_one() -> None:
    plant = Plant().call("MPI_Isend", 4.0, calls=2000000)
    for process in range(2):
        plant.slowdown("MPI_Isend", [1e-6, 3e-6], process=process).inside(3, 4, 3, process=process)
    said = {each.finding: each.text for each in verdict(plant.facts())}
    assert "estimated, 95 % interval" in said[Finding.LOCKS]


def test_measured_locks_are_said_to_be_measured() -> None:
    said = {each.finding: each.text for each in verdict(contended().facts())}
    assert "Threads lose 20 % of their time to locks inside the MPI (measured)" in said[Finding.LOCKS]


def test_a_thread_that_loses_much_more_is_named() -> None:
    plant = contended().call("MPI_Irecv", 3.0, lock=3.0, processes=[1], threads=[1])
    said = {each.finding: each.text for each in verdict(plant.facts())}
    assert "(measured), thread 1.1 50 %; without" in said[Finding.LOCKS]


def test_settings_are_those_of_the_mpi() -> None:
    (lanes,) = [each for each in offers(contended().facts("mpich")) if each.remedy is Remedy.LANES]
    assert "MPIR_CVAR_CH4_NUM_VCIS=2" in lanes.do
    (lanes,) = [each for each in offers(contended().facts("openmpi")) if each.remedy is Remedy.LANES]
    assert lanes.do == "Give each thread a communicator (Raddle_Lanes_create)."
    assert Remedy.CONTEXTS not in {each.remedy for each in offers(contended(lambda each: 2 + each).facts(None))}


def test_lanes_bring_no_more_than_the_time_that_two_were_inside() -> None:
    (lanes,) = [each for each in offers(contended().facts()) if each.remedy is Remedy.LANES]
    (endpoints,) = [each for each in offers(contended().facts()) if each.remedy is Remedy.ENDPOINTS]
    assert 2.0 <= lanes.most <= 2.2
    assert lanes.most <= endpoints.most <= 6.1


def test_endpoints_are_for_messages_of_a_node_without_locks_too() -> None:
    def found(seconds: float, host: str = "node") -> set[Remedy]:
        plant = Plant().call("MPI_Send", seconds).inside(6.0, 3.0, 1.0).inside(6.0, 3.0, 1.0, process=1)
        view = plant.facts()
        first, *others = view.view.processes
        elsewhere = replace(view.view, processes=[msgspec.structs.replace(first, host=host), *others])
        return {each.remedy for each in offers(replace(view, view=elsewhere))}

    assert Remedy.ENDPOINTS in found(2.0)
    assert Remedy.ENDPOINTS not in found(0.5)
    assert Remedy.ENDPOINTS not in found(2.0, host="another")


def test_a_machine_of_one_cpu_is_no_binding() -> None:
    plant, _ = busy_on(1, 1, cpu=9.9)
    assert Finding.ONE_CPU not in {each.finding for each in verdict(plant.facts(cpus=1))}


def test_processes_with_their_share_of_the_cpus_are_not_squeezed() -> None:
    """Two CPUs each, of four: too many threads, and no binding that would help."""
    plant = Plant(processes=2, threads=4, cpus=2).call("MPI_Recv", 2.0)
    plant.process, plant.thread = {"cpu": 19.0}, {"cpu": 4.75, "preempted": 500}
    assert Finding.ONE_CPU not in {each.finding for each in verdict(plant.facts(cpus=4))}
    assert Finding.ONE_CPU in {each.finding for each in verdict(plant.facts(cpus=8))}


def test_threads_that_could_not_be_seen_leave_no_bound() -> None:
    """A program whose workers never call the MPI: where they wait for a CPU nobody knows."""
    plant, _ = busy_on(2, 2, cpu=19.0)
    plant.thread = {"cpu": 1.0, "preempted": 500}
    (fewer,) = [each for each in offers(plant.facts(cpus=2)) if each.remedy is Remedy.FEWER]
    assert fewer.most == plant.seconds


def test_settings_that_are_there_are_not_offered() -> None:
    def offered(facts: Facts) -> bool:
        return Remedy.YIELD in {each.remedy for each in offers(facts)}

    plant, _ = busy_on(2, 2, cpu=19.0)
    settings = family("intel").profile_env("shared")
    facts = plant.facts("intel", cpus=2)
    assert offered(facts)
    assert not offered(replace(facts, known=replace(facts.known, settings=settings)))
    words = [word for pair in settings.items() for word in ("-genv", *pair)]
    assert not offered(with_command(facts, ["mpiexec", *words, "./program"]))
    assert not offered(with_command(facts, ["mpiexec", *(f"{name}={value}" for name, value in settings.items())]))
    wrong = dict.fromkeys(settings, "something else")
    assert offered(replace(facts, known=replace(facts.known, settings=wrong)))


def with_command(facts: Facts, words: list[str]) -> Facts:
    program = msgspec.structs.replace(facts.view.program, command=words)
    return replace(facts, view=replace(facts.view, program=program))


def test_yielding_is_bounded_by_what_the_busiest_thread_computes() -> None:
    plant, _ = busy_on(2, 2, cpu=19.0)
    facts = plant.facts("intel", cpus=2)
    (settings,) = [each for each in offers(facts) if each.remedy is Remedy.YIELD]
    assert settings.most == pytest.approx(plant.seconds - facts.ledger.thread(facts.view.threads[0]).computing)


def test_an_irregular_exchange_is_one_that_counts_and_probes() -> None:
    found = verdict(exchange("MPI_Allreduce", "MPI_Iprobe", "MPI_Recv", "MPI_Isend").facts())
    assert Finding.SPARSE in {each.finding for each in found}
    assert Finding.SPARSE not in {each.finding for each in verdict(exchange("MPI_Allreduce", "MPI_Recv").facts())}
    assert Finding.SPARSE not in {each.finding for each in verdict(exchange("MPI_Alltoallv", processes=2).facts())}
