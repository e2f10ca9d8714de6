# SPDX-License-Identifier: BSD-3-Clause
"""The pages of sparse exchange: known rows, and what their tables, bars, dots and sentences make of them."""

from __future__ import annotations

import pytest

from raddle.model import WAYS
from raddle.report.data import Data
from raddle.report.figures import figures
from raddle.report.figures.sparse.cells import work_told
from tests.report.dsde import TIMES, census, endpoints, grid, study
from tests.report.looks import drawn, front_lines, page
from tests.report.suite import SPREAD


def test_work_is_told_as_far_as_it_is_not_usual() -> None:
    assert work_told(grid("auto", 1.0)) == "4 ranks, 1 KiB, random"
    assert work_told(grid("auto", 1.0, fraction=0.5)) == "4 ranks, 1 KiB, random, 50 % neighbours"
    assert work_told(grid("auto", 1.0, pattern="nearest", fraction=0.5)) == "4 ranks, 1 KiB, nearest"
    assert work_told(grid("auto", 1.0, pattern="empty")) == "4 ranks, empty"


def test_the_comparison_of_the_article_is_a_table_with_ratios_and_intervals() -> None:
    figure = page("census", *study("intel", plain=200.0))
    line = front_lines(figure)["intel, 16 ranks*"]
    assert line["alltoallv"] == "400 µs [388, 412]"
    assert line["census"] == "60.0 ms [58.2, 61.8]"
    assert line["Raddle nbx / census"] == "200x [194, 206]"
    assert line["census / alltoallv"] == "0.0067x [0.0067, 0.0067]"
    assert line["Raddle auto / alltoallv"] == "2.00x [1.94, 2.06]"
    assert figure.finding == (
        "With 16 ranks Raddle's nonblocking census is 200x [194, 206] as fast as the plain loop on intel"
    )
    assert drawn(figure.panels[0]) == {
        "native-alltoallv": [400.0], "native-nbx": [90000.0, 60000.0], "nbx": [300.0, 300.0], "auto": [200.0]
    }  # fmt: skip


def test_numbers_of_ranks_have_lines_of_their_own_and_the_usual_one_the_title() -> None:
    rows = [
        census(name, time * ranks, ranks) for ranks in (4, 16) for name, time in (("native-nbx", 2.0), ("nbx", 1.0))
    ]
    figure = page("census", *rows)
    assert list(front_lines(figure)) == ["mpich, 4 ranks*", "mpich, 16 ranks*"]
    assert figure.finding.startswith("With 16 ranks")
    assert front_lines(figure)["mpich, 4 ranks*"]["Raddle auto"] == "-"


def test_an_mpi_as_it_comes_has_a_line_of_its_own() -> None:
    both = (("told", 300.0), ("default", 90000.0))
    rows = [census(name, time, waiting=waiting) for waiting, time in both for name in ("native-nbx", "nbx")]
    rows[3] = census("nbx", 300.0, waiting="default")
    figure = page("census", *rows)
    found = front_lines(figure)
    assert {name: line["Raddle nbx / census"] for name, line in found.items()} == {
        "mpich, 16 ranks*": "1.00x [0.97, 1.03]",
        "mpich, 16 ranks, as it comes*": "300x [291, 309]",
    }
    assert "as it comes" not in figure.finding
    assert drawn(figure.panels[0]) == {"native-nbx": [90000.0, 300.0], "nbx": [300.0, 300.0]}


def test_every_cell_of_the_grid_is_a_line_and_the_fastest_is_marked() -> None:
    figure = page("algorithms", *study("mpich"))
    found = front_lines(figure)
    assert list(found)[:4] == [
        "2 ranks, 1 KiB, random", "4 ranks, 8 B, random", "4 ranks, 1 KiB, random", "4 ranks, 64 KiB, random",
    ]  # fmt: skip
    assert len(found) == 9
    fastest = ["native-alltoallv", "auto", "pcx"]
    others = [name for name in WAYS["algorithm"] if name in TIMES and name not in fastest]
    assert list(found["4 ranks, empty"]) == fastest + others
    assert found["4 ranks, 1 KiB, random"]["pcx"].startswith("*10.0 µs")
    assert sum(cell.startswith("*") for line in found.values() for cell in line.values()) == len(found)
    assert figure.finding == "Fastest in 9 cells, the choice left out: pcx in 9"


