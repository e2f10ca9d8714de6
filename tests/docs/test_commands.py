# SPDX-License-Identifier: BSD-3-Clause
"""Each command that README and tutorial give a reader to copy, run as it stands, in order, in one shell.

The tree is a copy whose builds are those of the tests; home is another directory. A command that nobody runs is a
failure: what is run otherwise, or elsewhere, stands in `INSTEAD` with the reason.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from raddle import native
from raddle.inspection.start import is_mpi_setting
from raddle.mpi.places import home
from tests.cli.programs import measurable
from tests.docs.pages import INSTALL, README, ROOT, TUTORIAL, command, fragments, indented

MPICH = [mpi for mpi in measurable() if mpi.name == "mpich"]
pytestmark = [
    pytest.mark.timeout(300),
    pytest.mark.skipif(
        not MPICH, reason="MPICH, which the pages use, is not installed, or nothing is built for it yet"
    ),
    pytest.mark.skipif("SLURM_JOB_ID" in os.environ, reason="an allocation decides what a launcher may do"),
]

# Command -> what is run in its place, "" for nothing, and why.
INSTEAD = {
    "raddle try -- mpiexec -n 2 ./heat": (
        "raddle try --blocks 2 -- mpiexec -n 2 ./heat 20000",
        "long on a busy machine; test_clean_clone.py runs it",
    ),
    ".venv/bin/python tools/profile_prediction.py --mpi mpich,openmpi,intel --blocks 7": (
        ".venv/bin/python tools/profile_prediction.py --help",
        "ten minutes, on every MPI",
    ),
    "make setup": (".venv/bin/raddle mpi install --quiet", "what runs this has done it; test_clean_clone.py does"),
    ".venv/bin/raddle run tutorial": (
        ".venv/bin/raddle run tutorial --quick --mpi mpich --blocks 1",
        "minutes, on every MPI",
    ),
}
# Of these 1 says that something could be better.
MAY_BE_ONE = (".venv/bin/raddle doctor --mpi",)


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """As a clean clone that has been built: what a reader changes is a copy, the rest leads to the tree under test."""
    place = tmp_path_factory.mktemp("stranger")
    clone = place / "raddle"
    clone.mkdir()
    for path in ROOT.iterdir():
        if path.name not in ("examples", "results"):
            (clone / path.name).symlink_to(path)
    shutil.copytree(ROOT / "examples", clone / "examples")
    (place / "home").mkdir()
    return clone


def shell(tree: Path, lines: Sequence[str]) -> str:
    """Runs commands one after the other in the shell of a user who has done nothing but `make run`, so that no MPI of
    Raddle's is in its environment; what they print. The first that fails ends it."""
    checked = []
    for number, line in enumerate(lines):
        most = 1 if line.startswith(MAY_BE_ONE) else 0
        checked.append(
            f"{line}\nstatus=$?; [ $status -le {most} ] || {{ echo line {number} ended with $status; exit 9; }}"
        )
    own = {name: value for name, value in os.environ.items() if not is_mpi_setting(name) and name != "LD_LIBRARY_PATH"}
    path = [each for each in own["PATH"].split(os.pathsep) if not Path(each).is_relative_to(home())]
    env = {
        **own,
        "HOME": str(tree.parent / "home"),
        "RADDLE_HOME": str(home()),
        "PATH": os.pathsep.join(path),
        "PYTHONPATH": str(ROOT),
        "COLUMNS": "120",
    }
    done = subprocess.run(
        ["bash", "-c", "\n".join(checked)], cwd=tree, env=env, stdin=subprocess.DEVNULL,
        capture_output=True, text=True, timeout=280, check=False,
    )  # fmt: skip
    assert done.returncode == 0, f"{done.stdout[-4000:]}\n{done.stderr[-4000:]}"
    return done.stdout


def as_tested(page: Path) -> list[str]:
    """The page's commands in order, those of `INSTEAD` replaced. MPIs stay where they are: found elsewhere, one would
    be another one, and built for once more."""
    found = [command(line).replace("~/.cache/raddle", str(home())) for line in indented(page) if command(line)]
    return [line for line in (INSTEAD[each][0] if each in INSTEAD else each for each in found) if line]


def test_what_is_run_instead_stands_in_a_page() -> None:
    written = {command(line) for page in (README, TUTORIAL) for line in indented(page)}
    assert set(INSTEAD) <= written
    assert all(why for _, why in INSTEAD.values())


def test_readme(tree: Path) -> None:
    said = shell(tree, as_tested(README))
    assert "1 x 2 threads" in said
    assert "the same" in said


AROUND = """#include <omp.h>
#include <raddle/raddle.h>
#include <stdio.h>
int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  HERE
  printf("all good\\n");
  return MPI_Finalize();
}
"""


def test_the_endpoints_of_the_readme(tree: Path) -> None:
    """Its lines in a program, built by the lines for pkg-config of the page on installing."""
    (lines,) = [fragment.text for fragment in fragments(README) if fragment.language == "c"]
    assert lines.count("\n") < 13
    (tree / "program.c").write_text(AROUND.replace("HERE", lines), encoding="utf-8")
    said = shell(tree, [*as_tested(TUTORIAL)[1:3], *linked()])
    assert said.count("all good") == 2


def linked() -> list[str]:
    """How the page on installing builds and starts program.c."""
    lines = [command(line) for line in indented(INSTALL)]
    first = next(at for at, line in enumerate(lines) if line.startswith("FLAGS="))
    return lines[first : first + 3]


def test_with_cmake(tree: Path) -> None:
    """The lines for CMake in a project of one's own."""
    (lines,) = [fragment.text for fragment in fragments(INSTALL) if fragment.language == "cmake"]
    install, path = as_tested(TUTORIAL)[1:3]
    project = tree / "project"
    project.mkdir()
    shutil.copy(ROOT / "tests" / "install" / "consumer" / "consumer.c", project / "program.c")
    head = "cmake_minimum_required(VERSION 3.22)\nproject(program LANGUAGES C CXX)\nadd_executable(program program.c)\n"
    (project / "CMakeLists.txt").write_text(head + lines)
    tools = f"{native.tool('cmake')} -G Ninja -DCMAKE_MAKE_PROGRAM={native.tool('ninja')}"
    said = shell(
        tree,
        [
            install,
            path,
            f"{tools} -S project -B project/build -DCMAKE_PREFIX_PATH=~/raddle -DMPI_C_COMPILER=$(command -v mpicc)",
            f"{native.tool('cmake')} --build project/build",
            "mpiexec -n 2 project/build/program",
        ],
    )
    assert "rank 0: all good" in said


def test_tutorial(tree: Path) -> None:
    said = shell(tree, as_tested(TUTORIAL))
    told = [line for line in said.splitlines() if " steps in time of " in line]
    assert all(line.endswith("as one thread alone computes it") and "NOT" not in line for line in told)
    ways = ["slow", "slow", "lanes", "endpoints", "partitioned", "sparse"]
    assert [line.partition(":")[0] for line in told] == ways
    exchanged = [line for line in said.splitlines() if line.startswith("exchange: ")]
    assert len(exchanged) == 4
    assert all(": well (" in line for line in exchanged)
