# SPDX-License-Identifier: BSD-3-Clause
"""The twins' programs, which set nothing, do the same when they are profiled or checked; the check accuses none."""

from __future__ import annotations

from pathlib import Path

import pytest

from raddle.check.findings import found
from raddle.check.records import read
from raddle.mpi.find import Mpi
from raddle.profile import preload
from tests.check.launch import LIBRARY, MPIS
from tests.profile.launch import ROOT, library
from tests.twins.judge import divergence
from tests.twins.launch import run
from tests.twins.program import Program, programs

pytestmark = [pytest.mark.long, pytest.mark.timeout(300)]
_AS = "preloaded"  # the mode whose exceptions count: there a program meets the MPI itself, too


@pytest.mark.parametrize("program", programs(), ids=lambda one: one.name)
@pytest.mark.parametrize("mpi", MPIS, ids=lambda mpi: mpi.name)
def test_a_program_does_the_same(mpi: Mpi, program: Program, tmp_path: Path) -> None:
    if exception := program.exception(mpi.name, _AS):
        pytest.skip(exception.why)
    args, built = program.args[0], ROOT / "build" / f"release-{mpi.label}"
    native = run(mpi, program, args, "native", built)
    for name in ("profiled", "checked"):
        (tmp_path / name).mkdir()
    profiled = {"LD_PRELOAD": str(library(mpi)), **preload.environment(tmp_path / "profiled")}
    assert not divergence(program, _AS, native, run(mpi, program, args, _AS, built, settings=profiled))
    checked = {"LD_PRELOAD": str(library(mpi, LIBRARY)), "_RADDLE_CHECK": str(tmp_path / "checked")}
    assert not divergence(program, _AS, native, run(mpi, program, args, _AS, built, settings=checked))
    told = found(read(tmp_path / "checked"), [program.name], mpi.library, 0, interrupted=False)
    assert [one.rule for one in told.findings if one.breaks] == []
