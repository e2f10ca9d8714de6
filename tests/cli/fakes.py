# SPDX-License-Identifier: BSD-3-Clause
"""MPIs, programs and plans that exist only in tests."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

from raddle.model import PointSet, Sampling
from raddle.mpi.family import Family
from raddle.mpi.find import Mpi
from raddle.plan.schedule import Launch

FAKE_BENCH = Path(__file__).with_name("fake_bench.py")
SAMPLING = Sampling(max_seconds=0.01, warmup_seconds=0.0)

# Like the real ones it does not become the program, but waits for it.
_MPIEXEC = """#!/bin/sh
[ "$1" = -n ] || exit 99
shift 2
"$@"
"""


def family(name: str = "alpha", **settings: Any) -> Family:
    """A family with the settings of a test."""
    return Family(
        **{
            "name": name,
            "title": f"{name.title()} MPI",
            "launcher": "plain",
            "wheels": (f"{name}==1.0",),
            "version_pattern": name,
            **settings,
        }
    )


def mpi(directory: Path, known: Family, version: str = "1.0") -> Mpi:
    """An installation of `known` whose mpiexec runs the program once."""
    prefix = directory / f"{known.name}-{version}"
    (prefix / "bin").mkdir(parents=True, exist_ok=True)
    mpiexec = prefix / "bin" / "mpiexec"
    mpiexec.write_text(_MPIEXEC)
    mpiexec.chmod(0o755)
    mpicc = prefix / "bin" / "mpicc"
    return Mpi(family=known, version=version, prefix=prefix, mpicc=mpicc, mpiexec=mpiexec, library="Fake", ours=True)


def programs(directory: Path) -> Path:
    """A directory with a raddle-bench and a raddle-probe that obey the protocol."""
    directory.mkdir(parents=True, exist_ok=True)
    for name in ("raddle-bench", "raddle-probe"):
        program = directory / name
        program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -S "{FAKE_BENCH}" "$@"\n')
        program.chmod(0o755)
    return directory


def launch(name: str = "b0-alpha-node-thread-x1", sizes: tuple[int, ...] = (8, 64), **settings: Any) -> Launch:
    """A launch of the message rate for some sizes."""
    sets = [
        PointSet(
            benchmark="msgrate", placement="node", variants=["thread", "lane"], params={"bytes": size, "threads": 1}
        )
        for size in sizes
    ]
    return Launch(
        **{
            "launch": name,
            "block": 0,
            "seed": 1,
            "mpi": "alpha",
            "profile": "clean",
            "sets": sets,
            "sampling": SAMPLING,
            "level": "multiple",
            "processes": 2,
            "env": {},
            **settings,
        }
    )


def alive(text: str) -> list[int]:
    """Processes whose environment holds `text`: what a test must not leave behind."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit() and int(entry.name) != os.getpid():
            try:
                state = (entry / "stat").read_text().rpartition(")")[2].split()[0]
                if state not in "ZX" and text.encode() in (entry / "environ").read_bytes():
                    found.append(int(entry.name))
            except OSError:
                continue
    return found
