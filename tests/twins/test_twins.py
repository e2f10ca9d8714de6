# SPDX-License-Identifier: BSD-3-Clause
"""The twins, in a form that takes minutes: on one MPI all modes, on the others one for each program."""

from __future__ import annotations

import os
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

import pytest

from raddle.mpi.find import find
from raddle.mpi.places import installed
from tests import leftovers
from tests.twins.cells import Row, one_mode, row
from tests.twins.launch import SECONDS
from tests.twins.program import MODES, parse, programs
from tests.twins.run import RUNS_A_CPU, built, left_behind

# The first test waits until the libraries are built. Part of `make test-long` until all of them are equal.
pytestmark = [pytest.mark.timeout(900), pytest.mark.long]

ALL_MODES_ON = "mpich"  # its launches are the quickest
NAMES = [member.name for member in installed()]
PROGRAMS = {one.name: one for one in programs()}
Work = dict[tuple[str, str], list[Future[Row]]]


@pytest.fixture(scope="module")
def work() -> Iterator[Work]:
    """All runs, begun at once: tests take their results in turn."""
    before = leftovers.segments()
    with ThreadPoolExecutor(RUNS_A_CPU * (os.cpu_count() or 1)) as pool:
        begun: Work = {}
        for mpi in find(NAMES) if NAMES else []:
            place = built(mpi)
            for name, one in PROGRAMS.items():
                modes = list(MODES) if mpi.name == ALL_MODES_ON else one_mode(one)
                begun[mpi.name, name] = [pool.submit(row, mpi, one, args, modes, place, SECONDS) for args in one.args]
        yield begun
        for future in (future for futures in begun.values() for future in futures):
            future.cancel()
    assert not left_behind(before)


@pytest.mark.parametrize("mpi", NAMES)
@pytest.mark.parametrize("name", PROGRAMS)
def test_twins_are_equal(work: Work, mpi: str, name: str) -> None:
    rows = [future.result() for future in work[mpi, name]]
    told = [f"{one.title}, {mode}: {text}" for one in rows for mode, text in one.found.items() if text]
    assert not told, "\n".join(told)


def test_there_are_many() -> None:
    assert len(PROGRAMS) >= 120


@pytest.mark.parametrize(
    "line", ["// status: nonzero", "// except: mpich/1xN", "// except: mpich/3xN: why", "// ranks: 3", "// dies:"]
)
def test_declarations_are_understood_or_refused(line: str) -> None:
    with pytest.raises(ValueError, match=r"x\.c: "):
        parse(Path("x.c"), f"// SPDX\n{line}\n#include <mpi.h>\n")
