# SPDX-License-Identifier: BSD-3-Clause
"""The summary: words first, tables that fit 80 columns, nothing without an interval or the words for its absence."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from rich.cells import cell_len

from raddle.model import WAYS
from raddle.notices import Notice, Severity
from raddle.report import page
from raddle.report.data import Data
from raddle.report.figures import figures
from raddle.report.five import five
from raddle.report.load import load
from raddle.report.numbers import pretty
from tests.report.dsde import sparse_data
from tests.report.endpoints import endpoints_data
from tests.report.looks import printed
from tests.report.suite import suite_row
from tests.report.synthetic import Recipe, write_run
from tests.stats.builders import result_row


def known() -> Data:
    steady = [100.0, 101.0, 102.0, 103.0, 104.0, 105.0, 106.0, 107.0, 108.0]
    rows = [
        result_row("latency", "process", steady, processes=2),
        result_row("latency", "thread", [4 * value for value in steady], placement="one-process"),
        # Above in some blocks and below in others: no difference may be claimed.
        result_row("latency", "lane", list(reversed(steady)), placement="one-process"),
        result_row("latency", "physical", [value / 2 for value in steady], placement="one-process"),
        result_row("latency", "process", [1.0, 2.0, 3.0], threads=2, processes=4, profile="shared"),
        result_row("latency", "thread", [2.0, 4.0, 6.0], threads=2, profile="shared"),
    ]
    return Data(rows)


def test_the_tables_of_known_rows() -> None:
    lines = printed(known())
    begin = lines.index("Speed as a multiple of processes [95 % interval over blocks]")
    end = lines.index("Before quoting a number")
    assert lines[begin:end] == [
        "Speed as a multiple of processes [95 % interval over blocks]",
        "             mpich",
        "latency 8 B, 1 pair, one-process",
        "  thread     0.25x [0.25, 0.25]",
        "  lane       1.00x [0.94, 1.06] =",
        "latency 8 B, 2 pairs at once, node OVERSUBSCRIBED",
        "  thread     0.50x n too small",
        "Above 1 is faster, whatever the metric; = means no difference shown.",
        "",
        "Medians [95 % interval over blocks]",
        "             mpich",
        "latency 8 B, 1 pair, node (µs), physical 52.0 [50.5, 53.5]",
        "  process    104 [101, 107]",
        "latency 8 B, 1 pair, one-process (µs), physical 52.0 [50.5, 53.5]",
        "  thread     416 [404, 428]",
        "  lane       104 [101, 107]",
        "latency 8 B, 2 pairs at once, node (µs) OVERSUBSCRIBED",
        "  process    2.00 n too small",
        "  thread     4.00 n too small",
        "",
    ]


def test_it_fits_80_columns(data: Data) -> None:
    assert max(map(cell_len, printed(data))) <= 80


def test_cells_do_not_wrap_at_80_columns(data: Data) -> None:
    """A number on one line and its interval on the next is how numbers get quoted without intervals."""
    lines = printed(data)
    table = lines[lines.index("Medians [95 % interval over blocks]") :]
    numbers = [line for line in table if line.startswith(("  process", "  thread", "  lane"))]
    assert len(numbers) > 10
    assert all(line.count("[") == line.count("]") for line in numbers)


def test_an_interval_that_does_not_fit_stands_below_its_value_in_one_piece() -> None:
    rows = []
    for mpi in ("a", "b", "c"):
        rows.append(result_row("latency", "process", [1.0] * 9, mpi=mpi))
        rows.append(result_row("latency", "thread", [900.0, 1.0, 2.0, 150.0, 600.0, 300.0, 4.0, 800.0, 700.0], mpi=mpi))
    lines = printed(Data(rows))
    at = next(at for at, line in enumerate(lines) if line.startswith("  thread ") and "0.0033x" in line) - 1
    assert lines[at + 1].split() == ["thread", *["0.0033x"] * 3]
    assert lines[at + 2].split("  ")[-1].strip() == "[0.0013, 0.50]"


def test_a_wide_terminal_is_used(data: Data) -> None:
    assert 80 < max(map(cell_len, printed(data, 110)[-60:])) <= 110


def test_it_begins_with_what_the_report_begins_with(data: Data) -> None:
    text = " ".join(word for line in printed(data) for word in line.split())
    first = text.partition("Speed as a multiple")[0]
    assert [line for line in five(data, figures(data)) if pretty(line.text) not in first] == []
    assert text.index("Speed as a multiple") < text.index("Medians") < text.index("Before quoting a number")


def test_more_mpis_than_fit_get_another_table() -> None:
    rows = [
        result_row("latency", variant, [value] * 9, mpi=f"mpi{number}", placement="node")
        for number in range(5)
        for variant, value in (("process", 1.0), ("thread", 2.0))
    ]
    lines = printed(Data(rows))
    assert max(map(cell_len, lines)) <= 80
    assert lines.count("Speed as a multiple of the best processes [95 % interval over blocks]") == 2
    assert any(line.split() == ["mpi3", "mpi4"] for line in lines)


@pytest.mark.parametrize("width", [40, 80, 200])
def test_any_width_works(few: Data, width: int) -> None:
    assert max(map(cell_len, printed(few, width))) <= width


def test_a_cut_run_says_so_before_anything_else(tmp_path: Path) -> None:
    recipe = Recipe(blocks=9, samples=6, sizes=[8], mpis=["mpich"], killed_after=30)
    text = "\n".join(printed(load(write_run(tmp_path, recipe)))).lstrip()
    assert text.startswith("! ")
    assert "32 of 63 launches were not made" in text[: text.index("MPICH 5.0.2")]


def test_an_alert_says_what_was_seen(known_errors: Data) -> None:
    (alert,) = (each for each in page.alerts(known_errors) if each.where == "1 of 2 rows")
    text = " ".join(" ".join(printed(known_errors)).split())
    assert f"! 1 of 2 rows. {alert.seen} {alert.matters}" in text


@pytest.fixture
def known_errors() -> Data:
    flags = [notice.value for notice in Notice if notice.severity is Severity.ERROR][:1]
    return Data([result_row("latency", "process", [1.0] * 9), result_row("latency", "thread", [1.0] * 9, flags=flags)])


def test_names_are_whole_also_in_a_narrow_column() -> None:
    """A name that does not fit goes on below, indented: it is neither cut off nor taken for another one."""
    wide = printed(replace(sparse_data(), rows=[row for row in sparse_data().rows if row.mpi == "mpich"]))
    assert any(line.startswith("  native-alltoallv ") for line in wide)
    assert any(line.startswith("  nbx on endpoints ") for line in wide)
    for data in (sparse_data(), tutorial_data()):
        lines = printed(data)
        assert max(map(cell_len, lines)) <= 80
        assert "…" not in "".join(lines)
    lines = printed(sparse_data())
    assert lines[[line.startswith("  native- ") for line in lines].index(True) + 1].startswith("   alltoallv")
    assert lines[[line.startswith("  nbx on ") for line in lines].index(True) + 1].startswith("   endpoints")
    assert any(line.startswith("  partitioned ") for line in printed(tutorial_data()))


def tutorial_data() -> Data:
    keys: dict[str, Any] = {"threads": 2, "processes": 2, "profile": "shared"}
    mpis = ("mpich", "openmpi", "intel")
    return Data(
        [suite_row("tutorial", "thread", 80.0, step=step, mpi=mpi, **keys) for step in WAYS["step"] for mpi in mpis]
    )


def test_what_speeds_are_multiples_of() -> None:
    assert "Speed as a multiple of the best processes, or of the plainest way" in printed(sparse_data())
    assert "Speed as a multiple of processes [95 % interval over blocks]" in printed(known())


def test_engines_are_told_apart_in_a_narrow_column() -> None:
    lines = printed(endpoints_data())
    assert any(line.startswith("  ep-direct ") for line in lines)
    assert any(line.startswith("  ep-proxy ") for line in lines)
    assert max(map(cell_len, lines)) <= 80
