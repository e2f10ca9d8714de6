# SPDX-License-Identifier: BSD-3-Clause
"""The exact command line of each launcher that starts processes on nodes of a job."""

from __future__ import annotations

from pathlib import Path

import pytest

from raddle.errors import UserError
from raddle.inspection.start import Starter
from raddle.launchers import LAUNCHERS, Hosts, launcher_for
from tests.cli.mpi_fakes import fake_mpi
from tests.clusters import fake_job

ARGV = ["raddle-bench", "--plan", "a plan.json"]
HOSTS = Hosts({"a": 1, "b": 2})


@pytest.fixture(autouse=True)
def no_job(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("SLURM_JOB_ID", "SLURM_STEP_ID", "SLURM_OVERLAP", "PBS_JOBID", "I_MPI_HYDRA_BOOTSTRAP"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PATH", f"{fake_job.commands(tmp_path / 'bin')}:/usr/bin:/bin")


def command(prefix: Path, name: str, *, ours: bool = True, hosts: Hosts = HOSTS) -> list[str]:
    mpi = fake_mpi(prefix, name, ours=ours)
    processes = sum(hosts.shares.values())
    line = launcher_for(mpi).command(mpi, ARGV, processes=processes, env={}, oversubscribe=False, hosts=hosts)
    return [word.replace(str(prefix), "PREFIX") for word in line]


def in_slurm(monkeypatch: pytest.MonkeyPatch, names: str = "a,b") -> None:
    for name, value in fake_job.slurm(names).items():
        monkeypatch.setenv(name, value)


def test_srun_puts_each_process_where_it_belongs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    in_slurm(monkeypatch)
    assert command(tmp_path, "mpich", ours=False) == [
        "srun", "--ntasks=3", "--nodes=2", "--distribution=arbitrary", "--nodelist=a,b,b",
        "--cpu-bind=none", "--export=ALL", *ARGV,
    ]  # fmt: skip


def test_srun_keeps_them_on_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    in_slurm(monkeypatch)
    assert command(tmp_path, "openmpi", ours=False, hosts=Hosts({"a": 4})) == [
        "srun", "--ntasks=4", "--nodes=1", "--nodelist=a", "--cpu-bind=none", "--export=ALL", "--mpi=pmix", *ARGV,
    ]  # fmt: skip


def test_the_shape_of_the_job_is_not_that_of_a_step(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    in_slurm(monkeypatch)
    shape = {
        "SLURM_NTASKS_PER_NODE": "1",
        "SLURM_CPUS_PER_TASK": "64",
        "SLURM_TRES_PER_TASK": "cpu:64",
        "SLURM_NTASKS_PER_GPU": "1",
        "SLURM_GPUS_PER_TASK": "4",
    }
    for name, value in shape.items():
        monkeypatch.setenv(name, value)
    mpi = fake_mpi(tmp_path, "mpich", ours=False)
    made = launcher_for(mpi).environment(mpi, {})
    assert not shape.keys() & made.keys()
    assert made["SLURM_JOB_ID"] == "7"


@pytest.mark.parametrize("ours", [False, True])
def test_from_a_step_it_shares_the_steps_cpus(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ours: bool) -> None:
    """A shell of `srun --pty bash` is one; a job's script is none, and its steps keep to CPUs of their own."""
    in_slurm(monkeypatch)
    mpi = fake_mpi(tmp_path, "mpich", ours=ours)
    assert "SLURM_OVERLAP" not in launcher_for(mpi).environment(mpi, {})
    monkeypatch.setenv("SLURM_STEP_ID", "0")
    assert launcher_for(mpi).environment(mpi, {})["SLURM_OVERLAP"] == "1"


def test_hydra_finds_its_way_by_itself(tmp_path: Path) -> None:
    assert command(tmp_path, "mpich") == [
        "PREFIX/bin/mpiexec", "-n", "3", "-hosts", "a:1,b:2", *ARGV,
    ]  # fmt: skip


def test_intels_hydra_has_to_be_reminded_of_slurm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hosts = ["-ppn", "1", "-hosts", "a,b,b", *ARGV]
    assert command(tmp_path, "intel") == ["PREFIX/bin/mpiexec", "-n", "3", *hosts]
    in_slurm(monkeypatch)
    assert command(tmp_path, "intel") == ["PREFIX/bin/mpiexec", "-n", "3", "-bootstrap", "slurm", *hosts]
    monkeypatch.setenv("I_MPI_HYDRA_BOOTSTRAP", "ssh")
    assert command(tmp_path, "intel") == ["PREFIX/bin/mpiexec", "-n", "3", *hosts]


@pytest.mark.parametrize("job", ["SLURM_JOB_ID", "PBS_JOBID"])
def test_prrte_may_exceed_the_slots_of_a_job(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, job: str) -> None:
    monkeypatch.setenv(job, "7")
    assert command(tmp_path, "openmpi") == [
        "PREFIX/bin/mpiexec", "-n", "3", "--bind-to", "none", "--use-hwthread-cpus", "--map-by", ":OVERSUBSCRIBE",
        "--host", "a:1,b:2", *ARGV,
    ]  # fmt: skip


def test_an_unknown_one_cannot_be_told(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="given hosts") as error:
        LAUNCHERS["plain"]().command(
            fake_mpi(tmp_path, "other"), ARGV, processes=2, env={}, oversubscribe=False, hosts=HOSTS
        )
    assert "a job of one node" in error.value.hint


class TestDoctor:
    def command(self, prefix: Path, *, ours: bool) -> list[str]:
        starter = Starter(fake_mpi(prefix, "mpich", ours=ours), Path("/inspect"))
        return starter.as_user(["facts"], 4).argv

    def test_it_asks_by_srun_and_our_wheels_by_mpiexec(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        in_slurm(monkeypatch, "a")
        assert self.command(tmp_path, ours=False) == ["srun", "--ntasks=4", "/inspect", "facts"]
        assert self.command(tmp_path, ours=True) == [f"{tmp_path}/bin/mpiexec", "-n", "4", "/inspect", "facts"]

    def test_in_a_step_it_may_use_the_steps_cpus(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        in_slurm(monkeypatch, "a")
        starter = Starter(fake_mpi(tmp_path, "mpich", ours=False), Path("/inspect"))

        def told() -> list[str | None]:
            made = (
                starter.as_user(["facts"], 4),
                starter.as_raddle(["facts"], 4),
                starter.as_measured(["facts"], 4, {}, oversubscribe=True),
            )
            return [command.env.get("SLURM_OVERLAP") for command in made]

        assert told() == [None] * 3
        monkeypatch.setenv("SLURM_STEP_ID", "0")
        assert told() == ["1"] * 3

    def test_of_several_nodes_it_judges_one(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        in_slurm(monkeypatch)
        assert self.command(tmp_path, ours=False)[:4] == ["srun", "--ntasks=4", "--nodes=1", "--nodelist=a"]
        starter = Starter(fake_mpi(tmp_path, "mpich"), Path("/inspect"))
        assert starter.as_raddle(["facts"], 4).argv[3:5] == ["-hosts", "a:4"]
