# SPDX-License-Identifier: BSD-3-Clause
"""Which functions are recorded, and what their wrappers say of a call."""

from __future__ import annotations

import pytest
from generator.profile_wrappers import profiled, sources
from generator.profiled import _KNOWN, about, is_profiled
from generator.standard import procedures

from raddle.mpi.find import Mpi
from tests.interpose.headers import declared, mpis

STANDARD = procedures()
MPIS = mpis()
each_mpi = pytest.mark.parametrize("mpi", MPIS, ids=lambda mpi: mpi.name)
needs_mpi = pytest.mark.skipif(not MPIS, reason="no MPI is installed")


def test_known_functions_are_the_standards() -> None:
    assert set(_KNOWN) - set(STANDARD) == set()


@needs_mpi
@each_mpi
def test_all_are_recorded_but_those_that_look_at_nothing(mpi: Mpi) -> None:
    header = declared(mpi.name)
    recorded = {one.name for one in profiled(STANDARD, header)}
    left = {name for name in header if not name.startswith("P")} - recorded
    assert {name for name in left if is_profiled(name) and header[name].returns_code} == set()
    assert {"MPI_Send", "MPI_Isend", "MPI_Waitall", "MPI_Barrier", "MPI_Win_fence", "MPI_File_write"} <= recorded


@needs_mpi
@each_mpi
def test_both_names_are_recorded_alike(mpi: Mpi) -> None:
    text = "".join(sources(profiled(STANDARD, declared(mpi.name)), 3, about, "profile"))
    for name in ("MPI_Send", "PMPI_Send"):
        head = next(line for line in text.splitlines() if f" ({name})(" in line)
        body = text[text.index(head) :].split("\n}\n")[0]
        assert "call.sent(dest, tag, size);" in body
        assert f"decltype(&{name})" in body


@needs_mpi
@each_mpi
def test_each_function_has_its_number_once(mpi: Mpi) -> None:
    functions = profiled(STANDARD, declared(mpi.name))
    for files in (1, 2, 5):
        text = "".join(sources(functions, files, about, "profile"))
        assert text.count("profile::Call call(") == sum(1 for one in functions for own in one.declarations if own)
