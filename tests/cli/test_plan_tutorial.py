# SPDX-License-Identifier: BSD-3-Clause
"""The steps of the tutorial: each on its variant, all on two processes of threads, the first as the MPI comes."""

from __future__ import annotations

import pytest

from raddle.catalogue import catalogue
from raddle.model import WAYS
from raddle.mpi.family import family
from raddle.plan.launches import Group, group
from raddle.plan.points import matrix
from raddle.plan.request import Request

pytestmark = pytest.mark.timeout(60)


def launches(mpi: str) -> list[Group]:
    known = {mpi: family(mpi)}
    request = Request(benchmarks=["tutorial"], mode="quick").checked(catalogue())
    return group(matrix(request, catalogue(), known, 2).points, known, catalogue())


@pytest.mark.parametrize("mpi", ["mpich", "openmpi", "intel"])
def test_each_step_is_measured_once_and_on_its_variant(mpi: str) -> None:
    found = [(one.params["step"], one.variants) for launch in launches(mpi) for one in launch.sets]
    assert sorted(str(step) for step, _ in found) == sorted(WAYS["step"])
    assert dict(found) == {
        "slow": ["thread"],
        "settings": ["thread"],
        "lanes": ["lane"],
        **{step: ["endpoint-direct"] for step in ("endpoints", "partitioned", "sparse")},
    }


@pytest.mark.parametrize(
    ("mpi", "setting"),
    [
        ("mpich", "MPIR_CVAR_CH4_PROGRESS_THROTTLE"),
        ("openmpi", "OMPI_MCA_mpi_yield_when_idle"),
        ("intel", "I_MPI_THREAD_YIELD"),
    ],
)
def test_only_the_first_step_is_left_to_spin(mpi: str, setting: str) -> None:
    told = {str(one.params["step"]): launch.env[setting] for launch in launches(mpi) for one in launch.sets}
    first = told.pop("slow")
    assert set(told.values()) == {family(mpi).profile_env("shared")[setting]}
    assert first not in told.values()


def test_all_of_it_has_two_processes_whose_barriers_do_not_spin() -> None:
    for launch in launches("mpich"):
        assert (launch.processes, launch.env["OMP_WAIT_POLICY"]) == (2, "passive")