def test_panels_show_the_usual_work_by_number_of_ranks() -> None:
    figure = page("algorithms", *study("mpich"))
    clean, shared = figure.panels
    assert (clean.shared, shared.shared) == (False, True)
    assert drawn(clean)["pcx"] == pytest.approx([5.0])
    assert drawn(shared)["pcx"] == pytest.approx([10.0, 40.0])
    assert set(drawn(shared)) == set(TIMES)


def test_the_choice_is_held_against_the_best_of_the_others_block_by_block() -> None:
    figure = page("choice", *study("mpich"))
    line = front_lines(figure)["4 ranks, 1 KiB, random"]
    assert line == {
        "choice / best": "1.10x [1.07, 1.13]",
        "at most 1.15": "met",
        "chosen": "pcx",
        "best of the others": "pcx",
        "speed to native-alltoallv": "1.45x [1.41, 1.50]",
    }
    assert figure.finding == "The automatic choice takes at most 1.15x the time of the best: of 9 cells 9 met"
    assert drawn(figure.panels[0]) == {"auto": pytest.approx([1.1] * 9)}


@pytest.mark.parametrize(
    ("time", "blocks", "judged"),
    [(11.0, 9, "met"), (11.4, 9, "not shown"), (13.0, 9, "not met"), (9.0, 3, "not shown")],
)
def test_a_choice_is_judged_by_its_interval(time: float, blocks: int, judged: str) -> None:
    rows = [grid("pcx", 10.0, blocks=blocks), grid("auto", time, blocks=blocks)]
    assert front_lines(page("choice", *rows))["4 ranks, 1 KiB, random"]["at most 1.15"] == judged


def test_the_mpis_own_collectives_may_be_the_best() -> None:
    rows = [grid("native-alltoallv", 5.0), grid("pcx", 10.0), grid("auto", 10.0)]
    line = front_lines(page("choice", *rows))["4 ranks, 1 KiB, random"]
    assert (line["best of the others"], line["at most 1.15"]) == ("native-alltoallv", "not met")


def test_choices_that_differ_between_launches_are_counted() -> None:
    row = grid("auto", 11.0)
    row.extra["chosen"] = [4.0] * 18 + [3.0] * 9
    assert len(row.extra["chosen"]) == 3 * len(SPREAD)
    line = front_lines(page("choice", grid("pcx", 10.0), row))["4 ranks, 1 KiB, random"]
    assert line["chosen"] == "pcx 6, pex 3"


def test_nothing_to_hold_the_choice_against_is_no_page() -> None:
    assert not any(figure.name.endswith("choice") for figure in figures(Data([grid("auto", 11.0)])))
    assert not any(figure.name.endswith("choice") for figure in figures(Data([grid("pcx", 11.0)])))


def test_endpoints_stand_beside_processes_by_the_same_algorithm() -> None:
    figure = page("endpoints", *study("mpich"))
    line = front_lines(figure)["auto, 4 ranks, 1 KiB, random"]
    assert line["processes"] == "11.0 µs [11.0, 11.0]"
    assert line["endpoints of one process"] == "2.75 µs [2.75, 2.75]"
    assert figure.fronts[0].table.rows[1][3] == "4.00x [4.00, 4.00]"
    assert line["speed"] == "2.00x [2.00, 2.00]"
    assert figure.finding == "4 endpoints of one process exchange 4.00x [4.00, 4.00] on mpich as fast as 4 processes"
    assert drawn(figure.panels[0]) == {"process": [18.0, 11.0], "endpoint-direct": [4.5, 9.0, 2.75, 5.5]}


def test_endpoints_without_processes_are_compared_with_nothing() -> None:
    figure = page("endpoints", endpoints("auto", 2.0, variant="endpoint-direct", placement="one-process"))
    assert figure.finding == "Sparse exchange among endpoints and among processes"
    assert front_lines(figure)["auto, 4 ranks, 1 KiB, random"]["speed"] == "-"


def test_the_numbers_are_held_against_the_mpis_own_collectives() -> None:
    figure = page("algorithms", *study("mpich"))
    table = [dict(zip(figure.table.header, row, strict=True)) for row in figure.table.rows]
    own = next(row for row in table if (row["algorithm"], row["work"]) == ("pcx", "4 ranks, 1 KiB, random"))
    assert own["speed to native-alltoallv"] == "1.60x"
    reference = next(row for row in table if row["algorithm"] == "native-alltoallv")
    assert reference["speed to native-alltoallv"] == "-"
