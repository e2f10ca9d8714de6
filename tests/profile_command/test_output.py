# SPDX-License-Identifier: BSD-3-Clause
"""A profile in the terminal and as JSON: 80 columns, every figure, nothing from outside that a terminal obeys."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
from rich.console import Console

from raddle.profile.summary import Summary, added, document
from raddle.profile.terminal import rendered, short_bytes
from raddle.profile.words import percent, several, share, tidy
from tests.profile_command.planted import Plant


def printed(summary: Summary, width: int = 80) -> str:
    out = io.StringIO()
    Console(file=out, width=width, highlight=False).print(rendered(summary, Path("results/latest")))
    return out.getvalue()


def test_it_fits_80_columns_and_says_everything(summary: Summary) -> None:
    text = printed(summary)
    assert max(map(len, text.splitlines())) <= 80
    flat = " ".join(text.split())
    for said in summary.verdict:
        assert said.text in flat
    for offered in summary.remedies:
        assert offered.label in text
        assert offered.page in flat
    assert "0.3" in text
    assert "MPI_Waitall" in text
    assert "... and 4 threads more: they are in the report." in text
    assert "Report: results/latest/report.html" in text


def test_what_profiling_took_is_told(summary: Summary) -> None:
    cost = summary.overhead
    assert cost.seconds == pytest.approx(cost.calls * 5e-8)
    assert cost.share == pytest.approx(cost.seconds / summary.times.all)
    assert f"Profiling took 50.0 ns a call, {percent(cost.share)} of the threads' time" in " ".join(
        printed(summary).split()
    )


def test_without_a_remedy_there_is_no_table_of_them() -> None:
    assert "What remedies" not in printed(Plant(threads=1, provided="funneled", requested="funneled").summary())


def test_a_program_that_did_nothing_can_be_told() -> None:
    text = printed(Plant(processes=1, threads=1, seconds=0.0).summary())
    assert "0 s, 1 process, 1 thread" in text


def test_names_from_outside_stay_on_their_line() -> None:
    plant = Plant().call("MPI_\x1b[31mSend\n", 1.0)
    plant.program = {"command": ["mpiexec", "[bold]x[/]\x07\n"]}
    text = printed(plant.summary())
    assert "\x1b" not in text
    assert "\x07" not in text
    assert "[bold]x[/]" in text


def test_the_document_has_all_parts(summary: Summary) -> None:
    found = json.loads(document(summary))
    assert found["schema"] == 1
    assert {"verdict", "remedies", "overhead", "times", "processes", "threads", "communicators", "functions"} <= set(
        found
    )
    times = found["times"]
    parts = [times[name] for name in ("computing", "idle", "setup", "communicating", "partner", "lock", "hidden")]
    assert sum(parts) == pytest.approx(times["all"])
    assert all(0 < each["most"] <= found["seconds"] for each in found["remedies"])


def test_completions_have_no_size(summary: Summary) -> None:
    assert summary.sizes[0] == 0
    assert sum(summary.sizes) == 4 * 4 * 120000 + 4 * 500


@pytest.mark.parametrize(
    ("part", "words"),
    [(0.0, "0 %"), (0.0005, "under 0.1 %"), (0.012, "1.2 %"), (0.0996, "10 %"), (0.5, "50 %"), (1.0, "100 %")],
)
def test_percentages(part: float, words: str) -> None:
    assert percent(part) == words


def test_small_words() -> None:
    assert share(1.0, 0.0) == "0 %"
    assert several([3], "process") == "process 3"
    assert several([0, 2], "process") == "processes 0 and 2"
    assert several([0, 1, 2], "process") == "processes 0, 1 and 2"
    assert several([0, 1, 2, 3], "process") == "four processes"
    assert tidy("3 % of") == "3\u00a0% of"
    assert added([[1, 2], [], [1, 1, 1]]) == [2, 3, 1]
    assert short_bytes(1000) == "1000 B"
    assert short_bytes(1536) == "1.5 KiB"
    assert short_bytes(3 << 40) == "3 TiB"
