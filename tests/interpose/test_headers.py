# SPDX-License-Identifier: BSD-3-Clause
"""The generator on the real headers: what is declared there and nothing else, and nothing falls through."""

from __future__ import annotations

import json

import pytest
from generator.functions import Behaviour, chosen
from generator.standard import procedures
from generator.wrappers import sources

from raddle.mpi.find import find
from tests.interpose.headers import ROOT, TABLE, declared, made, mpis

MPIS = [mpi.name for mpi in mpis()]
each_mpi = pytest.mark.parametrize("mpi", MPIS)
pytestmark = pytest.mark.skipif(not MPIS, reason="no MPI is installed")
# Of the 311 functions with communicators or requests. Intel has macros for two of them, Open MPI 5 is an MPI 3.1.
DECLARED = {"mpich": 311, "openmpi": 195, "intel": 309}


@each_mpi
def test_all_that_is_declared_is_wrapped(mpi: str) -> None:
    standard = procedures()
    both = {name for name, one in standard.items() if {"communicator", "request"} & {h.kind for h in one.handles}}
    assert len(both & set(made(mpi))) == DECLARED[mpi]
    wanted = {name for name, one in standard.items() if one.handles and name in declared(mpi)}
    assert wanted <= set(made(mpi))


@each_mpi
def test_each_is_also_wrapped_under_its_profiling_name(mpi: str) -> None:
    assert [one.name for one in made(mpi).values() if one.profiling is None] == []


@each_mpi
def test_prototypes_are_as_long_as_their_calls(mpi: str) -> None:
    """A parameter without a name, or with the name of a type, would not compile; a missing one would not be noticed."""
    for function in made(mpi).values():
        for declaration in (function.own, function.profiling):
            assert declaration is not None
            assert all(one.name.isidentifier() for one in declaration.parameters), declaration.prototype()
            assert not [one.name for one in declaration.parameters if one.name.startswith("MPI_")]


@each_mpi
def test_files_are_of_like_size(mpi: str) -> None:
    sizes = [text.count("RADDLE_ENTRY") for text in sources(list(made(mpi).values()), 4)]
    assert sum(sizes) == 2 * len(made(mpi))
    assert max(sizes) - min(sizes) <= 8


def test_large_counts_are_wrapped_where_they_are() -> None:
    large = {mpi: sum(name.endswith("_c") for name in made(mpi)) for mpi in MPIS}
    assert large.get("openmpi", 0) == 0
    assert large.get("mpich", 105) >= 105


def test_const_differs_and_is_followed() -> None:
    listed = {mpi: made(mpi)["MPI_Pready_list"].own.parameters[1].declaration for mpi in MPIS}
    assert listed.get("mpich", "const").startswith("const")
    assert not listed.get("openmpi", "").startswith("const")


def test_no_name_in_the_table_is_misspelt() -> None:
    """A name that no MPI has would leave its function refused, and nobody would know why."""
    known = set(procedures()).union(*(declared(mpi) for mpi in MPIS))
    if "openmpi" not in MPIS:
        known |= {"MPIX_Comm_is_revoked"}  # an extension
    if "mpich" not in MPIS:
        known |= {"MPI_Errhandler_get", "MPI_Errhandler_set"}  # of MPI-1; not in every header
    table = chosen(TABLE.read_text(encoding="utf-8"))
    assert {*table.behaviours, *table.attached, *table.makes_communicators} - known == set()


@each_mpi
def test_the_build_says_what_it_made(mpi: str) -> None:
    (installed,) = find([mpi])
    found = ROOT / "build" / f"release-{installed.label}" / "src" / "interpose" / "generated" / "functions.json"
    if not found.exists():
        pytest.skip("nothing is built for it yet")
    listed = json.loads(found.read_text(encoding="utf-8"))
    said = {name: one["behaviour"] for name, one in listed.items() if one}
    assert said == {name: function.behaviour.value for name, function in made(mpi).items()}
    assert [name for name, one in listed.items() if one is None and name in declared(mpi)] == []
    assert Behaviour.UNSUPPORTED.value in said.values()
