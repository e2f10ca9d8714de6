# SPDX-License-Identifier: BSD-3-Clause
"""The page of the tutorial: known rows, and the speeds that it makes of them."""

from __future__ import annotations

from typing import Any

from raddle.model import WAYS, ResultRow
from tests.report.looks import page
from tests.report.suite import suite_row

# Microseconds of a step in time; each step but the last is twice as fast as the one before, or as it is stated.
TIMES = {"slow": 3200.0, "settings": 800.0, "lanes": 400.0, "endpoints": 200.0, "partitioned": 250.0, "sparse": 100.0}


def rows(mpi: str = "mpich", **keys: Any) -> list[ResultRow]:
    usual: dict[str, Any] = {"mpi": mpi, "threads": 2, "processes": 2, "profile": "shared", "spread": False}
    return [suite_row("tutorial", "thread", value, step=step, **usual | keys) for step, value in TIMES.items()]


def test_speeds_are_to_the_first_step_and_to_the_one_before() -> None:
    (front,) = page("tutorial", *rows()).fronts
    assert [line[0] for line in front.table.rows] == list(WAYS["step"])
    told = {line[0]: [cell.partition("x")[0] for cell in line[2:]] for line in front.table.rows}
    assert told["slow"] == ["-", "-"]
    assert [float(cell) for cell in told["settings"]] == [4.0, 4.0]
    assert [float(cell) for cell in told["partitioned"]] == [12.8, 0.8]
    assert [float(cell) for cell in told["sparse"]] == [32.0, 2.5]
    assert "oversubscribed" in front.caption


def test_the_finding_is_what_all_steps_together_bring() -> None:
    assert "32.0x" in page("tutorial", *rows()).finding


def test_threads_and_mpis_have_tables_of_their_own() -> None:
    fronts = page("tutorial", *rows(), *rows(threads=4), *rows("openmpi")).fronts
    assert len({front.caption for front in fronts}) == 3
    assert all(len(front.table.rows) == len(TIMES) for front in fronts)


def test_without_the_first_step_nothing_is_claimed() -> None:
    left = [row for row in rows() if row.params["step"] != "slow"]
    figure = page("tutorial", *left)
    assert "x" not in figure.finding.replace("exchange", "")
    assert [line[0] for line in figure.fronts[0].table.rows] == list(WAYS["step"])[1:]
