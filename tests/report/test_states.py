# SPDX-License-Identifier: BSD-3-Clause
"""A run on a machine whose CPUs were moved: what the report says of its states, and in which one figures are."""

from __future__ import annotations

import csv
import io
import shutil
from pathlib import Path

import pytest
from rich.cells import cell_len

from raddle.report.csv import to_csv
from raddle.report.data import Data
from raddle.report.figures import states as figure
from raddle.report.html import render
from raddle.report.load import load
from raddle.report.states import fact, sentence
from raddle.report.write import write
from raddle.results.merged import write_merged
from tests.report.browser import Show
from tests.report.looks import printed
from tests.report.synthetic import COSTS, FAR_NS, NEAR_NS, Recipe, write_run

TOLD = "The machine was in two states: neighbouring CPUs ("


@pytest.fixture(scope="module")
def moving(tmp_path_factory: pytest.TempPathFactory) -> Path:
    recipe = Recipe(blocks=16, samples=6, sizes=[8], mpis=["openmpi"], moving=True)
    return write_run(tmp_path_factory.mktemp("moving"), recipe)


@pytest.fixture(scope="module")
def moved(moving: Path) -> Data:
    return load(moving)


def test_a_sentence_tells_the_states_and_their_parts(moved: Data) -> None:
    told = sentence(moved)
    assert told.startswith(TOLD)
    near, far = moved.log.states.seen
    assert near.core_to_core_ns == pytest.approx(NEAR_NS, rel=0.05)
    assert far.core_to_core_ns == pytest.approx(FAR_NS, rel=0.05)
    parts = [moved.log.states.share(each.name) for each in (near, far)]
    assert f"{parts[0]:.0%} of launches" in told
    assert f", {parts[1]:.0%})" in told
    assert f"in {1 - sum(parts):.0%} it changed meanwhile" in told
    assert "other figures of neighbouring CPUs" in told
    assert told in render(moved, [])


def test_the_terminal_has_the_medians_of_each(moved: Data) -> None:
    lines = printed(moved)
    assert max(map(cell_len, lines)) <= 80
    assert any(line.startswith(TOLD) for line in lines)
    near, far = (
        lines.index(f"Medians, {words} [95 % interval over blocks]") for words in ("neighbouring CPUs", "distant CPUs")
    )
    where = next(number for number, line in enumerate(lines) if number > near and "latency 8 B, 1 pair, node" in line)
    there = next(number for number, line in enumerate(lines) if number > far and "latency 8 B, 1 pair, node" in line)
    true = COSTS["openmpi"]["process", "node"].latency_us
    assert float(lines[where + 1].split()[1]) == pytest.approx(true, rel=0.1)
    assert float(lines[there + 1].split()[1]) == pytest.approx(2.5 * true, rel=0.1)


def test_the_figure_shows_probes_and_every_point_in_each_state(moved: Data) -> None:
    found = figure.build(moved)
    assert found is not None
    assert found.fronts[0].table.header[2:] == ["neighbouring CPUs", "distant CPUs"]
    assert {row[5] for row in found.table.rows} == {"neighbouring CPUs", "distant CPUs"}
    assert len(found.panels) == 1
    blocks = sum(int(row[-1]) for row in found.table.rows if row[:5] == found.table.rows[0][:5])
    assert 0 < blocks <= 16


def test_what_is_kept_of_a_run_tells_the_same(moving: Path, moved: Data, tmp_path: Path) -> None:
    write_merged(moving)
    write(moved, moving)
    for name in ("results.jsonl", "environment.json"):
        shutil.copy(moving / name, tmp_path / name)
    kept = load(tmp_path)
    assert sentence(kept) == sentence(moved)
    again = figure.build(kept)
    assert again is not None
    assert again.panels == []
    assert again.table == (figure.build(moved) or again).table


def test_a_spreadsheet_has_the_state(moved: Data) -> None:
    rows = list(csv.DictReader(io.StringIO(to_csv(moved))))
    assert {row["state"] for row in rows} == {"neighbouring CPUs"}
    assert all(int(row["blocks"]) < 16 for row in rows)


def test_one_state_is_a_fact_and_no_sentence(tmp_path: Path) -> None:
    recipe = Recipe(blocks=1, samples=6, sizes=[8], mpis=["openmpi"], moving=True)
    data = load(write_run(tmp_path / "still", recipe))
    assert sentence(data) == ""
    assert figure.build(data) is None
    assert fact(data).endswith(" ns")
    assert not any("states" in line for line in printed(data))
    recipe.moving = False
    assert fact(load(write_run(tmp_path / "unprobed", recipe))) == ""


def test_the_page_fits_a_phone_and_draws_the_probes(moved: Data, show: Show) -> None:
    made = figure.build(moved)
    assert made is not None
    one = show(render(moved, [made]), width=400)
    one.evaluate("location.hash = '#states'")
    one.settle()
    assert one.evaluate("document.documentElement.scrollWidth") <= 400
    assert one.evaluate("document.querySelectorAll('section.figure[data-name=states] svg.plot').length") == 1
    assert one.complaints == []
