# SPDX-License-Identifier: BSD-3-Clause
"""The exact command line of each launcher, since a wrong binding or a lost variable is a wrong result, not an error."""

from __future__ import annotations

from pathlib import Path

import pytest

from raddle.errors import UserError
from raddle.launchers import LAUNCHERS, launcher_for, launcher_name
from tests.cli.mpi_fakes import executable, fake_mpi

ARGV = ["raddle-bench", "--plan", "a plan.json"]
ENV = {"A": "1", "B": "x y,z=2"}


@pytest.fixture(autouse=True)
def no_allocation(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SLURM_JOB_ID", raising=False)


@pytest.fixture
def allocation(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    executable(tmp_path / "slurm" / "srun", "exit 0")
    monkeypatch.setenv("SLURM_JOB_ID", "7")
    monkeypatch.setenv("PATH", str(tmp_path / "slurm"))


def command(prefix: Path, name: str, *, oversubscribe: bool = False, ours: bool = True) -> list[str]:
    mpi = fake_mpi(prefix, name, ours=ours)
    line = launcher_for(mpi).command(mpi, ARGV, processes=4, env=ENV, oversubscribe=oversubscribe)
    return [word.replace(str(prefix), "PREFIX") for word in line]


@pytest.mark.parametrize("oversubscribe", [False, True])
def test_hydra_binds_nothing_and_needs_no_word_to_oversubscribe(tmp_path: Path, oversubscribe: bool) -> None:
    assert command(tmp_path, "mpich", oversubscribe=oversubscribe) == [
        "PREFIX/bin/mpiexec", "-n", "4", "-genv", "A", "1", "-genv", "B", "x y,z=2", *ARGV,
    ]  # fmt: skip


@pytest.mark.parametrize("oversubscribe", [False, True])
def test_intels_hydra_is_unbound_by_a_variable(tmp_path: Path, oversubscribe: bool) -> None:
    assert command(tmp_path, "intel", oversubscribe=oversubscribe) == [
        "PREFIX/bin/mpiexec", "-n", "4", "-genv", "A", "1", "-genv", "B", "x y,z=2", *ARGV,
    ]  # fmt: skip
    assert fake_mpi(tmp_path, "intel").env()["I_MPI_PIN"] == "0"


def test_prrte(tmp_path: Path) -> None:
    assert command(tmp_path, "openmpi") == [
        "PREFIX/bin/mpiexec", "-n", "4", "--bind-to", "none", "--use-hwthread-cpus",
        "-x", "A=1", "-x", "B=x y,z=2", *ARGV,
    ]  # fmt: skip


def test_prrte_must_be_told_to_oversubscribe(tmp_path: Path) -> None:
    assert command(tmp_path, "openmpi", oversubscribe=True) == [
        "PREFIX/bin/mpiexec", "-n", "4", "--bind-to", "none", "--use-hwthread-cpus", "--map-by", ":OVERSUBSCRIBE",
        "-x", "A=1", "-x", "B=x y,z=2", *ARGV,
    ]  # fmt: skip


def test_an_unknown_mpi_is_started_plainly(tmp_path: Path) -> None:
    assert command(tmp_path, "other") == ["PREFIX/bin/mpiexec", "-n", "4", *ARGV]


@pytest.mark.usefixtures("allocation")
@pytest.mark.parametrize(
    ("name", "oversubscribe", "more"),
    [("mpich", False, []), ("mpich", True, ["--overcommit"]), ("openmpi", False, ["--mpi=pmix"])],
)
def test_srun(tmp_path: Path, name: str, oversubscribe: bool, more: list[str]) -> None:
    assert command(tmp_path, name, oversubscribe=oversubscribe, ours=False) == [
        "env", "A=1", "B=x y,z=2",
        "srun", "--ntasks=4", "--nodes=1", "--cpu-bind=none", "--export=ALL", *more, *ARGV,
    ]  # fmt: skip


@pytest.mark.usefixtures("allocation")
def test_in_an_allocation_srun_starts_the_clusters_mpi_and_mpiexec_ours(tmp_path: Path) -> None:
    assert launcher_name(fake_mpi(tmp_path, "mpich", ours=False)) == "srun"
    assert launcher_name(fake_mpi(tmp_path, "mpich", ours=True)) == "hydra"


def test_an_allocation_without_srun_leaves_the_familys_launcher(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SLURM_JOB_ID", "7")
    monkeypatch.setenv("PATH", str(tmp_path))
    assert launcher_name(fake_mpi(tmp_path, "openmpi", ours=False)) == "prrte"


def test_no_mpiexec_is_said_before_another_one_is_taken(tmp_path: Path) -> None:
    mpi = fake_mpi(tmp_path, "mpich")
    mpi.mpiexec.unlink()
    with pytest.raises(UserError, match="MPICH has no mpiexec beside"):
        launcher_for(mpi).command(mpi, ARGV, processes=1, env={}, oversubscribe=False)


def test_the_environment_is_the_users_without_settings_that_make_variants(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MPIR_CVAR_CH4_NUM_VCIS", "9")
    monkeypatch.setenv("MPIR_CVAR_NOLOCAL", "1")
    monkeypatch.setenv("MPIR_CVAR_ASYNC_PROGRESS", "1")
    monkeypatch.setenv("MPIR_CVAR_CH4_CMA_ENABLE", "0")
    mpi = fake_mpi(tmp_path, "mpich")
    environment = launcher_for(mpi).environment(mpi, {"A": "1"})
    assert "MPIR_CVAR_CH4_NUM_VCIS" not in environment
    assert environment["MPIR_CVAR_NOLOCAL"] == "1"  # a cluster's own choice of network
    assert "MPIR_CVAR_ASYNC_PROGRESS" not in environment
    assert environment["MPIR_CVAR_CH4_CMA_ENABLE"] == "0"
    assert environment["A"] == "1"


def test_the_variants_own_setting_wins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MPIR_CVAR_CH4_NUM_VCIS", "9")
    mpi = fake_mpi(tmp_path, "mpich")
    lane = mpi.family.variant_env("lane", 2, 2)
    assert launcher_for(mpi).environment(mpi, lane)["MPIR_CVAR_CH4_NUM_VCIS"] == "2"


def test_a_module_of_another_mpi_does_not_win_over_our_library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LD_LIBRARY_PATH", "/opt/other/lib")
    assert fake_mpi(tmp_path, "mpich").env()["LD_LIBRARY_PATH"] == f"{tmp_path}/lib:/opt/other/lib"
    monkeypatch.delenv("LD_LIBRARY_PATH")
    assert fake_mpi(tmp_path, "mpich").env()["LD_LIBRARY_PATH"] == f"{tmp_path}/lib"
    assert "LD_LIBRARY_PATH" not in fake_mpi(tmp_path, "mpich", ours=False).env()


def test_every_launcher_is_registered() -> None:
    assert sorted(LAUNCHERS) == ["hydra", "intel-hydra", "plain", "prrte", "srun"]
