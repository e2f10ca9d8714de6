# SPDX-License-Identifier: BSD-3-Clause
"""Runs MPICH's own test suite as processes and as ranks that are threads: what passes natively has to pass then, too.

    .venv/bin/python tools/mpich_suite.py --mpi mpich,openmpi --mode 1xN,2xN coll rma

The suite is that of Debian's source package of MPICH, written in C; it is brought, built for each MPI and kept in
build/mpich-suite. Folders can be chosen by name. Exit status 1: something differs.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from threading import Lock

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))  # this checkout's raddle and tests, whichever are installed

from programs.bring import unpack  # noqa: E402

from raddle.errors import UserError  # noqa: E402
from raddle.launchers import launcher_for  # noqa: E402
from raddle.mpi.find import Mpi, find  # noqa: E402
from raddle.native import build  # noqa: E402
from tests.twins.launch import run_ranks  # noqa: E402
from tests.twins.program import MODES, RANKS_ARE_THREADS  # noqa: E402

WORK = ROOT / "build" / "mpich-suite"
FOLDERS = ("attr", "coll", "comm", "datatype", "errhan", "group", "info", "init", "io", "part", "pt2pt", "rma", "topo")
MORE_FOLDERS = ("errors", "spawn", "threads")
RUNS_A_CPU = 2  # beside each other: launchers mostly wait
LIMIT = 60.0
LIBRARIES = ("util/.libs/libmtest.a", "util/.libs/libdtypes.a", "dtpools/src/.libs/libdtpools.a")
_beside: dict[Path, Lock] = defaultdict(Lock)  # tests of a folder use the same names of files


@dataclass(frozen=True)
class Test:
    """A line of a `testlist`: program, processes, and options that begin with a word and `=`."""

    program: Path
    ranks: int
    args: tuple[str, ...]
    fails: bool  # it has passed when its status is not 0

    @property
    def title(self) -> str:
        return " ".join([f"{self.program.parent.name}/{self.program.name}", str(self.ranks), *self.args])


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--mpi", default="mpich", help="names of MPIs, with commas; default: mpich")
    options.add_argument("--mode", default="1xN,2xN", help=f"with commas, of {', '.join(MODES)}; default: 1xN,2xN")
    options.add_argument("--limit", type=float, default=LIMIT, help="seconds for each run")
    options.add_argument("folders", nargs="*", help=f"of {' '.join(FOLDERS + MORE_FOLDERS)}; default: the first ones")
    given = options.parse_args()
    if unknown := sorted(set(given.folders) - {*FOLDERS, *MORE_FOLDERS}):
        sys.exit(f"unknown folder: {', '.join(unknown)}")
    if unknown := sorted(set(given.mode.split(",")) - set(MODES)):
        sys.exit(f"unknown mode: {', '.join(unknown)}; modes: {', '.join(MODES)}")
    differs = False
    try:
        for mpi in find(given.mpi.split(",")):
            built = build(mpi, targets=["raddle", "raddle-ranks"])
            suite = made(mpi)
            for mode in given.mode.split(","):
                differs |= compared(mpi, suite, given.folders or FOLDERS, mode, built, given.limit)
    except UserError as error:
        sys.exit(f"{error}\n{error.hint}")
    sys.exit(1 if differs else 0)


def made(mpi: Mpi) -> Path:
    """The suite, built for an MPI: each program, and beside it as NAME.so its form for ranks."""
    place = WORK / mpi.label
    if (place / "made").exists():
        return place
    shutil.rmtree(place, ignore_errors=True)
    source = WORK / "source"
    if not source.exists():
        fresh = WORK / "source.new"
        shutil.rmtree(fresh, ignore_errors=True)
        fresh.mkdir(parents=True)
        unpack("mpich", fresh)
        fresh.rename(source)
    shutil.copytree(source / "test" / "mpi", place, symlinks=True)
    env = launcher_for(mpi).environment(mpi, {})
    step = [
        *("./configure", "CC=gcc", f"MPICC={mpi.mpicc}", f"--with-mpi={mpi.prefix}", "CFLAGS=-fPIC -O1 -w"),
        *("--disable-fortran", "--disable-cxx", "--enable-threads=multiple", "--disable-dependency-tracking"),
    ]
    print(f"Building MPICH's test suite for {mpi.family.title} {mpi.version} ...", flush=True)
    with (place / "build.log").open("w") as log:
        if subprocess.run(step, cwd=place, env=env, stdout=log, stderr=log, check=False).returncode:
            raise UserError("MPICH's test suite cannot be configured.", hint=f"{place / 'build.log'} says why.")
        for folder in ("util", "dtpools", *FOLDERS, *MORE_FOLDERS):
            # Some programs are for MPICH alone, so that not all of it has to succeed.
            make = ["make", "-k", f"-j{os.cpu_count() or 1}", "-C", folder, "check", "TESTS="]
            subprocess.run(make, cwd=place, env=env, stdout=log, stderr=log, check=False)
        for program in {test.program for test in tests_in(place, FOLDERS + MORE_FOLDERS)}:
            threads = "_thread" if "threads" in program.relative_to(place).parts else "_single"
            libraries = [place / name for name in (*LIBRARIES, f"util/.libs/libmtest{threads}.a")]
            shared = ["-fPIC", "-shared", "-w", "-Wl,-z,defs", "-o", f"{program}.so"]
            words = [str(mpi.mpicc), *shared, *map(str, objects(program) + libraries), "-lpthread", "-lm"]
            subprocess.run(words, env=env, stdout=log, stderr=log, check=False)
    (place / "made").touch()
    return place


def objects(program: Path) -> list[Path]:
    """What it is linked of, by the names that automake gives, and what several programs of its folder share."""
    folder, own = program.parent, program.with_name(f"{program.name}.o")
    if not own.exists():
        return [*folder.glob(f"{program.name}-*.o")]
    return [own, *(one for one in folder.glob("*.o") if one.stem in ("mcs_mutex", "win_sync_util"))]


def tests_in(place: Path, folders: Sequence[str]) -> Iterator[Test]:
    """Those whose programs are there, but for repetitions with settings of MPICH's."""
    for folder in folders:
        for listed in sorted((place / folder).rglob("testlist")):
            for line in listed.read_text(encoding="utf-8").splitlines():
                words = line.partition("#")[0].split()
                if len(words) < 2 or not words[1].isdigit() or not (listed.parent / words[0]).is_file():
                    continue
                said = [(name, value) for name, _, value in (word.partition("=") for word in words[2:])]
                if any(name == "env" for name, _ in said):
                    continue
                yield Test(
                    program=listed.parent / words[0],
                    ranks=int(words[1]),
                    args=tuple(value for name, value in said if name == "arg"),
                    fails=("resultTest", "TestStatus") in said or ("resultTest", "TestErrFatal") in said,
                )


