# SPDX-License-Identifier: BSD-3-Clause
"""A benchmark's own parameters: what is compared with what, what stands for the whole, and what rows are called."""

from __future__ import annotations

import csv
import io

from raddle.compare.words import label
from raddle.report.csv import to_csv
from raddle.report.data import Data
from raddle.report.matrix import matrix
from raddle.report.medians import medians
from raddle.report.page import row_name
from raddle.report.rows import headline
from tests.report.looks import page
from tests.report.suite import flows, levels


def test_other_placements_have_panels_of_their_own() -> None:
    rows = [*flows("message_rate", 2.0), *flows("message_rate", 3.0, placement="netns")]
    assert [panel.title for panel in page("t4-message-rate", *rows).panels] == ["mpich", "mpich, netns"]
    assert [part.work for part in matrix(Data(rows))] == ["0 B, 1 flow", "0 B, 1 flow, netns"]
    assert [part.lines[0].cells[0].value for part in matrix(Data(rows))] == ["0.50x", "0.33x"]


def test_ways_are_lines_of_the_matrix_and_the_medians(suite: Data) -> None:
    overhead = matrix(suite)[0]
    assert [line.label for line in overhead.lines] == ["funneled", "serialized", "multiple"]
    assert overhead.lines[2].cells[0].value == "0.74x"
    assert [line.label for line in medians(suite)[0].lines] == ["single", "funneled", "serialized", "multiple"]
    assert not any(part.benchmark in ("lock_operations", "liveness") for part in matrix(suite))


def test_of_many_parameters_some_stand_for_a_benchmark(suite: Data) -> None:
    chosen = headline(suite.rows, "concurrent_collectives")
    assert {row.params["collective"] for row in chosen} == {"allreduce"}
    assert {row.params["long_bytes"] for row in headline(suite.rows, "short_long")} == {4 << 20}


def test_every_row_has_a_name_of_its_own(suite: Data) -> None:
    names = [row_name(suite, row) for row in suite.rows]
    assert len(set(names)) == len(names)
    assert "thread_overhead 8 B, multiple node, MPICH 5.0.2, clean" in names
    assert len({label(row) for row in suite.rows}) == len(names)


def test_a_spreadsheet_gets_the_ratio_of_levels() -> None:
    single, multiple = csv.DictReader(io.StringIO(to_csv(Data(levels(1.25)))))
    assert (single["speed_to_process"], multiple["speed_to_process"]) == ("", "0.8")
