# SPDX-License-Identifier: BSD-3-Clause
"""What is printed: nothing wider than a terminal, nothing lost in JSON, nothing claimed beyond an interval."""

from __future__ import annotations

import io
import json

import pytest
from rich.console import Console

from raddle.doctor.catalogue import Finding
from raddle.doctor.document import Examined, document
from raddle.doctor.gain import Gain
from raddle.doctor.judge import judge
from raddle.doctor.measure import work_for
from raddle.doctor.table import report
from raddle.mpi.family import family
from raddle.stats.ratio import Ratio
from tests.doctor import cases

CASE = cases.Case({"contexts": 1, "trials": cases.trial("spawn", "crash")})
GAIN = Gain(Finding.FEW_CONTEXTS, "message rate", "msg/s", 1e6, 2e6, Ratio(2.0, 1.5, 2.5, 9))


def examined() -> Examined:
    facts = cases.facts(**CASE.facts)
    return Examined(facts, judge(facts, CASE.job, cases.machine(), family("mpich")), [GAIN])


def printed(width: int = 80) -> str:
    one = examined()
    console = Console(file=io.StringIO(), width=width, highlight=False)
    console.print(report(one.facts, CASE.job, one.diagnoses, one.gains, ["spawn-fails"]))
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def test_it_fits_a_terminal_and_says_everything() -> None:
    lines = printed().splitlines()
    assert max(map(len, lines)) <= 80
    text = " ".join(" ".join(lines).split())
    headings = ["MPICH 5.0.2", "What is wrong", "spawn-fails accepted", "What could be better", "few-contexts"]
    for words in (*headings, "What is fine", "Do: export MPIR_CVAR_CH4_NUM_VCIS=2", "Measured: 2.00x [1.50, 2.50]"):
        assert words in text
    assert [text.index(words) for words in headings] == sorted(text.index(words) for words in headings)


def test_each_finding_is_told_once() -> None:
    text = printed(200).partition("What is wrong")[2]
    for one in examined().diagnoses:
        assert text.count(f"  {one.finding} ") + text.count(f"  {one.finding}\n") == 1


def test_json_has_facts_and_findings() -> None:
    made = json.loads(document(cases.machine(), CASE.job, [examined()], ["spawn-fails"]))
    assert made["schema"] == 1
    assert made["job"] == {"processes": 2, "threads": 2}
    assert made["accepted"] == ["spawn-fails"]
    (mpi,) = made["mpis"]
    assert mpi["facts"]["levels"]["multiple"] == "multiple"
    findings = {one["name"]: one for one in mpi["findings"]}
    few = findings["few-contexts"]
    assert few["severity"] == "advice"
    assert few["settings"] == {"MPIR_CVAR_CH4_NUM_VCIS": "2"}
    assert few["measured"]["ratio"] == {"estimate": 2.0, "lo": 1.5, "hi": 2.5, "n": 9}
    assert few["measured"]["shown"] is True
    assert findings["spawn-fails"]["measured"] is None


@pytest.mark.parametrize(
    ("gain", "words"),
    [
        (GAIN, "2.00x [1.50, 2.50] (message rate: 1.00 M msg/s without, 2.00 M msg/s with it; 9 blocks)."),
        (
            Gain(Finding.SPINS, "rate", "msg/s", 1e6, 1e6, Ratio(1.0, 0.9, 1.2, 9), oversubscribed=True),
            "1.00x [0.90, 1.20], no difference shown (rate: 1.00 M msg/s without, 1.00 M msg/s with it; 9 blocks; "
            "oversubscribed, so for such machines only).",
        ),
        (Gain(Finding.SPINS, "rate", problem="a launch hung"), "nothing (rate: a launch hung)."),
    ],
)
def test_what_was_measured_is_told_with_its_interval(gain: Gain, words: str) -> None:
    assert gain.words == words


def test_only_settings_that_may_make_programs_faster_are_measured() -> None:
    measured = {finding for finding in Finding if work_for(finding, 2)}
    assert measured == {Finding.FEW_CONTEXTS, Finding.SPINS, Finding.BOUND_BELOW_SHARE}


@pytest.mark.parametrize("cpus", [1, 2, 4, 64])
def test_spinning_is_measured_where_threads_outnumber_cpus(cpus: int) -> None:
    work = work_for(Finding.SPINS, cpus)
    assert work is not None
    assert work.contexts > cpus