def as_library(test: Test) -> Path:
    """Of which ranks are made."""
    return test.program.with_name(f"{test.program.name}.so")


def outcome(mpi: Mpi, test: Test, mode: str, built: Path, limit: float) -> str:
    """How it went: `passes`, or what is wrong."""
    program = as_library(test) if mode in RANKS_ARE_THREADS else test.program
    with _beside[program.parent]:
        words = [str(program), *test.args]
        ended = run_ranks(mpi, words, test.ranks, mode, built, limit, directory=program.parent)
    if ended.failed:
        return ended.failed
    if test.fails:
        return "passes" if ended.status else "does not fail"
    return "passes" if ended.status == 0 and any("No Errors" in line for line in ended.lines) else "fails"


def compared(mpi: Mpi, suite: Path, folders: Sequence[str], mode: str, built: Path, limit: float) -> bool:
    """Tells what passes natively and not in this mode, and the sums. Returns whether there is any."""
    two = mode in ("2xN", "nodes")
    tests = [test for test in tests_in(suite, folders) if not two or test.ranks % 2 == 0]
    if mode in RANKS_ARE_THREADS:
        tests = [test for test in tests if as_library(test).exists()]
    sums = Counter[str]()

    def each(test: Test) -> tuple[Test, str, str]:
        found = outcome(mpi, test, mode, built, limit)
        return test, found, "" if found == "passes" else outcome(mpi, test, "native", built, limit)

    with ThreadPoolExecutor(RUNS_A_CPU * (os.cpu_count() or 1)) as pool:
        for test, found, native in pool.map(each, tests):
            how = "pass" if found == "passes" else "differ" if native == "passes" else "pass neither way"
            sums[how] += 1
            if how == "differ":
                print(f"{mpi.name} {mode}: {test.title} {found}", flush=True)
    told = ", ".join(f"{sums[how]} {how}" for how in ("pass", "differ", "pass neither way"))
    print(f"{mpi.name} {mode}: of {len(tests)} tests {told}", flush=True)
    return sums["differ"] > 0


if __name__ == "__main__":
    main()
