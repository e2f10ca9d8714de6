# SPDX-License-Identifier: BSD-3-Clause
"""The doctor with the real MPIs under their own mpiexec, in environments that are well and in spoilt ones."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from raddle.inspection.start import is_mpi_setting
from raddle.mpi.find import Mpi, find
from raddle.mpi.places import installed
from tests import leftovers
from tests.cli import fakes

ROOT = Path(__file__).resolve().parents[2]
LIMIT = 200
LEVELS = {level: level for level in ("single", "funneled", "serialized", "multiple")}
# What the pinned versions do wrong wherever they run.
KNOWN = {
    "mpich": {"any-source", "partitioned-in-parts", "partitioned-no-partner"},
    "intel": {"partitioned-in-parts", "partitioned-no-partner"},
    "openmpi": {
        "partitioned-never", "partitioned-too-early", "partitioned-strided", "partitioned-any-tag", "partitioned-test",
        "partitioned-startall", "partitioned-subset", "tool-level",
    },
}  # fmt: skip
CONTEXTS = {"mpich": (1, 2), "intel": (1, 2), "openmpi": (None, None)}
TRANSPORT = {"mpich": "netmod", "openmpi": "ob1", "intel": ""}


def inspectable() -> list[Mpi]:
    """The installed MPIs whose raddle-inspect is there: tests do not build it, that takes minutes."""
    mpis = [find([family.name])[0] for family in installed()]
    return [mpi for mpi in mpis if (ROOT / "build" / f"release-{mpi.label}" / "bin" / "raddle-inspect").exists()]


MPIS = inspectable()
each_mpi = pytest.mark.parametrize("mpi", MPIS, ids=lambda mpi: mpi.name)
with_mpich = pytest.mark.skipif("mpich" not in {mpi.name for mpi in MPIS}, reason="no MPICH, or nothing built for it")
two_cpus = pytest.mark.skipif(len(os.sched_getaffinity(0)) < 2, reason="takes two CPUs")
pytestmark = [
    pytest.mark.timeout(LIMIT + 20),
    pytest.mark.skipif(not MPIS, reason="no MPI is installed, or nothing is built for it yet"),
    pytest.mark.skipif("SLURM_JOB_ID" in os.environ, reason="an allocation decides what a launcher may do"),
]


def environment(**env: str) -> dict[str, str]:
    """This environment without any setting of an MPI or of OpenMP, and these."""
    usual = {name: value for name, value in os.environ.items() if not is_mpi_setting(name) and "OMP_" not in name}
    return {**usual, "PYTHONPATH": str(ROOT), "TEST_DOCTOR": "1", **env}


def command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "raddle", "doctor", "--json", "--threads", "2", *arguments]


def doctor(*arguments: str, before: tuple[str, ...] = (), **env: str) -> tuple[int, dict[str, Any]]:
    """Status and what is said about one MPI: its facts, and its findings by name."""
    done = subprocess.run(
        [*before, *command(*arguments)],
        env=environment(**env),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=LIMIT,
        check=False,
    )
    assert done.stdout, done.stderr
    (mpi,) = json.loads(done.stdout)["mpis"]
    return done.returncode, {"facts": mpi["facts"], "findings": {one["name"]: one for one in mpi["findings"]}}


@cache
def as_installed(name: str) -> tuple[int, dict[str, Any]]:
    """The doctor's word on an MPI in a clean environment; asked once, since it takes half a minute."""
    return doctor("--mpi", name)


@pytest.fixture(autouse=True)
def clean() -> Iterator[None]:
    """Nothing may be left: no process, no shared memory."""
    before = leftovers.segments()
    yield
    assert fakes.alive("TEST_DOCTOR=1") == []
    assert leftovers.abandoned(before) == set()


@each_mpi
class TestAsInstalled:
    def test_every_question_is_answered(self, mpi: Mpi) -> None:
        _, said = as_installed(mpi.name)
        facts = said["facts"]
        assert facts["levels"] == LEVELS
        assert facts["version"] == mpi.version
        assert [len(facts[launch]) for launch in ("all", "bare", "one")] == [2, 2, 1]
        assert all(rank["cpus"] and all(rank["threads"]) and len(rank["threads"]) == 2 for rank in facts["all"])
        assert TRANSPORT[mpi.name] in facts["transport"]
        assert (facts["contexts"], facts["contexts_with"]) == CONTEXTS[mpi.name]
        assert facts["yields"] is False
        assert facts["reach"]

    def test_every_control_variable_that_matters_exists(self, mpi: Mpi) -> None:
        _, said = as_installed(mpi.name)
        assert set(said["facts"]["cvars"]) == set(mpi.family.doctor.cvars)
        assert set(mpi.family.doctor.yields) <= set(mpi.family.doctor.cvars)
        assert "settings-default" in said["findings"]

    def test_what_this_version_does_wrong_is_found(self, mpi: Mpi) -> None:
        status, said = as_installed(mpi.name)
        outcomes = {trial["name"]: trial["outcome"] for trial in said["facts"]["trials"]}
        failed = {name for name, outcome in outcomes.items() if outcome in ("wrong", "hang", "crash")}
        # Whether processes can be spawned is the launcher's and the machine's business as well.
        assert failed - {"spawn"} == KNOWN[mpi.name]
        assert outcomes["spawn"] in ("right", "crash", "hang")
        assert set(outcomes.values()) <= {"right", "wrong", "hang", "crash"}
        assert status == 1


