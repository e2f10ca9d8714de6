# SPDX-License-Identifier: BSD-3-Clause
"""The page without a browser: what stands in it, and that its own policy lets its own script run."""

from __future__ import annotations

import base64
import hashlib
import html
import re
from dataclasses import replace
from typing import Any

import pytest

from raddle.judge.incidents import Incident
from raddle.notices import Notice
from raddle.report import page as around
from raddle.report.circumstances import by_variant, differing_cvars
from raddle.report.data import Data
from raddle.report.emphasis import breakable
from raddle.report.figures import figures
from raddle.report.figures.model import Figure
from raddle.report.five import five
from raddle.report.html import render
from raddle.report.matrix import Cell, matrix
from raddle.report.numbers import pretty
from raddle.stats.ratio import Ratio
from raddle.wording import cpu_ranges
from tests.report.dsde import sparse_data
from tests.report.suite import suite_row


def test_the_policy_allows_the_one_script(page: str) -> None:
    [script] = re.findall(r"<script>(.*?)</script>", page, flags=re.DOTALL)
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert f"script-src 'sha256-{digest}'" in page
    assert "default-src 'none'" in page


def test_the_verdict_stands_first_and_all_of_it_before_the_figures_it_is_about(
    page: str, data: Data, drawn: list[Figure]
) -> None:
    text = html.unescape(re.sub("</?b>", "", page))
    verdict = [pretty(line.text) for line in five(data, drawn)]
    assert 1 <= len(verdict) <= 5
    places = [text.index(sentence) for sentence in verdict]
    assert places == sorted(places)
    assert places[-1] < text.index('class="matrix"') < text.index('class="page"')
    assert data.verdict
    for sentence in data.verdict:
        begin = text.index(f'<section class="page" id="{sentence.benchmark}"')
        figure = text.index('<section id="figure-', begin)
        assert begin < text.index(pretty(sentence.text), begin) < figure


def test_every_figure_has_its_numbers_and_its_command(page: str, drawn: list[Figure]) -> None:
    for figure in drawn:
        begin = page.index(f'<section id="figure-{figure.name}"')
        section = page[begin : page.index("</section>", begin)]
        assert figure.heading in section
        assert re.search(r"<details( class=\"long\")?><summary>The numbers in this figure", section)
        assert ("oversubscribed" in section) == any(panel.shared for panel in figure.panels)
        # Its own where it is not that of its page, which is told once at the end of that.
        command = f"raddle run {' '.join(figure.benchmarks)} --seed 20261121"
        assert f"<code>{command}</code>" in page[begin : page.index('class="turn"', begin)]


def test_provenance_is_complete(page: str) -> None:
    for fact in ("Platinum 8481C", "6.1.0-37-cloud-amd64", "ec2b87e0c0ffee", "20261121", "2026-11-21 20:30 UTC",
                 "MPICH 5.0.2", "g++ 12.2.0", "MPIR_CVAR_CH4_NUM_VCIS=3", "OMP_NUM_THREADS=2"):  # fmt: skip
        assert fact in page


def test_notices_say_what_to_do(page: str, data: Data) -> None:
    found = around.notices(data)
    assert "oversubscribed" in [notice.name for notice in found]
    severities = [notice.severity for notice in found]
    assert severities == sorted(severities, key=["error", "warning", "note"].index)
    for notice in found:
        assert notice.do
        assert f"<code>{notice.name}</code>" in page


def test_each_notice_is_told_once(data: Data) -> None:
    names = [notice.name for notice in around.notices(data)]
    assert len(names) == len(set(names))


def test_how_each_variant_ran(data: Data) -> None:
    found = by_variant(data)
    lines = {(line.mpi, line.variant): line for line in found if line.profile == "clean"}
    assert lines["MPICH 5.0.2", "process"].asked == "single"
    assert lines["MPICH 5.0.2", "lane"].provided == "multiple"
    assert lines["MPICH 5.0.2", "lane"].settings == ["MPIR_CVAR_CH4_NUM_VCIS=3"]
    assert lines["no MPI", "physical"].asked == ""
    assert "0 | 1" in lines["Intel MPI 2021.18", "thread"].affinity
    shared = {line.variant: line.settings for line in found if (line.mpi, line.profile) == ("MPICH 5.0.2", "shared")}
    assert "MPIR_CVAR_POLLS_BEFORE_YIELD=1" in shared["process"]
    [(mpi, name, values)] = differing_cvars(data)
    assert (mpi, name) == ("MPICH 5.0.2", "MPIR_CVAR_CH4_NUM_VCIS")
    assert [value for value, _ in values] == ["1", "3"]


@pytest.mark.parametrize(
    ("cpus", "text"), [([], "-"), ([3], "3"), ([0, 1, 2, 8], "0-2,8"), ([5, 4, 4], "4-5"), ([0, 2], "0,2")]
)
def test_cpus_as_ranges(cpus: list[int], text: str) -> None:
    assert cpu_ranges(cpus) == text


