# SPDX-License-Identifier: BSD-3-Clause
"""That the variables in `raddle/mpis/*.toml` exist: a misspelt one changes nothing, and nobody notices."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest

from raddle.mpi.family import families
from raddle.mpi.find import find
from raddle.mpi.places import installed
from raddle.tuning.candidates import candidates

# Prints each control variable's name and description; Intel names its variables in the description.
LIST_CVARS = r"""
#include <mpi.h>
#include <stdio.h>
int main(void) {
  static char name[1024], text[16384];
  int provided, count;
  MPI_T_init_thread(MPI_THREAD_SINGLE, &provided);
  MPI_T_cvar_get_num(&count);
  for (int i = 0; i < count; ++i) {
    int name_size = sizeof name, text_size = sizeof text, verbosity, bind, scope;
    MPI_Datatype type;
    MPI_T_enum values;
    MPI_T_cvar_get_info(i, name, &name_size, &verbosity, &type, &values, text, &text_size, &bind, &scope);
    printf("%s %s\n", name, text);
  }
  return MPI_T_finalize() != MPI_SUCCESS;
}
"""

# What the launcher reads, a library below, or the library before its control variables are there.
NOT_CVARS = {
    "OMPI_ALLOW_RUN_AS_ROOT", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "I_MPI_ROOT", "I_MPI_PIN", "FI_PROVIDER", "UCX_TLS",
}  # fmt: skip


@pytest.mark.parametrize("name", families())
def test_every_variable_is_one_of_the_librarys_own(name: str, tmp_path: Path) -> None:
    if name not in {member.name for member in installed()}:
        pytest.skip(f"{name} is not installed")
    (mpi,) = find([name])
    env = {**os.environ, **mpi.env()}
    source, program = tmp_path / "cvars.c", tmp_path / "cvars"
    source.write_text(LIST_CVARS, encoding="utf-8")
    subprocess.run([mpi.mpicc, source, "-o", program], env=env, check=True)
    said = subprocess.run([program], env=env, check=True, capture_output=True, text=True, errors="replace").stdout
    known = set(re.findall(r"\w+", said))
    tried = {variable for one in candidates(name) for variable in one.settings}
    wanted = (set(mpi.family.env) | mpi.family.managed | tried) - NOT_CVARS
    assert tried
    assert wanted
    assert {variable for variable in wanted if variable.removeprefix("OMPI_MCA_") not in known} == set()


def test_tests_of_the_library_yield_as_a_shared_profile_does() -> None:
    text = (Path(__file__).parents[2] / "cmake" / "RaddleMpiTest.cmake").read_text(encoding="utf-8")
    listed = re.search(r"set\(\s*raddle_yielding\s+([^)]*)\)", text)
    assert listed
    settings = {f"{name}={value}" for one in families().values() for name, value in one.profile_env("shared").items()}
    assert set(listed[1].split()) == {"OMP_WAIT_POLICY=passive", *settings}
