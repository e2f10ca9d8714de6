# SPDX-License-Identifier: BSD-3-Clause
"""Brings programs from the registries, and builds them."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import machine

from programs.program import Program
from raddle.errors import UserError
from raddle.mpi.find import Mpi

_SOURCES = Path("/etc/apt/sources.list.d/debian.sources")


def bring(program: Program, place: Path) -> Path:
    """Returns the directory of its wheel or source, made as `prepare` says; what is there already is used again."""
    source = place / "source"
    missing = [name for name in program.apt if not _is_installed(name)]
    if missing and not machine.apt_install(*missing):
        raise UserError(f"{' '.join(missing)} cannot be installed.", hint="It takes root on Debian or Ubuntu.")
    if not source.exists():
        fresh = place / "source.new"
        shutil.rmtree(fresh, ignore_errors=True)
        fresh.mkdir(parents=True, exist_ok=True)
        if program.pip:
            _run([sys.executable, "-m", "pip", "install", "--quiet", "--target", str(fresh), program.pip])
        if program.source:
            unpack(program.source, fresh)
        fresh.rename(source)
    if program.prepare:
        _run(["sh", "-ec", program.prepare], cwd=source, env={**os.environ, **_places(source)})
    return source


def build(program: Program, mpi: Mpi, source: Path, place: Path) -> Path:
    """Returns the program for an MPI; beside it, as a library, its form for ranks."""
    if not program.build:
        return Path(program.program.format(prefix=mpi.prefix, family=mpi.family.name, python=sys.executable))
    path = place / "program"
    env = {**os.environ, **mpi.env(), **_places(source)}
    env |= {"CC": str(mpi.mpicc), "CXX": str(mpi.mpicc.with_name(mpi.mpicc.name.replace("mpicc", "mpicxx")))}
    for form, out in (("", path), ("-fPIC -shared -Wl,-Bsymbolic-functions", Path(f"{path}.so"))):
        if not out.exists():
            _run(["sh", "-ec", program.build], cwd=place, env={**env, "FORM": form, "OUT": str(out)})
    return path


def _places(source: Path) -> dict[str, str]:
    return {"SOURCE": str(source), "TOOLS": str(Path(__file__).parent)}


def unpack(name: str, into: Path) -> None:
    """Brings a source package of Debian: the archive of its authors, without Debian's changes."""
    lists, sources = into / "lists", into / "deb-src.sources"
    (lists / "partial").mkdir(parents=True)
    sources.write_text(_SOURCES.read_text("utf-8").replace("Types: deb\n", "Types: deb-src\n"), "utf-8")
    apt = ["apt-get", "--quiet", "-o", f"Dir::Etc::sourcelist={sources}", "-o", "Dir::Etc::sourceparts=/dev/null"]
    apt += ["-o", f"Dir::State::lists={lists}", "-o", "APT::Sandbox::User=root"]
    _run([*apt, "update"], quiet=True)
    _run([*apt, "source", "--download-only", "--tar-only", name], cwd=into, quiet=True)
    (archive,) = into.glob("*.orig.tar.*")
    _run(["tar", "--extract", "--strip-components=1", f"--file={archive}"], cwd=into)


def _is_installed(package: str) -> bool:
    return not subprocess.run(["dpkg", "--status", package], capture_output=True, check=False).returncode


def _run(words: list[str], *, cwd: Path | None = None, env: dict[str, str] | None = None, quiet: bool = False) -> None:
    out = subprocess.DEVNULL if quiet else None
    subprocess.run(words, cwd=cwd, env=env, stdin=subprocess.DEVNULL, stdout=out, check=True)
