# SPDX-License-Identifier: BSD-3-Clause
"""Every finding can occur, says something, and is in the documentation."""

from __future__ import annotations

import re
import string
from pathlib import Path

import pytest

import raddle
from raddle.doctor.catalogue import Finding, Severity
from raddle.doctor.diagnosis import Diagnosis
from raddle.doctor.judge import judge
from raddle.doctor.judge_trials import FAILED
from raddle.doctor.pages import markdown
from raddle.inspection.trials import GROUPS
from raddle.mpi.family import family
from tests.doctor import cases

ROOT = Path(raddle.__file__).resolve().parents[1]


def judged(case: cases.Case) -> dict[Finding, Diagnosis]:
    """What is found in a case, by name."""
    found = judge(cases.facts(**case.facts), case.job, cases.machine(**case.machine), family("mpich"))
    return {one.finding: one for one in found}


@pytest.mark.parametrize("finding", Finding)
def test_each_finding_says_what_why_and_what_to_do(finding: Finding) -> None:
    assert re.fullmatch(r"[a-z]+(-[a-z]+)*", str(finding))
    assert finding.name == str(finding).upper().replace("-", "_")
    assert re.search(r"[.}]$", finding.seen)
    assert finding.matters.endswith(".")
    assert len({finding.seen, finding.matters, finding.do}) == 3
    assert (finding.do == "Nothing.") <= (finding.severity is Severity.OK)


@pytest.mark.parametrize("finding", Finding)
def test_each_finding_can_occur_and_is_filled(finding: Finding) -> None:
    diagnosis = judged(cases.CASES[finding])[finding]
    for sentence in (diagnosis.seen, diagnosis.matters, diagnosis.do):
        assert sentence
        assert not re.search(r"[{}]|\bNone\b|  |export *$|unset *$", sentence), sentence


def test_advice_that_names_settings_has_them_as_data() -> None:
    for finding in Finding:
        fields = {name for _, name, _, _ in string.Formatter().parse(finding.do)}
        if "settings" in fields:
            assert judged(cases.CASES[finding])[finding].settings, finding


def test_nothing_is_wrong_where_all_is_well() -> None:
    found = judged(cases.Case())
    assert {one.severity for one in found.values()} == {Severity.OK}


def test_what_a_case_changes_is_not_found_where_all_is_well() -> None:
    """A finding that were always there would pass every other test."""
    well = judged(cases.Case())
    for finding in Finding:
        assert (finding in well) == (finding.severity is Severity.OK and finding not in _NOT_WELL)


_NOT_WELL = {Finding.CONTEXTS_UNTOLD, Finding.SETTINGS_CHANGED, Finding.TRANSPORT_UNTOLD}


def test_each_trial_is_made_and_judged() -> None:
    made = [name for group in GROUPS for name in group.names]
    assert sorted(made) == sorted(FAILED)
    sources = "\n".join(path.read_text(encoding="utf-8") for path in (ROOT / "bench/inspect/trials").glob("*.cpp"))
    assert set(re.findall(r'RegisterTrial(?: registered)?\("([a-z-]+)"', sources)) == set(made)


def test_documentation_lists_the_catalogue() -> None:
    page = (ROOT / "docs" / "use" / "doctor.md").read_text(encoding="utf-8")
    assert markdown() in page, "replace the list in docs/use/doctor.md by what raddle doctor --list prints"
