# SPDX-License-Identifier: BSD-3-Clause
"""Asks an mpicc which MPI it belongs to, by making a small program and starting it; remembers the answer."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import tempfile
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

from raddle.errors import UserError
from raddle.mpi.linked import linked
from raddle.mpi.places import home

# MPI_Get_library_version is one of the few calls allowed before MPI_Init, so no launcher is needed.
_PROGRAM = """\
#include <mpi.h>
#include <stdio.h>
int main(void) {
  char text[MPI_MAX_LIBRARY_VERSION_STRING];
  int length = 0;
  if (MPI_Get_library_version(text, &length) != MPI_SUCCESS) return 1;
  return puts(text) < 0;
}
"""
_SECONDS = 120
_LINES_SHOWN = 12


@dataclass(frozen=True)
class Answer:
    """What the library behind an mpicc says of itself, and its file; empty: a program of it names none."""

    library: str
    linked: str


def probed(mpicc: Path, env: Mapping[str, str]) -> Answer:
    """What is behind `mpicc`. Raises UserError when the compiler does not work."""
    state = mpicc.stat()
    key: list[str | int] = [str(mpicc), state.st_mtime_ns, state.st_size]
    known = home() / "probes" / f"{hashlib.sha256(str(mpicc).encode()).hexdigest()[:16]}.json"
    if (answer := _remembered(known, key)) is not None:
        return answer
    answer = _ask(mpicc, {**os.environ, **env})
    _remember(known, {"key": key, **asdict(answer)})
    return answer


def _ask(mpicc: Path, env: Mapping[str, str]) -> Answer:
    with tempfile.TemporaryDirectory(prefix="raddle-probe-") as scratch:
        source, program = Path(scratch) / "probe.c", Path(scratch) / "probe"
        source.write_text(_PROGRAM, encoding="utf-8")
        _run([str(mpicc), str(source), "-o", str(program)], env, f"{mpicc} does not compile an MPI program")
        said = _run([str(program)], env, f"A program made by {mpicc} does not start").strip()
        found = linked(program, env)
        return Answer(said, str(found.file) if found and found.file else "")


def _run(command: list[str], env: Mapping[str, str], failure: str) -> str:
    try:
        done = subprocess.run(
            command, env=env, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace",
            timeout=_SECONDS, check=False,
        )  # fmt: skip
    except OSError as error:
        raise UserError(f"{failure}: {error.strerror}.", hint=_HINT) from error
    except subprocess.TimeoutExpired as error:
        raise UserError(f"{failure}: no end after {_SECONDS} s.", hint=_HINT) from error
    if done.returncode != 0:
        said = (done.stderr or done.stdout).strip().splitlines() or [f"status {done.returncode}, no message"]
        raise UserError("\n  ".join([f"{failure}:", *said[-_LINES_SHOWN:]]), hint=_HINT)
    return done.stdout


_HINT = "A C compiler has to be installed, and the MPI's module loaded. Or take another MPI: raddle mpi install"


def _remembered(known: Path, key: list[str | int]) -> Answer | None:
    try:
        record = json.loads(known.read_text(encoding="utf-8"))
        return Answer(str(record["library"]), str(record["linked"])) if record["key"] == key else None
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _remember(known: Path, record: dict[str, object]) -> None:
    """By a rename, since several raddle may run at once. A read-only home only costs the next start a second."""
    try:
        known.parent.mkdir(parents=True, exist_ok=True)
        fresh = known.with_suffix(f".{os.getpid()}")
        fresh.write_text(json.dumps(record), encoding="utf-8")
        fresh.replace(known)
    except OSError:
        return
