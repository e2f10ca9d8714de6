# SPDX-License-Identifier: BSD-3-Clause
"""When two runs have written the same."""

from __future__ import annotations

import re

import pytest

from raddle.errors import UserError
from raddle.trial.output import Rules, figure, pattern, shown


def test_the_order_of_lines_does_not_count_and_their_number_does() -> None:
    assert Rules().differences("a\nb\n", "b\na\n") == []
    assert Rules().differences("a\na\n", "a\n") == ["- a"]
    assert Rules().differences("a\n", "a\nc\n") == ["+ c"]


def test_what_is_ignored_does_not_count() -> None:
    rules = Rules([re.compile(r"[0-9.]+ s\b")])
    assert rules.differences("took 1.5 s\nsum 3\n", "took 2.25 s\nsum 3\n") == []
    assert rules.differences("took 1.5 s\nsum 3\n", "took 2.25 s\nsum 4\n") == ["- sum 3", "+ sum 4"]


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("energy -1.00000", "energy -1.00001", True),
        ("energy -1.0", "energy -1.1", False),
        ("energy 1.0E+03 of 3", "energy 1000.01 of 3", True),
        ("energy 1.0", "power 1.0", False),
        ("x 0.0", "x 0.0", True),
        ("x 0.0", "x 1e-9", False),
        ("rank3 1.0", "rank4 1.0", False),
    ],
)
def test_numbers_may_differ_by_the_tolerance(one: str, other: str, same: bool) -> None:
    assert (Rules(tolerance=1e-4).differences(one, other) == []) is same


def test_a_figure_is_the_last_that_is_found() -> None:
    assert figure(re.compile(r"FOM *= *([0-9.]+)"), "FOM = 1.5\nFOM = 2.5\n") == 2.5
    assert figure(re.compile(r"[0-9]+$"), "took 12") == 12
    assert figure(re.compile(r"FOM = (.*)"), "FOM = nothing") is None
    assert figure(re.compile("FOM"), "no figure") is None


def test_few_of_many_differences_are_shown() -> None:
    assert shown(["- a"]) == ["- a"]
    assert shown([f"- {number}" for number in range(10)])[-1] == "and 4 more"


def test_a_bad_expression_is_told_with_its_option() -> None:
    with pytest.raises(UserError, match=r"--ignore '\(' is no regular expression"):
        pattern("(", "--ignore")