@with_mpich
def test_findings_that_are_accepted_do_not_count() -> None:
    _, said = as_installed("mpich")
    names = [name for name, finding in said["findings"].items() if finding["severity"] == "wrong"]
    assert names
    assert doctor("--mpi", "mpich", "--accept", ",".join(names))[0] == 0


@with_mpich
@two_cpus
def test_a_spoilt_environment_is_seen_through() -> None:
    _, said = doctor(
        "--mpi",
        "mpich",
        HYDRA_BINDING="core",
        MPIR_CVAR_CH4_NUM_VCIS="2",
        MPIR_CVAR_CH4_NUM_VCI="2",
        MPIR_CVAR_DEFAULT_THREAD_LEVEL="MPI_THREAD_MULTIPLE",
    )
    facts, findings = said["facts"], said["findings"]
    assert facts["contexts"] == 2
    assert facts["levels"]["single"] == "multiple"
    assert facts["unknown_settings"] == ["MPIR_CVAR_CH4_NUM_VCI"]
    assert facts["defaults"]["MPIR_CVAR_CH4_NUM_VCIS"] == 1
    assert "MPIR_CVAR_CH4_NUM_VCIS=2 (default 1)" in findings["settings-changed"]["seen"]
    assert len(facts["one"][0]["cpus"]) == 1
    assert findings["bound-below-share"]["settings"] == {"HYDRA_BINDING": "none"}
    assert {"level-raised", "contexts-enough", "settings-unknown"} <= set(findings)


@with_mpich
@two_cpus
def test_openmps_binding_is_told_from_the_launchers() -> None:
    first = min(os.sched_getaffinity(0))
    _, said = doctor("--mpi", "mpich", GOMP_CPU_AFFINITY=str(first))
    assert said["facts"]["all"][0]["threads"] == [[first], [first]]
    assert len(said["facts"]["bare"][0]["cpus"]) > 1
    assert "threads-share-cpu" in said["findings"]
    assert "bound-below-share" not in said["findings"]


@cache
def open_mpi_mended() -> dict[str, Any]:
    """What is said once all is set that was advised."""
    _, said = as_installed("openmpi")
    advised = [said["findings"].get(name, {}).get("settings", {}) for name in ("bound-below-share", "root-refused")]
    return doctor("--mpi", "openmpi", **{name: value for one in advised for name, value in one.items()})[1]


@pytest.mark.skipif("openmpi" not in {mpi.name for mpi in MPIS}, reason="no Open MPI, or nothing built for it")
@two_cpus
def test_open_mpis_binding_of_one_process() -> None:
    _, said = as_installed("openmpi")
    assert len(said["facts"]["one"][0]["cpus"]) == 1
    assert "mpiexec -n" in said["findings"]["bound-below-share"]["seen"]
    after = open_mpi_mended()
    assert len(after["facts"]["one"][0]["cpus"]) == len(os.sched_getaffinity(0))
    assert "bound-fairly" in after["findings"]


@pytest.mark.skipif("openmpi" not in {mpi.name for mpi in MPIS}, reason="no Open MPI, or nothing built for it")
@pytest.mark.skipif(os.geteuid() != 0, reason="only root is refused")
def test_refusing_root_is_seen_and_mended() -> None:
    _, said = as_installed("openmpi")
    needed = said["findings"]["root-refused"]["settings"]
    assert said["facts"]["needs"] == needed
    after = open_mpi_mended()
    assert after["facts"]["problem"] == ""
    assert "root-refused" not in after["findings"]


@with_mpich
def test_little_shared_memory_is_seen() -> None:
    unshare = shutil.which("unshare") or ""
    small = 'mount -t tmpfs -o size=32m none /dev/shm && exec "$@"'
    before = (unshare, "--mount", "sh", "-c", small, "sh")
    if not unshare or subprocess.run([*before, "true"], capture_output=True, check=False).returncode != 0:
        pytest.skip("a small /dev/shm cannot be made here")
    status, said = doctor("--mpi", "mpich", before=before)
    assert status == 1
    assert "32 MiB free of 32; 2 processes may need 64" in said["findings"]["shm-small"]["seen"]


@pytest.mark.long
@with_mpich
def test_gains_are_measured_in_blocks() -> None:
    _, said = doctor("--mpi", "mpich", "--measure")
    measured = said["findings"]["few-contexts"]["measured"]
    assert measured["problem"] == ""
    assert measured["ratio"]["n"] == 9
    assert measured["ratio"]["lo"] <= measured["ratio"]["estimate"] <= measured["ratio"]["hi"]
    assert min(measured["without"], measured["with"]) > 0
    assert measured["oversubscribed"] == (len(os.sched_getaffinity(0)) < 4)
    assert said["findings"]["partitioned-late"]["measured"] is None


@with_mpich
def test_it_ends_when_it_is_told_to() -> None:
    def asks() -> bool:
        """A job of the doctor's runs, not just a look at what there is to build."""
        return bool({*fakes.alive("TEST_DOCTOR=1")} & {*fakes.alive("_RADDLE_JOB=")})

    with subprocess.Popen(
        command("--mpi", "mpich"), env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        give_up = time.monotonic() + 60
        while not asks() and process.poll() is None and time.monotonic() < give_up:
            time.sleep(0.01)
        process.send_signal(signal.SIGTERM)
        out, err = process.communicate(timeout=60)
    assert process.returncode == 128 + signal.SIGTERM, err
    assert out == ""
