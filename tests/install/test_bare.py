# SPDX-License-Identifier: BSD-3-Clause
"""`pip install` of the wheel where there is nothing but a compiler and an MPI's mpicc in PATH: all of it works.

The home directory is empty, and of the system's programs those are left out that Raddle would find by chance.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import venv
from collections.abc import Sequence
from pathlib import Path

import pytest

from raddle.mpi.places import installed, prefix_of

ROOT = Path(__file__).resolve().parents[2]
pytestmark = [
    pytest.mark.long,
    pytest.mark.timeout(3600),
    pytest.mark.skipif(not installed(), reason="needs an MPI"),
]

# Build tools, MPIs, schedulers and other Pythons.
_LEFT_OUT = re.compile(
    r"(cmake|ctest|cpack|ninja|python|pip|pkg-?conf|hydra|orte|prte|srun|chromium).*|.*mpi(cc|cxx|exec|run|f\d+|fort).*"
)
_OF_PIP = ("PIP_INDEX_URL", "PIP_CERT", "SSL_CERT_FILE")
PROGRAM = """
#include <mpi.h>
#include <stdio.h>
int main(int argc, char** argv) {
  int rank, sum = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 0; i < 1000; ++i) MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (rank == 0) printf("sum %d\\n", sum);
  return MPI_Finalize();
}
"""


class Bare:
    """A machine with little on it."""

    def __init__(self, root: Path) -> None:
        self.home, self.bin, self.tools = root / "home", root / "env" / "bin", root / "tools"
        self.mpi = prefix_of(installed()[0]) / "bin"
        self.home.mkdir()
        self.tools.mkdir()
        for program in Path("/usr/bin").iterdir():
            if not _LEFT_OUT.fullmatch(program.name):
                (self.tools / program.name).symlink_to(program)

    def __call__(self, *words: str, expected: Sequence[int] = (0,), seconds: int = 1500) -> str:
        done = subprocess.run(
            words,
            cwd=self.home,
            env={
                "HOME": str(self.home),
                "PATH": f"{self.bin}:{self.mpi}:{self.tools}",
                "COLUMNS": "120",
                **{name: value for name, value in os.environ.items() if name in _OF_PIP},
            },
            stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=seconds, check=False,
        )  # fmt: skip
        assert done.returncode in expected, done.stdout + done.stderr
        return done.stdout + done.stderr


@pytest.fixture(scope="module")
def bare(tmp_path_factory: pytest.TempPathFactory) -> Bare:
    root = tmp_path_factory.mktemp("bare")
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(root)],
        cwd=ROOT, check=True, capture_output=True, timeout=100,
    )  # fmt: skip
    one = Bare(root)
    venv.create(one.bin.parent, symlinks=True, with_pip=True)
    (wheel,) = root.glob("raddle-*.whl")
    one(str(one.bin / "pip"), "install", "-q", "--disable-pip-version-check", str(wheel))
    (one.home / "program.c").write_text(PROGRAM, encoding="utf-8")
    one("mpicc", "-fPIE", "-pie", "program.c", "-o", "program")
    return one


def test_it_has_what_it_is_built_with(bare: Bare) -> None:
    for tool in ("cmake", "ninja"):
        assert (bare.bin / tool).exists()
        assert not (bare.tools / tool).exists()


def test_programs_run_with_the_library_which_is_built_once(bare: Bare) -> None:
    command = ("raddle", "exec", "--", "mpiexec", "-n", "2", "./program")
    first = bare(*command)
    assert "sum 1" in first
    assert re.search(r"Building for .* \(release\) \.\.\.", first)
    assert bare(*command).splitlines() == ["sum 1"]
    assert any((bare.home / ".cache" / "raddle" / "build").rglob("libraddle.so"))


def test_it_tries_and_profiles(bare: Bare) -> None:
    assert "the same" in bare("raddle", "try", "--blocks", "1", "--", "mpiexec", "-n", "2", "./program")
    said = bare("raddle", "profile", "--out", "profile", "--", "mpiexec", "-n", "2", "./program")
    assert "Report: profile/report.html" in said
    assert (bare.home / "profile" / "report.html").stat().st_size > 0


def test_the_doctor_looks_at_the_mpi_in_path(bare: Bare) -> None:
    said = bare("raddle", "doctor", "--html", "mpis.html", expected=(0, 1))
    assert installed()[0].title in said
    assert (bare.home / "mpis.html").stat().st_size > 0


def test_it_measures(bare: Bare) -> None:
    bare("raddle", "run", "latency", "--quick", "--variant", "process,thread", "--blocks", "2", "--out", "out")
    assert (bare.home / "out" / "report.html").stat().st_size > 0
