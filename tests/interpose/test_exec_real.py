# SPDX-License-Identifier: BSD-3-Clause
"""Programs that know nothing of Raddle, run by `raddle exec` on the real MPIs."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from raddle.inspection.start import is_mpi_setting
from raddle.launchers import LAUNCHERS
from raddle.mpi.find import Mpi
from tests.cli import fakes
from tests.interpose.headers import ROOT, mpis

PROCESSES = 2
# Prints what is preloaded into itself, and into each process that it comes from.
WHO = """
import os
def preloaded(pid):
    words = open(f"/proc/{pid}/environ", "rb").read().split(b"\\0")
    return any(word.startswith(b"LD_PRELOAD=") and b"libraddle" in word for word in words)
pid, seen = os.getpid(), []
while pid > 1 and len(seen) < 4:
    seen.append(preloaded(pid))
    pid = int(open(f"/proc/{pid}/stat").read().rpartition(")")[2].split()[1])
os.write(1, f"preloaded {seen[0]} {any(seen[1:])}\\n".encode())
"""


def built() -> list[Mpi]:
    """The MPIs for which there is a program to run: `make test` builds it, these tests do not."""
    return [mpi for mpi in mpis() if (binaries(mpi) / "interpose_with_tool").exists()]


def binaries(mpi: Mpi) -> Path:
    return ROOT / "build" / f"release-{mpi.label}" / "tests" / "bin"


MPIS = built()
each_mpi = pytest.mark.parametrize("mpi", MPIS, ids=lambda mpi: mpi.name)
pytestmark = [
    pytest.mark.timeout(300),
    pytest.mark.skipif(not MPIS, reason="no MPI is installed, or nothing is built for it yet"),
    pytest.mark.skipif("SLURM_JOB_ID" in os.environ, reason="an allocation decides what a launcher may do"),
]


@pytest.fixture(autouse=True)
def clean() -> Iterator[None]:
    yield
    assert fakes.alive("TEST_EXEC=1") == []


def start(
    mpi: Mpi, *words: str, raddle: bool = True, options: tuple[str, ...] = (), **env: str
) -> subprocess.CompletedProcess[str]:
    """A command of this MPI's mpiexec, by `raddle exec` with these options or without it."""
    usual = {name: value for name, value in os.environ.items() if not is_mpi_setting(name)}
    settings = {**usual, **mpi.env(), **mpi.family.profile_env("shared"), "PYTHONPATH": str(ROOT), "TEST_EXEC": "1"}
    flags = LAUNCHERS[mpi.family.launcher]().flags(mpi, oversubscribe=True)
    before = [sys.executable, "-m", "raddle", "exec", *options, "--"] if raddle else []
    return subprocess.run(
        [*before, str(mpi.mpiexec), "-n", str(PROCESSES), *flags, *words], env={**settings, **env},
        stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=200, check=False,
    )  # fmt: skip


def calls(stderr: str) -> list[dict[str, int]]:
    """What each process counted."""
    lines = re.findall(r"^raddle: process \d+ called (.*)$", stderr, re.MULTILINE)
    return [{name: int(count) for name, count in re.findall(r"(\w+)=(\d+)", line)} for line in lines]


@each_mpi
def test_a_program_runs_unchanged_and_its_calls_pass_through(mpi: Mpi, tmp_path: Path) -> None:
    done = start(mpi, str(binaries(mpi) / "interpose_program"), str(tmp_path / "file"), RADDLE_COUNT_CALLS="1")
    assert (done.returncode, done.stdout.split("\n")) == (0, ["all good", ""]), done.stderr
    counted = calls(done.stderr)
    assert len(counted) == PROCESSES
    expected = {
        "MPI_Init": 1, "MPI_Isend": 2, "MPI_Waitall": 1, "MPI_Sendrecv": 1, "MPI_Mrecv": 1, "MPI_Startall": 2,
        "MPI_Request_free": 2, "MPI_Comm_split": 1, "MPI_Comm_free": 2, "MPI_Allgather": 1, "MPI_Put": 1,
        "MPI_Win_fence": 2, "MPI_File_write_at_all": 1, "MPI_File_close": 1,
    }  # fmt: skip
    assert [{name: one.get(name) for name in expected} for one in counted] == [expected] * PROCESSES


