# SPDX-License-Identifier: BSD-3-Clause
"""`raddle` with an MPICH that exists only here, whose mpiexec starts the program once and preloads nothing.

FAKE_HOME: where it is. What the program leaves in the directory _RADDLE_PROFILE is read as records, one a line.
"""

from __future__ import annotations

import os
from contextlib import ExitStack
from pathlib import Path
from unittest.mock import patch

import msgspec

from raddle.cli import main
from raddle.errors import UserError
from raddle.mpi.family import family
from raddle.mpi.find import Mpi
from raddle.profile.model import Program, Record
from raddle.profile.trace import Written

HOME = Path(os.environ["FAKE_HOME"])
# It tells what it was given, in words divided by |.
_MPIEXEC = """#!/bin/sh
IFS='|'; echo "$*" >>"$FAKE_HOME/given"; unset IFS
while :; do
  case "$1" in
    -genv) [ "$2" = LD_PRELOAD ] || export "$2=$3"; shift 3 ;;
    -n) shift 2 ;;
    *) break ;;
  esac
done
exec "$@"
"""


def mpi() -> Mpi:
    place = HOME / "bin"
    place.mkdir(parents=True, exist_ok=True)
    for name in ("mpiexec", "mpicc"):
        (place / name).write_text(_MPIEXEC)
        (place / name).chmod(0o755)
    return Mpi(
        family=family("mpich"), version="5.0.2", prefix=HOME, mpicc=place / "mpicc", mpiexec=place / "mpiexec",
        library="MPICH Version: 5.0.2\nmore of it", ours=False,
    )  # fmt: skip


def read(directory: Path) -> list[Record]:
    found: list[Record] = []
    for path in sorted(directory.iterdir()):
        try:
            found += [msgspec.json.decode(line, type=Record) for line in path.read_bytes().splitlines()]
        except msgspec.DecodeError as error:
            raise UserError(f"{path}: {error}.") from error
    return [each for each in found if not isinstance(each, Program)]


def traced(_: Path, into: Path) -> Written:
    into.write_text("{}")
    return Written(events=7, lost=3)


if __name__ == "__main__":
    known = mpi()
    with ExitStack() as stack:
        stack.enter_context(patch("raddle.belonging.from_path", lambda _: known))
        stack.enter_context(patch("raddle.native.build", lambda *_, **__: HOME / "built"))
        stack.enter_context(patch("raddle.profile.read.read", read))
        stack.enter_context(patch("raddle.profile.record.write_trace", traced))
        main()
