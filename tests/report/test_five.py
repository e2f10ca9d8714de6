# SPDX-License-Identifier: BSD-3-Clause
"""The verdict of the overview: at most five sentences, what is sure and matters most first, ratios with intervals."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from raddle.report.data import Data
from raddle.report.figures import figures
from raddle.report.five import NOTHING, ONLY_LIMITS, five
from raddle.report.load import load
from tests.report.dsde import sparse_data
from tests.report.endpoints import endpoints_data
from tests.report.synthetic import Recipe, write_run


def test_it_begins_with_what_threads_cost_on_every_mpi(data: Data) -> None:
    lines = five(data, figures(data))
    assert len(lines) == 5
    first = lines[0].text
    assert first.startswith("Two threads of one process ")
    assert all(name in first for name in ("MPICH", "Open MPI", "Intel MPI"))
    assert not lines[0].shared
    [limit] = [line.text for line in lines if "that of the same work" in line.text]
    assert limit.startswith("On MPICH the best ")
    assert re.search(r"x \[[\d., ]+\] that of the same work without an MPI, on Open MPI \d", limit)


@pytest.mark.parametrize("made", [sparse_data, endpoints_data])
def test_every_ratio_has_its_interval(made: Callable[[], Data]) -> None:
    data = made()
    lines = five(data, figures(data))
    assert 1 <= len(lines) <= 5
    for line in lines:
        assert line.text.endswith(".")
        assert re.search(r"[\d.]+x? ?[%a-zµ]* \[", line.text), line.text
        assert not re.search(r"\d+x(?! \[)", line.text), line.text


def test_few_blocks_show_nothing_and_say_so(few: Data) -> None:
    lines = five(few, figures(few))
    assert lines
    assert all("too small" in line.text for line in lines)
    assert all(re.search(r"about [\d.]+x", line.text) for line in lines)


def test_limits_alone_are_called_so(tmp_path: Path) -> None:
    data = load(write_run(tmp_path, Recipe(blocks=6, samples=6, sizes=[8], mpis=[])))
    assert [line.text for line in five(data, figures(data))] == [ONLY_LIMITS]


def test_one_way_alone_is_compared_with_nothing(tmp_path: Path) -> None:
    whole = load(write_run(tmp_path, Recipe(blocks=6, samples=6, sizes=[8], mpis=["mpich"])))
    data = Data([row for row in whole.rows if row.variant == "lane"])
    assert [line.text for line in five(data, figures(data))] == [NOTHING]
