# SPDX-License-Identifier: BSD-3-Clause
"""What is known of the job around us, and what a plan makes of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from raddle.catalogue import catalogue
from raddle.clusters import nodes
from raddle.clusters.allocation import Allocation, current, here
from raddle.errors import UserError
from raddle.launchers import Hosts
from raddle.mpi.family import family
from raddle.plan.points import matrix
from raddle.plan.request import Request
from tests.cli.mpi_fakes import executable
from tests.clusters import fake_job

ONE = Allocation("pbs", "7", ["a"])
TWO = Allocation("pbs", "7", ["a", "b", "c"])


@pytest.fixture(autouse=True)
def no_job(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("SLURM_JOB_ID", "SLURM_JOB_NODELIST", "SLURMD_NODENAME", "PBS_JOBID", "PBS_NODEFILE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PATH", f"{fake_job.commands(tmp_path / 'bin')}:/usr/bin:/bin")


def in_slurm(monkeypatch: pytest.MonkeyPatch, names: str) -> None:
    for name, value in fake_job.slurm(names).items():
        monkeypatch.setenv(name, value)


class TestCurrent:
    def test_outside_of_any(self) -> None:
        assert current() is None
        assert here() is None

    @pytest.mark.parametrize("names", ["a", "a,b", "a,b,c"])
    def test_slurm(self, monkeypatch: pytest.MonkeyPatch, names: str) -> None:
        in_slurm(monkeypatch, names)
        assert here() == Allocation("slurm", "7", names.split(","))

    def test_its_first_node_is_this_one(self, monkeypatch: pytest.MonkeyPatch) -> None:
        in_slurm(monkeypatch, "a,b,c")
        monkeypatch.setenv("SLURMD_NODENAME", "b")
        assert here() == Allocation("slurm", "7", ["b", "a", "c"])

    def test_without_scontrol_several_nodes_cannot_be_told(
        self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
    ) -> None:
        in_slurm(monkeypatch, "a,b")
        executable(tmp_path / "bin" / "scontrol", "exit 1")
        with pytest.raises(UserError, match="scontrol does not tell which nodes a,b are"):
            current()
        in_slurm(monkeypatch, "a")
        assert current() == Allocation("slurm", "7", ["a"])

    def test_a_login_node_is_refused(self, monkeypatch: pytest.MonkeyPatch) -> None:
        in_slurm(monkeypatch, "a,b")
        monkeypatch.delenv("SLURMD_NODENAME")
        assert current() is not None  # to look on is allowed
        with pytest.raises(UserError, match="job 7 of Slurm, but runs on none of its nodes"):
            here()

    def test_pbs(self, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
        monkeypatch.setenv("PBS_JOBID", "7.server")
        monkeypatch.setenv("PBS_NODEFILE", str(tmp_path / "nodes"))
        with pytest.raises(UserError, match="PBS_NODEFILE"):
            current()
        (tmp_path / "nodes").write_text("b\nb\na\na\n")
        assert here() == Allocation("pbs", "7.server", ["b", "a"])


class TestHosts:
    def test_half_on_each_of_two(self) -> None:
        assert nodes.on_two(TWO, 4) == Hosts({"a": 2, "b": 2})
        assert nodes.on_two(TWO, 2, 3) == Hosts({"a": 3, "b": 3})  # two proxies beside each

    @pytest.mark.parametrize("allocation", [None, ONE])
    def test_there_have_to_be_two(self, allocation: Allocation | None) -> None:
        with pytest.raises(UserError, match="needs a job of two nodes"):
            nodes.on_two(allocation, 2)

    def test_all_on_this_one_where_there_are_several(self) -> None:
        assert nodes.on_this(TWO, 4) == Hosts({"a": 4})
        assert nodes.on_this(ONE, 4) is None
        assert nodes.on_this(None, 4) is None


class TestPlan:
    def points(self, allocation: Allocation | None, *placements: str, mpi: str = "mpich", cpus: int = 2) -> list[str]:
        request = Request(
            benchmarks=["latency"], variants=["process"], placements=list(placements),
            params={"bytes": [8], "threads": [1, 2]},
        ).checked(catalogue())  # fmt: skip
        found = matrix(request, catalogue(), {mpi: family(mpi)}, cpus, allocation)
        assert len({one.reason for one in found.skipped}) == len(found.skipped)
        return [f"{p.placement} {p.threads} {p.profile}" for p in found.points if p.variant == "process"]

    def test_each_node_has_cpus_of_its_own(self) -> None:
        assert sorted(self.points(TWO, "node", "nodes")) == [
            "node 1 clean", "node 2 shared", "nodes 1 clean", "nodes 2 clean",
        ]  # fmt: skip

    @pytest.mark.parametrize(("threads", "cpus", "profile"), [(3, 2, "shared"), (3, 3, "clean"), (2, 2, "clean")])
    def test_what_counts_is_the_node_with_most_contexts(self, threads: int, cpus: int, profile: str) -> None:
        """Here that of the threads that send: one context receives."""
        request = Request(
            benchmarks=["partitioned_bandwidth"], placements=["nodes"],
            params={"threads": [threads], "mechanism": ["isend"], "bytes": [1 << 20]},
        ).checked(catalogue())  # fmt: skip
        found = matrix(request, catalogue(), {"mpich": family("mpich")}, cpus, TWO)
        assert {point.profile for point in found.points if point.mpi == "mpich"} == {profile}

    def test_it_is_measured_on_request(self) -> None:
        assert self.points(TWO) == ["node 1 clean", "node 2 shared"]

    @pytest.mark.parametrize(
        ("allocation", "reason"), [(None, "raddle run ... --slurm or --pbs"), (ONE, "this job has one node")]
    )
    def test_without_two_nodes_it_says_what_to_do(self, allocation: Allocation | None, reason: str) -> None:
        with pytest.raises(UserError, match=reason):
            self.points(allocation, "nodes")
        assert self.points(allocation, "node", "nodes") == ["node 1 clean", "node 2 shared"]

    def test_an_unknown_launcher_is_kept_to_jobs_of_one_node(self) -> None:
        with pytest.raises(UserError, match="ask for a job of one node"):
            self.points(TWO, mpi="other")
        assert self.points(ONE, mpi="other") == ["node 1 clean", "node 2 shared"]

    def test_srun_starts_any_mpi(self) -> None:
        assert len(self.points(Allocation("slurm", "7", ["a", "b"]), "nodes", mpi="other")) == 2