@pytest.mark.parametrize(
    ("ratio", "shade"),
    [
        (None, "absent"),
        (Ratio(0.5, None, None, 3), "small"),
        (Ratio(0.9, 0.8, 1.1, 9), "same"),
        (Ratio(1.0, 1.0, 1.0, 9), "same"),
        (Ratio(0.05, 0.01, 0.3, 9), "slower-4"),
        (Ratio(0.2, 0.1, 0.3, 9), "slower-3"),
        (Ratio(0.5, 0.4, 0.6, 9), "slower-2"),
        (Ratio(0.9, 0.8, 0.95, 9), "slower-1"),
        (Ratio(1.2, 1.1, 1.3, 9), "faster-1"),
        (Ratio(2.0, 1.9, 2.1, 9), "faster-2"),
        (Ratio(9.0, 8.0, 9.5, 9), "faster-3"),
        (Ratio(11.0, 8.0, 19.5, 9), "faster-4"),
    ],
)
def test_cells_are_colored_only_for_a_difference(ratio: Ratio | None, shade: str) -> None:
    assert Cell(ratio).shade == shade


def test_the_matrix_has_every_variant_and_says_what_is_not_there(data: Data) -> None:
    parts = matrix(data)
    assert [part.shared for part in parts] == sorted(part.shared for part in parts)
    rate = parts[0]
    assert (rate.benchmark, rate.work) == ("msgrate", "8 B, 1 pair")
    kinds = [(line.label, line.placement) for line in rate.lines]
    assert ("thread", "one-process") in kinds
    assert ("lane", "node") in kinds
    threadcomm = next(line for line in rate.lines if line.label == "threadcomm")
    assert [cell.value for cell in threadcomm.cells[1:]] == ["not there", "not there"]


def test_the_page_says_which_mpi_was_not_told_to_yield() -> None:
    """It is told, unless a row says otherwise; only those rows are named that are there."""
    told = "the scheduler is part of these numbers. MPI was told to yield. They have"
    keys: dict[str, Any] = {"threads": 2, "processes": 2, "profile": "shared"}
    steps = [suite_row("tutorial", "thread", 1.0, step=step, **keys) for step in ("slow", "settings")]
    for data, expected in (
        (Data(steps[1:]), told),
        (Data(steps), "MPI was told to yield, except where a row says otherwise (<i>slow</i>). They have"),
        (sparse_data(), "MPI was told to yield, except where a row says otherwise (<i>as it comes</i>). They have"),
    ):
        text = render(data, figures(data))
        assert expected in text
        assert "and MPI was told to yield" not in text
    assert told in text, "dsde_algorithms has no such row"


def test_what_speeds_are_held_against_is_not_called_processes_where_it_is_none() -> None:
    text = render(sparse_data(), figures(sparse_data()))
    assert "Speed as a multiple of the best processes, or of the plainest way, doing the same work" in text
    assert '<th scope="col" class="num">against</th>' in text
    steps = [suite_row("tutorial", "thread", 1.0, step=step, profile="shared") for step in ("slow", "settings")]
    levels = [suite_row("thread_overhead", "process", 1.0, level=level) for level in ("single", "multiple")]
    for rows, name in ((levels, "speed to single"), (steps, "speed to processes")):
        (table,) = (each.table for each in figures(Data(rows)) if not each.across)
        assert (name in table.header) == any(row.variant == "process" for row in rows)


def test_a_page_names_no_file_that_was_not_kept(page: str, data: Data, drawn: list[Figure]) -> None:
    named = "every launch in <code>launches.jsonl</code>"
    assert named in page
    assert named not in render(replace(data, launches_kept=False), drawn)


def test_one_row_is_no_rows() -> None:
    text = render(data := Data([suite_row("tutorial", "thread", 1.0, step="slow")]), figures(data))
    assert "The numbers in this figure (1 row)" in text
    assert "(1 rows)" not in text


def test_names_break_behind_an_underscore_only(data: Data) -> None:
    rows = [suite_row("partitioned_bandwidth", "thread", 1.0, mechanism="psend", partition_bytes=512)]
    text = render(Data(rows), figures(Data(rows)))
    assert ">partitioned_<wbr>bandwidth</a></li>" in text
    assert breakable("<b>_&") == "&lt;b&gt;_<wbr>&amp;"


def test_what_one_benchmark_cannot_do_is_there_for_the_others(data: Data) -> None:
    """Neither what the plan leaves out nor what a launch says is of all benchmarks."""
    left = [row for row in data.rows if not (row.mpi == "mpich" and row.variant == "lane")]
    kept = replace(data, rows=left, skipped=frozenset({("mpich", "lane", "node", "latency")}))
    told = Incident(Notice.VARIANT_SKIPPED, "no lanes", mpi="mpich", benchmark="latency", variant="lane")
    for one in (kept, replace(data, rows=left, incidents=[told])):
        said = {
            part.benchmark: line.cells[0].value
            for part in matrix(one)
            for line in part.lines
            if not part.shared and (line.label, line.placement) == ("lane", "node")
        }
        assert said == {"msgrate": "not measured", "latency": "not there", "bandwidth": "not measured"}


@pytest.mark.parametrize(
    ("recorded", "shown"),
    [("2026-11-21T20:30:00+00:00", "2026-11-21 20:30 UTC"), ("2026-11-21T20:30:00", "2026-11-21 20:30"), ("x", "x")],
)
def test_times(recorded: str, shown: str) -> None:
    assert around.when(recorded) == shown
