# SPDX-License-Identifier: BSD-3-Clause
"""What a rank tells of its tests, without an MPI."""

from __future__ import annotations

import unittest
from pathlib import Path
from typing import Any

from tests.conformance import ranks


class Gate:
    """Lets everybody pass, and writes down who came with what of the test before."""

    def __init__(self) -> None:
        self.entered: list[tuple[str | None, Any]] = []
        self.turns: list[str] = []

    def enter(self, _: int, test: str | None, told: Any) -> None:
        self.entered.append((test, told and told["outcome"]))

    def begin_turn(self) -> None:
        self.turns.append("begin")

    def end_turn(self) -> None:
        self.turns.append("end")


class Good(unittest.TestCase):
    """One test."""

    __test__ = False  # not pytest's

    def test(self) -> None:
        pass


class Refused(unittest.TestCase):
    """Never gets to its test."""

    __test__ = False

    @classmethod
    def setUpClass(cls) -> None:
        raise RuntimeError("Raddle: MPI_Intercomm_create is not supported on an endpoint")

    def test(self) -> None:
        pass


def run(tmp_path: Path, cases: list[type[unittest.TestCase]], one_at_a_time: list[str]) -> Gate:
    gate = Gate()
    job = {"journal": str(tmp_path / "journal"), "one_at_a_time": one_at_a_time}
    result = ranks.Result(0, gate, lambda: (0, 0, None), job)  # type: ignore[arg-type]
    unittest.TestSuite(unittest.defaultTestLoader.loadTestsFromTestCase(case) for case in cases).run(result)
    gate.enter(0, None, result.last())
    return gate


def name(case: type[unittest.TestCase], test: str) -> str:
    """As the job calls it."""
    return f"{case.__module__}.{case.__qualname__}.{test}"


def test_a_class_that_cannot_begin_is_a_test_of_its_own(tmp_path: Path) -> None:
    gate = run(tmp_path, [Good, Refused], [])
    assert gate.entered == [
        (name(Good, "test"), None),
        (name(Refused, "(setUpClass)"), "pass"),
        (None, "refused"),
    ]


def test_it_is_not_begun_again_once_it_is_known() -> None:
    suite = unittest.defaultTestLoader.loadTestsFromTestCase(Refused)
    assert list(ranks.wanted(suite, {name(Refused, "(setUpClass)")})) == []
    assert len(list(ranks.wanted(suite, set()))) == 1


def test_ranks_take_turns_where_the_job_says_so(tmp_path: Path) -> None:
    assert run(tmp_path, [Good], [name(Good, "t*")]).turns == ["begin", "end"]
    assert run(tmp_path, [Good], ["another"]).turns == []
