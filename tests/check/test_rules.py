# SPDX-License-Identifier: BSD-3-Clause
"""Programs that break one rule are told so, with the line; those that do the like and break none are not accused."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from raddle.check.rules import NAMED, Rule
from raddle.mpi.find import Mpi
from tests.check.launch import PROGRAMS, each_mpi, on_real_mpis, run
from tests.profile.launch import compiler

pytestmark = on_real_mpis
SOURCE = PROGRAMS / "rules.c"
LEFT = {"request-left", "communicator-left", "datatype-left"}
CASES = {rule.value: {rule.value} for rule in Rule if rule.value not in LEFT} | {"left": LEFT, "complete": set[str]()}
# The MPI ends the process, or does not survive what the program does.
END = {"in-finalize", "after-finalize", "before-init"}


def marked() -> dict[str, set[str]]:
    """By rule the lines that break it."""
    made: dict[str, set[str]] = {name: set() for name in NAMED}
    for number, line in enumerate(SOURCE.read_text().splitlines(), 1):
        if (mark := re.search(r"/\* ([\w-]+) \*/", line)) and mark[1] in made:
            made[mark[1]].add(f"{SOURCE.name}:{number}")
    return made


@each_mpi
@pytest.mark.parametrize("case", CASES)
def test_a_broken_rule_is_found_with_its_line(mpi: Mpi, case: str, tmp_path: Path) -> None:
    ran, result = run(mpi, tmp_path, SOURCE, case)
    if "not provided" in ran.out:
        pytest.skip("this MPI does not provide the level")
    assert ran.status == 0 or case in END, ran.errors
    assert {each.rule for each in result.findings} == CASES[case]
    for each in result.findings:
        assert each.times >= 1
        for call in each.calls:
            if shutil.which("addr2line") and call.function != "MPI_Finalize":
                assert Path(call.line).name in marked()[each.rule], call


@each_mpi
@pytest.mark.parametrize("case", CASES)
def test_its_twin_is_not_accused(mpi: Mpi, case: str, tmp_path: Path) -> None:
    ran, result = run(mpi, tmp_path, SOURCE, case, "quiet")
    assert ran.status == 0, ran.errors
    assert result.findings == []
    assert result.processes == 2


@each_mpi
@pytest.mark.parametrize(
    ("case", "broken"),
    [
        ("first-made", {"order"}),
        ("exchanged", {"buffer-twice"}),
        ("matched", {"buffer-twice"}),
        ("merged", {"communicator-left"}),
        ("handed-over", set()),
        ("many", set()),
    ],
)
def test_other_calls_are_judged_alike(mpi: Mpi, case: str, broken: set[str], tmp_path: Path) -> None:
    ran, result = run(mpi, tmp_path, PROGRAMS / "other_calls.c", case)
    assert ran.status == 0, ran.errors
    assert {each.rule for each in result.findings} == broken


@each_mpi
def test_memory_is_given_back_by_several_functions(mpi: Mpi, tmp_path: Path) -> None:
    _, result = run(mpi, tmp_path, SOURCE, "buffer-freed")
    pairs = {tuple(call.function for call in each.calls) for each in result.findings}
    assert pairs == {(name, "MPI_Irecv") for name in ("free", "realloc", "munmap", "MPI_Free_mem")}


@each_mpi
def test_nothing_is_written_unasked(mpi: Mpi, tmp_path: Path) -> None:
    ran, result = run(mpi, tmp_path, SOURCE, "thread-level", asked=False)
    assert (ran.status, result.processes, list(tmp_path.iterdir())) == (0, 0, [])


@each_mpi
def test_calls_from_fortran_are_the_programs(mpi: Mpi, tmp_path: Path) -> None:
    source = PROGRAMS / "fortran.f90"
    if not compiler(mpi, source).exists() or shutil.which("gfortran") is None:
        pytest.skip("no Fortran compiler")
    ran, result = run(mpi, tmp_path, source)
    assert ran.status == 0, ran.errors
    (only,) = result.findings
    (call,) = only.calls
    assert (only.rule, call.function) == ("communicator-left", "MPI_Comm_dup")
    if shutil.which("addr2line"):
        assert Path(call.line).name == "fortran.f90:14"
