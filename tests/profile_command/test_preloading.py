# SPDX-License-Identifier: BSD-3-Clause
"""The library that profiles comes first in each process, and what it is told reaches other nodes."""

from __future__ import annotations

from pathlib import Path

import pytest

from raddle.errors import UserError
from raddle.mpi.family import family
from raddle.mpi.find import Mpi
from raddle.under_raddle import Tool, preloading

LIBRARY = Path("/built/lib/libraddle.so")
TOOL = Tool(Path("/built/lib/libraddle-profile.so"), {"_RADDLE_PROFILE": "/out"})
BOTH = f"{TOOL.library}:{LIBRARY}"


@pytest.fixture(autouse=True)
def nothing_preloaded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("LD_PRELOAD", raising=False)


def made(name: str, launcher: str, words: str, tool: Tool = TOOL) -> str:
    place = Path("/opt/mpi")
    mpi = Mpi(
        family=family(name), version="1", prefix=place, mpicc=place / "mpicc", mpiexec=place / "mpiexec", library="",
        ours=False,
    )  # fmt: skip
    return " ".join(preloading(words.split(), launcher, mpi, LIBRARY, tool))


def test_hydra() -> None:
    assert made("mpich", "mpiexec", "-n 2 ./a") == f"-genv LD_PRELOAD {BOTH} -genv _RADDLE_PROFILE /out -n 2 ./a"


def test_each_part_of_a_job_of_prrte_is_told() -> None:
    told = f"-x LD_PRELOAD={BOTH} -x _RADDLE_PROFILE=/out"
    assert made("openmpi", "mpirun", "-n 1 ./a : -n 1 ./b") == f"{told} -n 1 ./a : {told} -n 1 ./b"


def test_srun_takes_the_environment() -> None:
    assert made("other", "srun", "-n 2 ./a") == f"--export=ALL,LD_PRELOAD={BOTH} -n 2 ./a"


def test_what_is_preloaded_already_comes_after_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LD_PRELOAD", "/mine.so")
    assert f"{TOOL.library}:/mine.so:{LIBRARY}" in made("mpich", "mpiexec", "-n 2 ./a")


def test_a_path_that_the_loader_would_divide_is_refused() -> None:
    with pytest.raises(UserError, match="cannot name /my built/lib"):
        made("mpich", "mpiexec", "-n 2 ./a", Tool(Path("/my built/lib/p.so"), {}))
