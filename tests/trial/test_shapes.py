# SPDX-License-Identifier: BSD-3-Clause
"""Which shapes a command is tried in."""

from __future__ import annotations

from pathlib import Path

import pytest

from raddle.errors import UserError
from raddle.trial.shapes import Shape, asked, shapes


@pytest.fixture
def program(tmp_path: Path) -> str:
    path = tmp_path / "program"
    path.write_text("#!/bin/sh\n", encoding="utf-8")
    path.chmod(0o755)
    return str(path)


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("-n 4 --bind-to none {}", "-n 2 --bind-to none {}.so"),
        ("-genv X 1 -np 4 {} -n 7", "-genv X 1 -np 2 {}.so -n 7"),
        ("--ntasks=4 {} a", "--ntasks=2 {}.so a"),
        ("-n 4 -ppn 2 {}", "-n 2 -ppn 1 {}.so"),
    ],
)
def test_the_number_of_processes_is_the_launchers(words: str, expected: str, program: str) -> None:
    found = asked("mpiexec", words.format(program).split())
    assert found.ranks == 4
    assert found.divided(2, f"{program}.so") == expected.format(program).split()


def test_processes_of_a_node_that_cannot_be_divided_are_told(program: str) -> None:
    found = asked("mpiexec", f"-n 4 -ppn 2 {program}".split())
    with pytest.raises(UserError, match="2 processes cannot be divided into groups of 4"):
        found.divided(4, program)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("{}", "How many processes"),
        ("-n 2 {} : -n 2 {}", "several programs"),
        ("-n 2 program", "Which word"),
        ("-n 0 {}", "How many processes"),
    ],
)
def test_what_cannot_be_divided_is_refused(words: str, message: str, program: str) -> None:
    with pytest.raises(UserError, match=message):
        asked("mpiexec", words.format(program, program).split())


def test_all_even_divisions_are_tried_after_processes() -> None:
    assert [shape.name for shape in shapes(4, [], ["direct"])] == ["process", "ranks-2x2", "ranks-1x4"]
    assert [shape.name for shape in shapes(1, [], ["direct"])] == ["process", "ranks-1x1"]
    assert shapes(6, ["2x3"], ["direct", "proxy"]) == [Shape(6), Shape(2, 3), Shape(2, 3, "proxy")]
    assert Shape(2, 3, "proxy").name == "ranks-2x3-proxy"


@pytest.mark.parametrize("text", ["3x2", "4", "0x4", "2x"])
def test_a_shape_has_the_ranks_of_the_command(text: str) -> None:
    with pytest.raises(UserError, match="no way to divide 4 ranks"):
        shapes(4, [text], ["direct"])
