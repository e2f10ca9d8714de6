# SPDX-License-Identifier: BSD-3-Clause
"""The probe of the machine's state: what it answers, what becomes of a run without it, and the lines it leaves."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from raddle.campaign.contexts import contexts_of
from raddle.environment import allowed_cpus
from raddle.execute import state_probe
from raddle.execute.state_probe import StateProbe
from raddle.model import PointSet
from raddle.report.load import load
from tests.cli import fakes
from tests.cli.command import Raddle
from tests.cli.programs import built

pytestmark = pytest.mark.timeout(60)

RUN = ("run", "latency", "--bytes", "8", "--mpi", "alpha", "--variant", "process", "--seed", "1", "--out", "out")
PROBE = next((path for path in built() if path.name == "raddle-probe"), None)
real = pytest.mark.skipif(PROBE is None, reason="the probe is not built")


@pytest.fixture
def command(tmp_path: Path) -> Iterator[Raddle]:
    yield Raddle(tmp_path)
    assert fakes.alive(f"FAKE_HOME={tmp_path}") == []


@pytest.fixture
def fake(tmp_path: Path) -> Path:
    return fakes.programs(tmp_path / "bin") / "raddle-probe"


def probes(command: Raddle) -> list[dict[str, Any]]:
    """The journal's lines of probes; of each launch there is one, after its end."""
    lines = [json.loads(line) for line in (command.place / "out" / "launches.jsonl").read_text().splitlines()]
    kinds = [(line["type"], line["launch"]) for line in lines if line["type"] in ("exit", "probe")]
    assert kinds[1::2] == [("probe", launch) for _, launch in kinds[::2]]
    return [line for line in lines if line["type"] == "probe"]


def test_each_launch_is_probed_before_and_after(command: Raddle) -> None:
    done = command(*RUN, "--blocks", "2", FAKE_STATES="80,81")
    assert done.returncode == 0, done.stderr
    found = probes(command)
    assert [line["launch"] for line in found] == command.started()
    assert [(line["before"]["core_to_core_ns"], line["after"]["core_to_core_ns"]) for line in found] == [
        (80.0, 81.0)
    ] * len(found)


def test_a_run_in_two_states_says_so(command: Raddle) -> None:
    done = command(*RUN, "--blocks", "12", FAKE_STATES="80,81,79,80,80,80,300,310", FAKE_REPORT="1")
    assert done.returncode == 0, done.stderr
    assert "neighbouring CPUs" in done.stdout
    data = load(command.place / "out")
    assert [seen.name for seen in data.log.states.seen] == ["near", "far"]
    assert {row.state for row in data.rows} == {"near"}


SPLIT = ("run", "latency", "--quick", "--bytes", "8", "--mpi", "alpha", "--threads", "1", "--seed", "1")


@pytest.mark.parametrize(
    ("states", "more", "blocks"),
    [
        ("80,80,300,300", (), range(7, 11)),  # every other launch is elsewhere
        ("80,80,300,300", ("--blocks", "6"), [6]),  # as it was asked for
        ("80,80", (), [6]),
    ],
)
def test_blocks_are_added_where_states_leave_too_few(
    command: Raddle, states: str, more: tuple[str, ...], blocks: range | list[int]
) -> None:
    choice = ("--variant", "process,thread", "--placement", "node,one-process", "--out", "out", *more)
    done = command(*SPLIT, *choice, FAKE_STATES=states)
    assert done.returncode == 0, done.stderr
    made = 1 + max(launch["block"] for launch in command.plan()["launches"])
    assert made in blocks
    assert ("The machine changed its state: after 6 blocks" in done.stderr) is (made > 6)
    assert len(command.started()) == len(command.plan()["launches"])


@pytest.mark.parametrize(
    ("states", "why"),
    [("one", "one CPU is next to no other"), ("80,80,80,dies", "the probe of the state failed: it ended")],
)
def test_a_run_goes_on_without_answers_and_tells_why(command: Raddle, states: str, why: str) -> None:
    done = command(*RUN, "--blocks", "2", FAKE_STATES=states, FAKE_REPORT="1")
    assert done.returncode == 0, done.stderr
    assert {line["after"].get("error", why) for line in probes(command)} == {why}
    data = load(command.place / "out")
    (told,) = (incident for incident in data.incidents if incident.notice == "state-unknown")
    assert told.message == why
    assert len(data.rows[0].blocks) == 2
    assert not any(row.block_states for row in data.rows)


def test_one_that_does_not_answer_is_given_up(fake: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(state_probe, "_SECONDS", 0.5)
    monkeypatch.setenv("FAKE_STATES", "mute")
    with StateProbe(fake) as probe:
        assert "no answer" in probe.ask(2, "compact").error
        assert "no answer" in probe.ask(2, "compact").error
    assert fakes.alive("FAKE_STATES=mute") == []


def test_one_that_cannot_be_started_says_why(tmp_path: Path) -> None:
    with StateProbe(tmp_path / "raddle-probe") as probe:
        assert probe.ask(2, "compact").error == "raddle-probe cannot be started: No such file or directory"


def test_a_launch_takes_as_many_cpus_as_its_largest_team() -> None:
    sets = [
        PointSet(benchmark="latency", placement="node", variants=["process"], params={"bytes": 8, "threads": threads})
        for threads in (1, 3)
    ]
    assert contexts_of(fakes.launch(sets=sets)) == 6


@real
def test_the_real_probe_answers_until_its_input_ends() -> None:
    assert PROBE
    cpus = allowed_cpus()
    with StateProbe(PROBE) as probe:
        for contexts in (1, 2, 64):
            found = probe.ask(contexts, "compact")
            if len(cpus) < 2:
                assert found.error == "one CPU is next to no other"
                continue
            assert not found.error
            assert 1 <= len(found.cpus) <= 4
            assert {cpu for pair in found.cpus for cpu in pair} <= {*cpus}
            assert all(one != other for one, other in found.cpus)
            assert 1 < found.core_to_core_ns < 1e6
            assert 1 < found.copy_mb_s < 1e7
        assert "no way to pin" in probe.ask(2, "sideways").error


@real
def test_one_cpu_has_no_neighbour() -> None:
    assert PROBE
    cpus = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {min(cpus)})
    try:
        with StateProbe(PROBE) as probe:
            assert probe.ask(2, "compact").error == "one CPU is next to no other"
    finally:
        os.sched_setaffinity(0, cpus)
