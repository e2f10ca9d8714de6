# SPDX-License-Identifier: BSD-3-Clause
"""Processes are started as a user starts them: what Raddle does for its measurements must not hide what is wrong."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from raddle.clusters.allocation import Allocation
from raddle.doctor.catalogue import Finding
from raddle.doctor.diagnosis import Diagnosis
from raddle.doctor.examine import unknown_settings
from raddle.doctor.machine import job
from raddle.doctor.measure import Comparison, Work
from raddle.errors import UserError
from raddle.inspection.facts import Value
from raddle.inspection.start import Starter, binds_threads, is_mpi_setting
from raddle.mpi.family import family
from tests.cli.mpi_fakes import fake_mpi

PROGRAM = Path("/bench/raddle-inspect")


@pytest.fixture(autouse=True)
def outside_of_slurm(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SLURM_JOB_ID", raising=False)


@pytest.mark.parametrize("name", ["mpich", "openmpi", "intel"])
def test_a_user_gives_the_number_of_processes_and_nothing_else(tmp_path: Path, name: str) -> None:
    mpi = fake_mpi(tmp_path, name)
    command = Starter(mpi, PROGRAM).as_user(["facts", "single", "2"], 2)
    assert command.argv == [str(mpi.mpiexec), "-n", "2", str(PROGRAM), "facts", "single", "2"]


def test_intel_is_not_unbound_and_open_mpi_not_allowed_root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("I_MPI_PIN", "OMPI_ALLOW_RUN_AS_ROOT"):
        monkeypatch.delenv(name, raising=False)
    intel = Starter(fake_mpi(tmp_path, "intel"), PROGRAM)
    assert "I_MPI_PIN" not in intel.as_user([], 1).env
    assert intel.as_user([], 1).env["I_MPI_ROOT"] == str(tmp_path)
    assert intel.liberties() == {}
    openmpi = Starter(fake_mpi(tmp_path, "openmpi"), PROGRAM)
    assert "OMPI_ALLOW_RUN_AS_ROOT" not in openmpi.as_user([], 1).env
    assert set(openmpi.liberties()) == {"OMPI_ALLOW_RUN_AS_ROOT", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM"}
    needing = Starter(openmpi.mpi, PROGRAM, openmpi.liberties())
    assert needing.as_user([], 1).env["OMPI_ALLOW_RUN_AS_ROOT"] == "1"


def test_the_users_settings_stay_unless_defaults_are_looked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MPIR_CVAR_CH4_NUM_VCIS", "3")
    monkeypatch.setenv("OMP_PROC_BIND", "close")
    starter = Starter(fake_mpi(tmp_path, "mpich"), PROGRAM)
    assert starter.as_user([], 1).env["MPIR_CVAR_CH4_NUM_VCIS"] == "3"
    assert starter.as_user([], 1, {"MPIR_CVAR_CH4_NUM_VCIS": "4"}).env["MPIR_CVAR_CH4_NUM_VCIS"] == "4"
    clean = starter.as_user([], 1, without=is_mpi_setting).env
    assert "MPIR_CVAR_CH4_NUM_VCIS" not in clean
    assert clean["PATH"] == os.environ["PATH"]
    assert "OMP_PROC_BIND" not in starter.as_user([], 1, without=binds_threads).env


def test_an_allocation_is_started_with_srun(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("raddle.inspection.start.launcher_name", lambda mpi: "srun")
    command = Starter(fake_mpi(tmp_path, "openmpi", ours=False), PROGRAM).as_user(["facts"], 2)
    assert command.argv == ["srun", "--ntasks=2", "--mpi=pmix", str(PROGRAM), "facts"]


def test_a_measurement_keeps_the_users_settings_and_stays_on_this_node(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As what is diagnosed: two processes on two nodes would be another work."""
    job = Allocation("slurm", "7", ["here", "there"])
    monkeypatch.setattr("raddle.inspection.start.current", lambda: job)
    monkeypatch.setattr("raddle.launchers.launcher_name", lambda mpi: "srun")
    monkeypatch.setenv("SLURM_NTASKS_PER_NODE", "1")
    monkeypatch.setenv("MPIR_CVAR_CH4_NUM_VCIS", "3")
    comparison = Comparison(
        Starter(fake_mpi(tmp_path, "mpich", ours=False), PROGRAM),
        Diagnosis(Finding.FEW_CONTEXTS, settings={"MPIR_CVAR_CH4_NUM_VCIS": "4"}),
        Work("lane", "node", 2),
        cpus=8,
    )
    for launch in comparison.launches():
        command = comparison.command(launch, tmp_path)
        assert "--nodelist=here" in command.argv
        assert "SLURM_NTASKS_PER_NODE" not in command.env
        assert command.env["MPIR_CVAR_CH4_NUM_VCIS"] == ("4" if launch.launch.endswith("with") else "3")


def test_an_mpi_without_mpiexec_is_an_error(tmp_path: Path) -> None:
    mpi = fake_mpi(tmp_path, "mpich")
    mpi.mpiexec.unlink()
    with pytest.raises(UserError, match="no mpiexec"):
        Starter(mpi, PROGRAM).as_user([], 1)


@pytest.mark.parametrize(
    ("processes", "threads", "omp", "cpus", "expected"),
    [
        (None, None, "", 2, (2, 2)),
        (None, None, "", 64, (2, 32)),
        (4, None, "", 64, (4, 16)),
        (None, None, "8,2", 64, (2, 8)),
        (None, 3, "8", 64, (2, 3)),
        (None, None, "many", 8, (2, 4)),
    ],
)
def test_the_job_to_judge_for(
    processes: int | None,
    threads: int | None,
    omp: str,
    cpus: int,
    expected: tuple[int, int],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("OMP_NUM_THREADS", omp)
    wanted = job(processes, threads, cpus)
    assert (wanted.processes, wanted.threads) == expected


@pytest.mark.parametrize(
    ("name", "setting", "unknown"),
    [
        ("mpich", "MPIR_CVAR_CH4_NUM_VCIS", False),
        ("mpich", "MPIR_CVAR_CH4_NUM_VCI", True),
        ("mpich", "OMPI_MCA_plm", False),  # no business of this library
        ("openmpi", "OMPI_MCA_pml", False),
        ("openmpi", "OMPI_MCA_plm", False),  # read by its launcher
        ("openmpi", "OMPI_MCA_pmll", True),
        ("intel", "I_MPI_NONSENSE", False),  # its variables have other names than its control variables
    ],
)
def test_settings_that_a_library_does_not_know(name: str, setting: str, unknown: bool) -> None:
    known: dict[str, Value] = {"MPIR_CVAR_CH4_NUM_VCIS": 1, "pml": ""}
    found = unknown_settings(family(name).doctor, known, {setting: "1", "PATH": ""})
    assert found == ([setting] if unknown else [])
