# SPDX-License-Identifier: BSD-3-Clause
"""A part of the conformance suite on one MPI, and what the ledger makes of outcomes. All of it: `make conformance`."""

from __future__ import annotations

from typing import Any

import pytest

from raddle import native
from raddle.errors import UserError
from raddle.mpi.find import find
from raddle.mpi.places import installed
from tests.conformance import known, ledger, page, suite
from tests.conformance.launch import SHAPES, Run, Verdict, run

MODULES = ("test_attributes", "test_cco_vec", "test_group", "test_p2p_obj_matched", "test_status")


@pytest.mark.skipif(not installed(), reason="no MPI installed")
def test_a_part_of_mpi4pys_suite_passes_with_threads_as_ranks() -> None:
    (mpi,) = find([installed()[-1].name])
    try:
        place = suite.bring()
    except UserError as error:
        pytest.skip(str(error))
    library = native.build(mpi, targets=["raddle"]) / "lib" / "libraddle.so"
    made = run(mpi, SHAPES["1x2"], place, MODULES, library, print)
    failures = {name: one.reason for name, one in made.verdicts.items() if one.outcome == "fail"}
    assert failures == {}
    assert sum(one.outcome == "pass" and one.on > 0 for one in made.verdicts.values()) > 50
    assert sum(one.past for one in made.verdicts.values()) == 0


def test_an_erroneous_test_is_told_apart() -> None:
    (one,) = {known.erroneous()[0].tests}
    made = Run({one: Verdict("fail", "broken"), "m.C.a": Verdict("fail", "broken")})
    ledger.judge("another", made)
    assert {verdict.outcome for verdict in made.verdicts.values()} == {"fail"}
    ledger.judge("mpich", made)
    assert [verdict.outcome for verdict in made.verdicts.values()] == ["erroneous", "fail"]


def test_a_failure_of_the_mpi_is_told_apart() -> None:
    day, commit = {"date": "2026-11-22"}, {"commit": f"{'0a' * 20}-dirty"}
    ran = {**day, "totals": {"pass": 1, "fail": 2}, "refused": {}, "failures": {"m.C.a": "broken", "m.C.b": "hangs"}}
    counts = {"passes that communicate": 1, "calls on endpoints": 9, "calls elsewhere": 0}
    text = page.text(
        {
            "suite": "mpi4py 0",
            "tests": ["m.C.a", "m.C.b", "m.C.c"],
            "runs": {
                "mpich": {
                    "title": "MPICH",
                    "version": "5",
                    "1x2": {**ran, **commit, **counts, "outcomes": "FFp"},
                    "2 processes": {**day, "totals": {"pass": 2, "fail": 1}, "outcomes": "Fpp"},
                }
            },
        }
    )
    assert "each test.\nRun on 2026-11-22, at commit 0a0a0a0a0a0a-dirty and one that was not kept." in text
    assert "| MPICH 5 | 1x2 | 3 | 1 | 1 | 9 | 0 | 0 | 0 | 1 | 1 | 0 |" in text
    assert "| `m.C.a` | mpich 1x2 (the MPI too) | broken | not known yet |" in text
    assert "| `m.C.b` | mpich 1x2 | hangs | not known yet |" in text
    assert "\n## Failed\n" in text, "m.C.b is Raddle's"


def ledger_of(refused: dict[str, int], failed: str = "") -> dict[str, Any]:
    """A run with processes and one with endpoints, whose commits were not kept; all tests in `failed` fail in both."""
    day = {"date": "2026-11-22"}
    outcomes = "F" if failed else "p"
    totals = {"fail" if failed else "pass": 1}
    counts = {"passes that communicate": 1, "calls on endpoints": 9, "calls elsewhere": 0}
    ran = {**day, **counts, "totals": totals, "refused": refused, "outcomes": outcomes}
    processes = {**day, "totals": totals, "outcomes": outcomes}
    own = {"1x2": {**ran, "failures": {failed: "ends the job"} if failed else {}}, "2 processes": processes}
    runs = {"mpich": {"title": "MPICH", "version": "5", **own}}
    return {"suite": "mpi4py 0", "tests": [failed or "m.C.a"], "runs": runs}


def test_without_any_commit_the_page_says_that_it_was_not_kept() -> None:
    assert "Run on 2026-11-22, at a commit that was not kept." in page.text(ledger_of({}))


def test_what_the_mpi_fails_as_well_does_not_stand_under_raddles_name() -> None:
    text = page.text(ledger_of({}, "m.C.a"))
    assert "| MPICH 5 | 1x2 | 1 | 0 | 1 | 9 | 0 | 0 | 0 | 0 | 1 | 0 |" in text
    assert "\n## Failed, but not by Raddle\n\n| test |" in text


def test_what_is_no_longer_refused_is_said_to_be_so() -> None:
    """Two that are there now, and one that is not."""
    assert "since then" not in page.text(ledger_of({"MPIX_Comm_shrink": 9}))
    text = page.text(ledger_of({"MPI_Psend_init": 1, "MPIX_Comm_shrink": 9}))
    assert "\n`MPI_Psend_init` works on endpoints since then; its tests stand here as refused until" in text
    text = page.text(ledger_of({"MPI_Psend_init": 1, "MPI_Send": 1}))
    assert "\n`MPI_Psend_init` and `MPI_Send` work on endpoints since then; their tests" in text


def test_the_page_is_that_of_the_ledger() -> None:
    kept = page.FILE.read_text(encoding="utf-8")
    assert page.text(ledger.load()) == kept, "run .venv/bin/python -m tests.conformance.run --page"
