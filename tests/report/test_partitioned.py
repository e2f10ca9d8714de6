# SPDX-License-Identifier: BSD-3-Clause
"""The pages of partitioned communication: known rows, and what their lines, bars, timelines and sentences make of
them."""

from __future__ import annotations

import numpy as np
import pytest

from raddle.inspection.facts import Trial
from raddle.report.data import Data
from raddle.report.figures import figures
from raddle.report.figures.kinds.timeline import Timeline, timeline_of
from tests.report.looks import axes_of, drawn, named, page
from tests.report.partitioned import EXACT, SIZES, bandwidth, ready, study, tail


def test_a_panel_for_each_order_has_a_line_for_each_mechanism() -> None:
    figure = page("bandwidth", *study("mpich"))
    speeds, random, messages = figure.panels
    assert [panel.title for panel in figure.panels] == [
        "mpich, order linear", "mpich, order random", "mpich, order linear",
    ]  # fmt: skip
    assert drawn(speeds, "y") == {
        "bulk": pytest.approx([8000] * 3),
        "isend": pytest.approx([400, 4000, 8000]),
        "psend": pytest.approx([20, 2000, 4000]),
        "raddle-auto": pytest.approx([8800, 8800, 8000]),
        "raddle-auto--": pytest.approx([6000] * 3),
    }
    assert set(drawn(random, "y")) == {"bulk", "isend", "psend", "raddle-auto"}
    assert drawn(messages, "y") == {"raddle-auto--": pytest.approx([32, 64, 1])}
    assert [one.label for one in figure.legend] == ["bulk", "isend", "psend", "raddle-auto", "raddle-auto, in messages"]
    assert [one.dashed for one in figure.legend] == [False] * 4 + [True]


def test_endpoints_and_more_threads_have_panels_of_their_own() -> None:
    rows = [bandwidth("bulk", SIZES[0]), bandwidth("bulk", SIZES[0], threads=2, profile="shared")]
    endpoints = bandwidth("bulk", SIZES[0], placement="one-process")
    endpoints.variant = "endpoint-direct"
    figure = page("bandwidth", *rows, endpoints)
    assert [(panel.title, panel.shared) for panel in figure.panels if "effective" in panel.description] == [
        ("mpich, order linear", False),
        ("mpich, order linear, endpoints, one-process", False),
        ("mpich, order linear, 2 threads at once", True),
    ]
    assert "bulk on endpoints" in [line[1] for line in figure.table.rows]


def test_the_finding_holds_raddle_against_the_mpi_and_against_one_message() -> None:
    assert page("bandwidth", *study("mpich")).finding == (
        "In partitions of 512 B Raddle multiplies the bandwidth of the MPI's own partitioned sends by 440x [427, 454] "
        "on mpich; that of one large message by 1.10x [1.07, 1.13] on mpich"
    )


def test_nothing_is_claimed_without_raddle() -> None:
    rows = [row for row in study("mpich") if not str(row.params["mechanism"]).startswith("raddle")]
    assert page("bandwidth", *rows).finding == "Effective bandwidth by size of partition and mechanism"
    assert page("tail", *rows).finding.startswith("What is left to do")
    assert page("ready", *rows).finding.startswith("Price of telling")


def test_other_work_is_not_compared() -> None:
    rows = [bandwidth(EXACT, SIZES[0]), bandwidth("psend", SIZES[0], order="random")]
    assert page("bandwidth", *rows).finding == "Effective bandwidth by size of partition and mechanism"
    header, *_ = [page("bandwidth", *rows).table.header]
    assert "speed to bulk" not in header
    assert "speed to processes" not in header


def test_the_table_tells_what_only_this_benchmark_knows() -> None:
    figure = page("bandwidth", *(bandwidth(each, SIZES[0]) for each in ("bulk", EXACT)))
    [bulk, own] = [dict(zip(figure.table.header, line, strict=True)) for line in figure.table.rows]
    assert (bulk["variant"], own["variant"]) == ("bulk", EXACT)
    assert own["partitions"] == "512 B"
    assert own["sender waits"].startswith("950 µs")
    assert own["call"].startswith("12.0 ns")
    assert own["speed to bulk"] == "1.10x [1.07, 1.13]"
    assert bulk["speed to bulk"] == "-"


def test_what_was_tried_beside_it_is_shown_with_what_to_do() -> None:
    found = [
        Trial(name="partitioned-exchange", outcome="right"),
        Trial(name="partitioned-startall", outcome="hang", detail="no end in time"),
        Trial(name="partitioned-no-partner", outcome="crash", detail="segmentation fault"),
    ]
    rows = [bandwidth("bulk", SIZES[0])]
    figure = named("bandwidth", figures(Data(rows, trials={"mpich": found})))
    [front] = figure.fronts
    assert [line[:3] for line in front.table.rows] == [
        ["mpich", "wrong", "MPI_Startall of two partitioned requests: it hung (no end in time)."],
        ["mpich", "wrong", "A partitioned send to MPI_PROC_NULL: it crashed (segmentation fault)."],
        ["mpich", "ok", "Partitioned communication did right in these trials: exchange."],
    ]
    assert front.table.rows[0][3] == "Call MPI_Start for each request."
    assert page("bandwidth", *rows).fronts == []


def test_tails_are_bars_and_rounds_are_shown_partition_by_partition() -> None:
    figure = page("tail", *study("mpich"))
    assert figure.finding == (
        "With 64 partitions Raddle multiplies the tail of the MPI's own partitioned sends by 0.050x [0.049, 0.052] "
        "on mpich"
    )
    tails, *rounds = figure.panels
    assert "raddle-auto, in messages" in tails.description
    assert [panel.title for panel in rounds] == ["mpich, isend", "mpich, psend", "mpich, raddle-auto"]
    assert rounds[1].description == "One round of 4 partitions; 800 µs after the last was ready all had arrived."
    axes = axes_of(rounds[1])
    moments = {line.get_gid(): np.asarray(line.get_xdata(), dtype=float).tolist() for line in axes.get_lines()}
    assert moments["ready"] == pytest.approx([2, 4, 6, 8])
    assert moments["series:psend"] == pytest.approx([2.8, 4.8, 6.8, 8.8])
    assert axes.get_xlim()[1] == pytest.approx(8.8 * 1.03)


def test_a_trace_that_is_no_timeline_is_left_out() -> None:
    assert timeline_of([]) is None
    assert timeline_of([1.0, 2.0, 3.0]) is None
    assert timeline_of([1.0, 2.0, 3.0, 5.0]) == Timeline([1.0, 2.0], [3.0, 5.0])
    assert Timeline([1.0, 2.0], [3.0, 5.0]).tail == 3.0
    rows = [tail("psend", extra={"messages": 64.0}), tail("isend", extra={"trace": {"us": [1.0]}})]
    assert len(page("tail", *rows).panels) == 1


def test_the_price_of_a_call_is_told_for_each_number_of_threads() -> None:
    figure = page("ready", *study("mpich"))
    assert figure.finding == (
        "Where nothing is sent Raddle multiplies the time of the MPI's own call by 0.25x [0.24, 0.26] on mpich"
    )
    assert [panel.shared for panel in figure.panels] == [False, True]
    assert "2048 partitions" in figure.panels[0].description
    assert "2 threads at once" in figure.panels[1].description


def test_no_difference_is_said_so() -> None:
    rows = [ready("psend", 6.0), ready("raddle-bulk", 6.0)]
    assert page("ready", *rows).finding.startswith(
        "No difference between a call of Raddle's that sends nothing and the MPI's own is shown on mpich"
    )
