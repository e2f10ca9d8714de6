# SPDX-License-Identifier: BSD-3-Clause
"""Builds the programs that measure, out of tree, once for each MPI; ninja decides what there is to do."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from functools import cache
from pathlib import Path
from subprocess import DEVNULL, PIPE, STDOUT

from raddle.build_steps import STATUS, Steps
from raddle.errors import UserError
from raddle.launchers import LAUNCHERS
from raddle.locks import exclusive
from raddle.mpi.find import Mpi
from raddle.mpi.places import home
from raddle.say import Say
from raddle.source_tree import is_carried, sources

_LINES_SHOWN = 30
_FOR_EACH_MPI = ("raddle_bench_core", "raddle_locks")  # what is built once, without MPI, and used beside each


def ensure(
    mpi: Mpi | None, *, besides: Iterable[str] = ("raddle",), preset: str = "release", report: Say = print
) -> Path:
    """The directory with an up-to-date raddle-bench for this MPI, or with raddle-probe, which needs none.

    With raddle-bench come the targets `besides`: the libraddle that some of its variants preload (in `lib` beside that
    directory), the program of proxies that some launches start.
    """
    targets = ["raddle-bench", *besides] if mpi else ["raddle-probe", *_FOR_EACH_MPI]
    return build(mpi, preset=preset, targets=targets, report=report) / "bin"


def build(mpi: Mpi | None, *, preset: str = "release", targets: Sequence[str] = ("all",), report: Say = print) -> Path:
    """Builds targets and returns the build directory. Says nothing when there is nothing to do."""
    if mpi:
        build(None, preset=preset, targets=_FOR_EACH_MPI, report=report)
    directory = configure(mpi, preset=preset, report=report)
    ninja, env = [tool("ninja"), "-C", str(directory)], _environment(mpi)
    with _alone(directory, report):
        if "no work to do" not in _dry_run([*ninja, "-n", *targets], env):
            report(f"Building {_what(mpi, preset)} ...")
            _run([*ninja, *targets], directory, env, f"Cannot build {_what(mpi, preset)}", Steps(report))
    return directory


def install(mpi: Mpi, prefix: Path, report: Say = print) -> None:
    """Builds the library and the programs that go with it, and puts them into `prefix` with what finds them there."""
    directory = build(mpi, targets=["raddle-installed"], report=report)
    command = [tool("cmake"), "--install", str(directory), "--prefix", str(prefix)]
    done = subprocess.run(command, env=_environment(mpi), capture_output=True, text=True, errors="replace", check=False)
    if done.returncode != 0:
        raise UserError(
            f"Cannot install in {prefix}:\n  {done.stderr.strip()}", hint="Name a directory that is yours to write."
        )


def configure(mpi: Mpi | None, *, preset: str = "release", report: Say = print) -> Path:
    """Runs CMake unless it has run with the same arguments, and returns the build directory."""
    source = sources()
    directory = _directory(source, mpi, preset)
    stamp = directory / "raddle-configuration.txt"
    command = _configuration(source, directory, mpi, preset)
    compilers = [os.environ.get("CXX", ""), os.environ.get("CXXFLAGS", "")]
    # The MPI's wrapper is the Fortran compiler, and they say what it calls.
    compilers += [os.environ.get("OMPI_FC", ""), os.environ.get("MPICH_FC", ""), os.environ.get("I_MPI_F90", "")]
    # What was left out for want of a Fortran compiler is built when there is one.
    wanted = "\n".join([*command, *compilers, shutil.which("gfortran") or "", fingerprint(source)])
    with _alone(directory, report):
        if not stamp.exists() or stamp.read_text(encoding="utf-8") != wanted:
            report(f"Configuring {_what(mpi, preset)} ...")
            if is_carried(source):
                _clear(directory)
            (directory / "CMakeCache.txt").unlink(missing_ok=True)  # keeps what it found out about another compiler
            stamp.unlink(missing_ok=True)
            _run(command, directory, _environment(mpi), f"Cannot configure {_what(mpi, preset)}")
            stamp.write_text(wanted, encoding="utf-8")
    return directory


def build_apart(name: str, compiler: str, report: Say = print) -> Path:
    """Builds the project `bench/NAME`, which has a compiler of its own, and returns the build directory."""
    source, directory = sources() / "bench" / name, builds(sources()) / name
    env, stamp = _environment(None), directory / "build.ninja"
    with _alone(directory, report):
        if not stamp.exists():
            command = [tool("cmake"), "-S", str(source), "-B", str(directory), "-G", "Ninja"]
            command += [f"-DCMAKE_MAKE_PROGRAM={tool('ninja')}", f"-DCMAKE_CXX_COMPILER={compiler}"]
            report(f"Configuring bench/{name} ...")
            _run([*command, "-DCMAKE_BUILD_TYPE=Release"], directory, env, f"Cannot configure bench/{name}")
        ninja = [tool("ninja"), "-C", str(directory)]
        if "no work to do" not in _dry_run([*ninja, "-n"], env):
            report(f"Building bench/{name} ...")
            _run(ninja, directory, env, f"Cannot build bench/{name}", Steps(report))
    return directory


def builds(source: Path) -> Path:
    """The directory for builds of these sources: an installed package's may not be one's own to write."""
    if not is_carried(source):
        return source / "build"
    return home() / "build" / hashlib.sha256(str(source).encode()).hexdigest()[:12]


@cache
def fingerprint(source: Path) -> str:
    """Changes with the files of an installed package. Their times do not tell: another version's may be older."""
    if not is_carried(source):
        return ""
    digest = hashlib.sha256()
    for path in sorted(path for path in source.rglob("*") if path.is_file()):
        digest.update(str(path.relative_to(source)).encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()


def _directory(source: Path, mpi: Mpi | None, preset: str) -> Path:
    return builds(source) / f"{preset}-{mpi.label if mpi else 'no-mpi'}"


def _what(mpi: Mpi | None, preset: str) -> str:
    return f"for {mpi.title} ({preset})" if mpi else f"what needs no MPI ({preset})"


def _alone(directory: Path, report: Say) -> AbstractContextManager[None]:
    return exclusive(directory / ".lock", lambda: report(f"Waiting for another raddle that builds in {directory} ..."))


def _configuration(source: Path, directory: Path, mpi: Mpi | None, preset: str) -> list[str]:
    command = [tool("cmake"), "-S", str(source), "--preset", preset, "-B", str(directory)]
    command += ["-G", "Ninja", f"-DCMAKE_MAKE_PROGRAM={tool('ninja')}"]
    # It makes the wrappers, and beside it are the C++ libraries that came as wheels.
    command += [f"-DRADDLE_PYTHON={sys.executable}"]
    if is_carried(source):
        command += ["-DRADDLE_BUILD_TESTS=OFF"]
    if mpi is None:
        return [*command, "-DRADDLE_WITH_MPI=OFF"]
    # The tests' processes bind like those of a run, and may outnumber the CPUs.
    flags = LAUNCHERS[mpi.family.launcher]().flags(mpi, oversubscribe=True)
    command += [f"-DMPI_C_COMPILER={mpi.mpicc}", f"-DMPIEXEC_EXECUTABLE={mpi.mpiexec}"]
    # What needs no MPI is the same for all of them.
    command += [f"-DRADDLE_CORE={_directory(source, None, preset)}"]
    # Red Hat and SUSE would make it lib64: a prefix looks everywhere as we tell it.
    command += ["-DCMAKE_INSTALL_LIBDIR=lib"]
    return [*command, "-DRADDLE_WITH_MPI=ON", f"-DMPIEXEC_PREFLAGS={';'.join(flags)}"]


def _clear(directory: Path) -> None:
    """Removes a build of other sources; the lock that is held stays."""
    for path in directory.iterdir():
        if path.is_dir():
            shutil.rmtree(path)
        elif path.name != ".lock":
            path.unlink()


def _environment(mpi: Mpi | None) -> dict[str, str]:
    return {**os.environ, **(mpi.env() if mpi else {})}


def tool(name: str) -> str:
    """A build tool, first the environment's: `make setup` puts it there when the system's is missing or too old."""
    beside = Path(sys.executable).with_name(name)
    found = str(beside) if beside.exists() else shutil.which(name)
    if found is None:
        raise UserError(
            f"{name} not found.", hint=f"In a checkout: make setup. Else: {sys.executable} -m pip install {name}"
        )
    return found


def _dry_run(command: Sequence[str], env: Mapping[str, str]) -> str:
    return subprocess.run(command, env=env, capture_output=True, text=True, errors="replace", check=False).stdout


def _run(
    command: Sequence[str], directory: Path, env: Mapping[str, str], failure: str, steps: Steps | None = None
) -> None:
    log = directory / "raddle-build.log"
    with log.open("w", encoding="utf-8", errors="replace") as output:
        try:
            started = subprocess.Popen(
                command, cwd=sources(), env={**env, "NINJA_STATUS": STATUS}, stdin=DEVNULL, stdout=PIPE, stderr=STDOUT,
                text=True, errors="replace",
            )  # fmt: skip
        except OSError as error:
            raise UserError(f"{failure}: {command[0]}: {error.strerror}.") from error
        with started as process:
            try:
                for line in process.stdout or ():
                    output.write(line)
                    output.flush()
                    if steps:
                        steps.heard(line)
            except BaseException:
                process.terminate()  # it ends its compilers
                raise
    if process.returncode != 0:
        last = log.read_text(encoding="utf-8", errors="replace").splitlines()[-_LINES_SHOWN:]
        raise UserError("\n  ".join([f"{failure}:", *last]), hint=f"The whole log: {log}")
