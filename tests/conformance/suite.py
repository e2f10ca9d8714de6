# SPDX-License-Identifier: BSD-3-Clause
"""Brings mpi4py and the test suite that its source distribution holds."""

from __future__ import annotations

import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

from raddle.errors import UserError
from raddle.locks import exclusive
from raddle.mpi.places import home

VERSION = "4.1.2"
_REQUIREMENT = f"mpi4py=={VERSION}"
# What they test is Python's side of mpi4py, and they change what a process has once: sys.modules, the environment,
# warnings. Ranks that are threads have that in common.
NOT_OF_THE_MPI = ("test_doc", "test_mpiabi", "test_mpiapi", "test_package", "test_toplevel")


def bring() -> Path:
    """The directory with `package` (mpi4py, whose wheel loads with each MPI) and `test`; fetched once."""
    tag = f"{sys.version_info.major}.{sys.version_info.minor}"
    place = home() / "mpi4py" / f"{VERSION}-python{tag}"
    with exclusive(place.parent / ".lock", lambda: print("Waiting for another raddle that fetches mpi4py ...")):
        if place.exists():
            return place
        print(f"Fetching {_REQUIREMENT} and its tests ...", flush=True)
        with tempfile.TemporaryDirectory(dir=place.parent) as scratch:
            made = Path(scratch) / "made"
            _pip("install", "--only-binary=mpi4py", "--target", str(made / "package"))
            _pip("download", "--no-binary=mpi4py", "--dest", scratch)
            (archive,) = Path(scratch).glob("*.tar.gz")
            _unpack_tests(archive, made)
            made.rename(place)  # so that what is there is whole
    return place


def modules(tests: Path) -> list[str]:
    """The names of the test modules, in the order in which they are run."""
    found = sorted(path.stem for path in (tests / "test").glob("test_*.py"))
    return [name for name in found if name not in NOT_OF_THE_MPI]


def _unpack_tests(archive: Path, to: Path) -> None:
    with tarfile.open(archive) as opened:
        for member in opened.getmembers():
            _, _, inside = member.name.partition("/")
            if member.isfile() and inside.startswith("test/") and (content := opened.extractfile(member)):
                target = to / inside
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(content.read())


def _pip(verb: str, *options: str) -> None:
    command = [sys.executable, "-m", "pip", verb, "--quiet", "--disable-pip-version-check", "--no-deps"]
    done = subprocess.run([*command, *options, _REQUIREMENT], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        last = "\n  ".join(done.stderr.splitlines()[-5:])
        raise UserError(f"pip cannot get {_REQUIREMENT}:\n  {last}", hint="the conformance suite needs it once")
