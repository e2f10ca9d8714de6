# SPDX-License-Identifier: BSD-3-Clause
"""The twins, in a form that takes minutes: on one MPI all programs in all modes, on the others each in some."""

from __future__ import annotations

import os
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

import pytest

from raddle.mpi.find import find
from raddle.mpi.places import installed
from tests import leftovers
from tests.twins.cells import Row, row, short
from tests.twins.launch import SECONDS
from tests.twins.program import MODES, parse, programs
from tests.twins.run import RUNS_A_CPU, built, left_behind

# The first test waits until the libraries are built.
pytestmark = pytest.mark.timeout(900)

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
                begun[mpi.name, name] = [
                    pool.submit(row, mpi, one, args, modes, place, SECONDS)
                    for args, modes in short(one, every_mode=mpi.name == ALL_MODES_ON)
                ]
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


@pytest.mark.parametrize("mode", MODES)
def test_the_short_form_has_each_mode(mode: str) -> None:
    """On any MPI, of all programs together; and on one of them of each program."""
    some = [modes for one in PROGRAMS.values() for _, modes in short(one, every_mode=False)]
    assert sum(mode in modes for modes in some) > len(some) / (2 * len(MODES))
    every: list[list[str]] = [short(one, every_mode=True)[0][1] for one in PROGRAMS.values()]
    assert all(mode in modes for modes in every)


@pytest.mark.parametrize(
    "line", ["// status: nonzero", "// except: mpich/1xN", "// except: mpich/3xN: why", "// ranks: 3", "// dies:"]
)
def test_declarations_are_understood_or_refused(line: str) -> None:
    with pytest.raises(ValueError, match=r"x\.c: "):
        parse(Path("x.c"), f"// SPDX\n{line}\n#include <mpi.h>\n")