@each_mpi
def test_it_says_nothing_unless_asked(mpi: Mpi) -> None:
    done = start(mpi, str(binaries(mpi) / "interpose_program"))
    assert (done.returncode, done.stdout) == (0, "all good\n"), done.stderr
    assert "raddle: process" not in done.stderr


@each_mpi
def test_the_exit_status_is_that_of_the_command(mpi: Mpi, tmp_path: Path) -> None:
    words = [str(binaries(mpi) / "interpose_program"), str(tmp_path / "file"), "3"]
    assert start(mpi, *words).returncode == start(mpi, *words, raddle=False).returncode == 3


@each_mpi
def test_the_library_is_in_the_program_and_not_in_its_launcher(mpi: Mpi) -> None:
    done = start(mpi, sys.executable, "-c", WHO)
    assert done.stdout.splitlines() == ["preloaded True False"] * PROCESSES, done.stderr


@each_mpi
def test_a_tool_in_front_sees_its_calls_and_they_still_pass(mpi: Mpi) -> None:
    tool = binaries(mpi) / "libinterpose_tool.so"
    program = str(binaries(mpi) / "interpose_program")
    done = start(mpi, program, LD_PRELOAD=str(tool), RADDLE_COUNT_CALLS="1")
    assert done.returncode == 0, done.stderr
    assert done.stderr.count("tool: MPI_Isend=2 MPI_Allreduce=1") == PROCESSES
    for counted in calls(done.stderr):
        assert "MPI_Isend" not in counted  # the tool took it, and what it passed on came here
        assert (counted["PMPI_Isend"], counted["PMPI_Allreduce"], counted["MPI_Sendrecv"]) == (2, 1, 1)


@each_mpi
def test_a_tool_that_the_program_is_linked_with_sees_its_calls(mpi: Mpi) -> None:
    done = start(mpi, str(binaries(mpi) / "interpose_with_tool"), RADDLE_COUNT_CALLS="1")
    assert done.returncode == 0, done.stderr
    assert done.stderr.count("tool: MPI_Isend=2 MPI_Allreduce=1") == PROCESSES
    assert [one["MPI_Isend"] for one in calls(done.stderr)] == [2] * PROCESSES


@each_mpi
def test_parts_of_a_job_are_all_given_the_library(mpi: Mpi) -> None:
    program = str(binaries(mpi) / "interpose_program")
    done = start(mpi, program, ":", "-n", "1", program, RADDLE_COUNT_CALLS="1")
    assert (done.returncode, done.stdout) == (0, "all good\n"), done.stderr
    assert len(calls(done.stderr)) == PROCESSES + 1


@each_mpi
def test_ranks_are_threads_where_that_is_asked_for(mpi: Mpi) -> None:
    program = binaries(mpi).parent / "mpi" / "ranks_program.so"
    done = start(mpi, str(program), "well", options=("--threads-as-ranks", "2"))
    assert (done.returncode, done.stdout) == (0, "ranks: 4\n"), done.stderr


CPUS = """
#define _GNU_SOURCE
#include <mpi.h>
#include <sched.h>
#include <stdio.h>
int main(int argc, char **argv) {
    cpu_set_t cpus;
    MPI_Init(&argc, &argv);
    sched_getaffinity(0, sizeof cpus, &cpus);
    printf("%d CPUs\\n", CPU_COUNT(&cpus));
    return MPI_Finalize();
}
"""


@each_mpi
def test_ranks_of_a_process_do_not_share_a_core_by_default(mpi: Mpi, tmp_path: Path) -> None:
    """The command as a user types it: Open MPI alone would bind the process to a core."""
    (tmp_path / "cpus.c").write_text(CPUS, encoding="utf-8")
    words = [str(mpi.mpicc), "-fPIC", "-shared", "cpus.c", "-o", "cpus.so"]
    env = {**{name: value for name, value in os.environ.items() if not is_mpi_setting(name)}, **mpi.env()}
    subprocess.run(words, cwd=tmp_path, env=env, check=True, timeout=60)
    command = [sys.executable, "-m", "raddle", "exec", "--threads-as-ranks", "2", "--", str(mpi.mpiexec), "-n", "1"]
    done = subprocess.run(
        [*command, str(tmp_path / "cpus.so")], env={**env, "PYTHONPATH": str(ROOT), "TEST_EXEC": "1"},
        stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=200, check=False,
    )  # fmt: skip
    assert done.stdout.splitlines() == [f"{len(os.sched_getaffinity(0))} CPUs"] * 2, done.stderr


