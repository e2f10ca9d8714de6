# SPDX-License-Identifier: BSD-3-Clause
"""The exact command line of each launcher that starts processes on two hosts."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from raddle.errors import UserError
from raddle.launchers import LAUNCHERS, Hosts, launcher_for
from tests.cli.mpi_fakes import fake_mpi

ARGV = ["raddle-bench", "--plan", "a plan.json"]
ENV = {"B": "x y"}
HOSTS = Hosts({"a": 1, "b": 2}, "/agent")


@pytest.fixture(autouse=True)
def no_allocation(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SLURM_JOB_ID", raising=False)


def command(prefix: Path, name: str) -> list[str]:
    mpi = fake_mpi(prefix, name)
    line = launcher_for(mpi).command(mpi, ARGV, processes=3, env=ENV, oversubscribe=False, hosts=HOSTS)
    assert line[:2] == ["/agent", "a"]
    # A shell reads the rest again, as after ssh.
    return [word.replace(str(prefix), "PREFIX") for word in shlex.split(" ".join(line[2:]))]


def test_hydra(tmp_path: Path) -> None:
    assert command(tmp_path, "mpich") == [
        "PREFIX/bin/mpiexec", "-n", "3",
        "-launcher", "ssh", "-launcher-exec", "/agent", "-hosts", "a:1,b:2", "-genv", "B", "x y", *ARGV,
    ]  # fmt: skip


def test_intels_hydra_takes_a_host_for_each_process(tmp_path: Path) -> None:
    assert command(tmp_path, "intel") == [
        "PREFIX/bin/mpiexec", "-n", "3",
        "-bootstrap", "ssh", "-bootstrap-exec", "/agent", "-ppn", "1", "-hosts", "a,b,b", "-genv", "B", "x y", *ARGV,
    ]  # fmt: skip


def test_prrte(tmp_path: Path) -> None:
    assert command(tmp_path, "openmpi") == [
        "PREFIX/bin/mpiexec", "-n", "3", "--bind-to", "none", "--use-hwthread-cpus",
        "--prtemca", "plm_ssh_agent", "/agent", "--host", "a:1,b:2", "-x", "B=x y", *ARGV,
    ]  # fmt: skip


@pytest.mark.parametrize("name", ["plain", "srun"])
def test_those_that_cannot_say_so(tmp_path: Path, name: str) -> None:
    mpi = fake_mpi(tmp_path, "mpich")
    with pytest.raises(UserError, match=r"hosts|simulated nodes") as error:
        LAUNCHERS[name]().command(mpi, ARGV, processes=2, env={}, oversubscribe=False, hosts=HOSTS)
    assert error.value.hint
