# SPDX-License-Identifier: BSD-3-Clause
"""clang-tidy over every source, remembering which were clean: it takes ten seconds a file."""

from __future__ import annotations

import hashlib
import json
import os
import shlex
import subprocess
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from raddle import native
from raddle.mpi.find import Mpi, find
from raddle.mpi.places import installed
from raddle.source_tree import sources

SOURCE = sources()
CLEAN = SOURCE / "build" / "tidy"


@dataclass(frozen=True)
class Unit:
    """One source and how it is compiled, from which directory."""

    source: Path
    database: Path
    directory: Path
    command: list[str]

    def fingerprint(self) -> str:
        """Of all that decides what clang-tidy says: the checks, the command, the source and the headers it includes."""
        asked = [*_without_output(self.command), "-MM"]
        rule = subprocess.run(asked, cwd=self.directory, capture_output=True, text=True, check=False).stdout
        files = [self.directory / name for name in rule.replace("\\\n", " ").partition(":")[2].split()]
        digest = hashlib.sha256(shlex.join(self.command).encode())
        settings = (parent / ".clang-tidy" for parent in self.source.parents)
        for file in (*settings, self.source, *files):
            digest.update(file.read_bytes() if file.exists() else b"")
        return digest.hexdigest()


def check_all(sources: Iterable[str], tidy: Path) -> bool:
    """Checks each source as the first build that has it compiles it; a source that no build has is reported."""
    units = {unit.source: unit for database in reversed(_databases()) for unit in _units(database)}
    wanted = [SOURCE / name for name in sources]
    orphans = [path for path in wanted if path not in units]
    for path in orphans:
        print(f"{path.relative_to(SOURCE)}: in no build, so not checked")
    CLEAN.mkdir(parents=True, exist_ok=True)
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        results = list(pool.map(lambda path: _check(units[path], tidy), (path for path in wanted if path in units)))
    return all(results)


def _databases() -> list[Path]:
    """What needs no MPI, and one MPI: another one would find the same mistakes."""
    mpis = [None, *find([installed()[0].name])] if installed() else [None]
    builds = [native.build(mpi, preset="lint", targets=_headers(mpi)) for mpi in mpis]  # as CMakeLists.txt is now
    return [_without_precompiled(build) for build in builds]


def _headers(mpi: Mpi | None) -> list[str]:
    of_mpi = ["raddle_mpi_read", "src/interpose/generated/collectives.hpp"]
    return ["build.ninja", "raddle_benchmarks_headers", *(of_mpi if mpi else [])]


def _without_precompiled(build: Path) -> Path:
    """A database like the build's, but each source has only the headers that it includes.

    GCC's precompiled headers are not for clang, and would hide that a source lacks an include.
    """
    entries = json.loads((build / "compile_commands.json").read_text(encoding="utf-8"))
    for entry in entries:
        words = shlex.split(entry["command"])
        forced = [
            at for at, word in enumerate(words) if word.endswith("/cmake_pch.hxx") and words[at - 1] == "-include"
        ]
        left_out = {*forced, *(at - 1 for at in forced)}
        entry["command"] = shlex.join(word for at, word in enumerate(words) if at not in left_out)
    place = CLEAN / build.name
    place.mkdir(parents=True, exist_ok=True)
    kept = [entry for entry in entries if not Path(entry["file"]).name.startswith("cmake_pch.")]
    (place / "compile_commands.json").write_text(json.dumps(kept), encoding="utf-8")
    return place


def _units(database: Path) -> list[Unit]:
    entries = json.loads((database / "compile_commands.json").read_text(encoding="utf-8"))
    return [
        Unit(Path(entry["file"]), database, Path(entry["directory"]), shlex.split(entry["command"]))
        for entry in entries
    ]


def _check(unit: Unit, tidy: Path) -> bool:
    clean = CLEAN / unit.fingerprint()
    if clean.exists():
        return True
    # GCC's omp.h is where clang does not look; after all other places, so that clang's own headers win.
    gcc = subprocess.run([unit.command[0], "-print-file-name=include"], capture_output=True, text=True, check=False)
    command = [str(tidy), "--quiet", "-p", str(unit.database), f"--extra-arg=-idirafter{gcc.stdout.strip()}"]
    done = subprocess.run([*command, str(unit.source)], capture_output=True, text=True, check=False)
    if done.returncode == 0:
        clean.touch()
    else:
        print(done.stdout.strip() or done.stderr.strip(), flush=True)
    return done.returncode == 0


def _without_output(command: list[str]) -> list[str]:
    """The compile command without `-o FILE`, which would get the list of headers instead of us."""
    at = command.index("-o") if "-o" in command else len(command)
    return command[:at] + command[at + 2 :]