@pytest.mark.skipif(len(MPIS) < 2, reason="one MPI is installed")
def test_a_program_of_another_mpi_is_refused() -> None:
    by_name = {mpi.name: mpi for mpi in MPIS}
    mpi, other = by_name.get("openmpi", MPIS[0]), by_name.get("mpich", MPIS[-1])
    program = binaries(mpi).parent / "mpi" / "ranks_program.so"
    done = start(other, str(program), "well", options=("--threads-as-ranks", "2"))
    assert done.returncode == 2
    told = " ".join(done.stderr.split())
    assert f"{program} is linked with " in told
    assert str(other.mpicc) in told


SHARED = "handlers and masks of signals (signal in ranks_ends.so): the last rank that sets a handler sets it for all"


@each_mpi
def test_what_ranks_share_is_told_before_a_program_begins(mpi: Mpi) -> None:
    program = binaries(mpi).parent / "mpi" / "ranks_ends.so"
    done = start(mpi, str(program), "nothing", options=("--threads-as-ranks", "2"))
    assert done.returncode == 0, done.stderr
    assert f"raddle: shared by the ranks of a process: {SHARED}" in done.stderr


@each_mpi
def test_strict_refuses_what_ranks_share(mpi: Mpi) -> None:
    program = binaries(mpi).parent / "mpi" / "ranks_ends.so"
    done = start(mpi, str(program), "nothing", options=("--threads-as-ranks", "2", "--strict"))
    assert done.returncode == 2
    assert f"uses what the ranks of a process share: {SHARED}" in " ".join(done.stderr.split())


@each_mpi
def test_explain_says_what_is_private_and_runs_nothing(mpi: Mpi) -> None:
    program = binaries(mpi).parent / "mpi" / "ranks_own.so"
    done = start(mpi, str(program), "library", options=("--threads-as-ranks", "2", "--explain"))
    assert done.returncode == 0, done.stderr
    assert re.search(r"(?s)Each rank has a copy of:.*libranks_own_library.so.*libstdc\+\+.*share:.*libmpi", done.stdout)
    assert "of 4 ranks" not in done.stdout


@each_mpi
def test_a_library_is_shared_if_the_user_says_so(mpi: Mpi) -> None:
    program = binaries(mpi).parent / "mpi" / "ranks_own.so"
    options = ("--threads-as-ranks", "2", "--shared", "ranks_own_library")
    done = start(mpi, str(program), "library", options=options)
    assert "library of 4 ranks: WRONG" in done.stdout, done.stderr


# Its interpreter is each rank's own, and so are the modules that it loads: they find the interpreter that loads them.
PYTHON = """
import ctypes, json, os, random, subprocess, sys, threading
mpi = ctypes.CDLL(None)
try:
    world = ctypes.c_void_p(ctypes.addressof(ctypes.c_char.in_dll(mpi, "ompi_mpi_comm_world")))
except ValueError:
    world = ctypes.c_int(0x44000000)
mpi.MPI_Init(None, None)
rank, size = ctypes.c_int(), ctypes.c_int()
mpi.MPI_Comm_rank(world, ctypes.byref(rank))
mpi.MPI_Comm_size(world, ctypes.byref(size))
json.own, os.environ["OWN"] = rank.value, str(rank.value)
mpi.MPI_Barrier(world)
found = []
thread = threading.Thread(target=lambda: found.append(json.own))
thread.start()
thread.join()
child = subprocess.run(["sh", "-c", "echo $OWN"], capture_output=True, text=True)
os.write(1, f"{rank.value} of {size.value}: {found} {json.own} {child.stdout.strip()}\\n".encode())
mpi.MPI_Finalize()
"""


@each_mpi
@pytest.mark.skipif(
    Path(sys.executable).read_bytes()[16:18] != b"\x03\0", reason="this Python is built for a fixed address"
)
def test_python_runs_unchanged_with_ranks_that_are_threads(mpi: Mpi) -> None:
    done = start(mpi, sys.executable, "-c", PYTHON, options=("--threads-as-ranks", "2"))
    assert done.returncode == 0, done.stderr
    assert sorted(done.stdout.splitlines()) == [f"{rank} of 4: [{rank}] {rank} {rank}" for rank in range(4)]
    assert "ranks share a library" not in done.stderr
