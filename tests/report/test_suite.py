# SPDX-License-Identifier: BSD-3-Clause
"""The pages of the Thakur-Gropp suite: known rows, and what their sentences, bars and tables make of them."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from raddle.judge.incidents import Incident
from raddle.model import ResultRow
from raddle.notices import Notice
from raddle.report.csv import to_csv
from raddle.report.data import Data
from raddle.report.draw import figure_files
from raddle.report.figures import TOLD, figures
from raddle.report.figures.kinds.traces import BINS, envelope
from tests.report.looks import axes_of, cells, drawn, named, page
from tests.report.suite import flows, levels, suite_row


def test_clean_and_shared_rows_never_share_an_axis(suite: Data) -> None:
    """More than one flow is oversubscribed in this run, and panels of bars say in words what is in them."""
    pages = figures(suite)
    for panel in named("t4-message-rate", pages).panels:
        assert ("2 flows at once" in panel.description) == panel.shared
        assert ("1 flow" in panel.description) != panel.shared
    for name in ("t3-concurrent-latency", "t4-message-rate", "t7-concurrent-collectives"):
        assert {panel.shared for panel in named(name, pages).panels} == {True, False}


def test_the_overhead_is_told_as_a_ratio_and_in_time() -> None:
    figure = page("t1-thread-overhead", *levels(1.2))
    assert (
        figure.finding
        == "At 8 B MPI_THREAD_MULTIPLE multiplies the latency of one thread by 1.20x [1.16, 1.24] on mpich"
    )
    [panel] = figure.panels
    assert panel.description == "mpich: multiple +20 % [16.4, 23.6], 0.100 µs [0.0820, 0.118]."
    assert cells(figure, "more than single") == ["-", "0.100 µs [0.0820, 0.118]"]


def test_groups_stand_in_order_however_launches_were_shuffled() -> None:
    rows = [suite_row("overlap", "process", 2.0, ratio=ratio) for ratio in (2.0, 0.5, 16, 1.0)]
    [panel] = page("t6-overlap", *rows).panels
    places = [panel.description.index(f"computing {ratio}x as long") for ratio in ("0.5", "1", "2", "16")]
    assert places == sorted(places)


def test_no_overhead_is_claimed_that_is_not_shown() -> None:
    assert page("t1-thread-overhead", *levels(1.0)).finding == (
        "No difference between MPI_THREAD_MULTIPLE and plain MPI_Init is shown on mpich (1.00x [0.97, 1.03])"
    )
    assert page("t1-thread-overhead", *levels(1.5, blocks=3)).finding == (
        "n too small to show a difference between MPI_THREAD_MULTIPLE and plain MPI_Init on mpich (about 1.50x)"
    )
    both = page("t1-thread-overhead", *levels(1.2), *levels(1.0, mpi="intel"))
    assert both.finding.endswith("on mpich; no difference is shown on intel (1.00x [0.97, 1.03])")


def test_locks_may_be_none() -> None:
    rows = [suite_row("lock_operations", "process", value, level=level, extra={"instructions": 800})
            for level, value in (("single", 0.0), ("multiple", 3.0))]  # fmt: skip
    figure = page("t1-thread-overhead", *rows)
    assert figure.panels[0].description == "mpich: single 0 locks/msg [0, 0], multiple 3.00 locks/msg [2.91, 3.09]."
    assert cells(figure, "instructions") == ["800 [800, 800]"] * 2
    assert figure_files(figure)


@pytest.mark.parametrize(
    ("name", "benchmark", "claim"),
    [
        ("t2-concurrent-bandwidth", "concurrent_bandwidth", "reach 0.25x [0.24, 0.26] of the bandwidth of processes"),
        ("t3-concurrent-latency", "concurrent_latency", "reach 0.25x [0.24, 0.26] of the speed of processes"),
        ("t4-message-rate", "message_rate", "reach 0.25x [0.24, 0.26] of the message rate of processes"),
        ("t7-concurrent-collectives", "concurrent_collectives", "reach 0.25x [0.24, 0.26] of the speed of processes"),
    ],
)
def test_threads_against_processes_clean_and_oversubscribed(name: str, benchmark: str, claim: str) -> None:
    crowded = flows(benchmark, 1.0, threads=2, profile="shared")
    finding = page(name, *flows(benchmark, 4.0), *crowded).finding
    clean, _, shared = finding.partition("; oversubscribed: ")
    assert claim in clean
    assert shared.endswith(": no difference shown")
    assert page(name, *crowded).finding.endswith(": no difference shown")
    assert page(name, *flows(benchmark, 1.0), *crowded).finding.endswith(": no difference shown, oversubscribed or not")


def test_the_papers_table_of_message_rates() -> None:
    rows = [
        suite_row("message_rate", variant, rate * threads, spread=False, threads=threads, mode=mode,
                  profile="shared" if threads > 1 else "clean")
        for mode in ("windowed", "published")
        for threads in (2, 1)
        for variant, rate in (("lane", 1.5e6), ("thread", 1e6), ("process", 2e6))
    ]  # fmt: skip
    published, windowed = page("t4-message-rate", *rows).fronts
    assert published.caption.startswith("Blocking sends")
    assert windowed.caption.startswith("Nonblocking, receives posted ahead")
    assert published.table.header == ["M msg/s", "1P-1P", "1T-1T", "1L-1L", "2P-2P*", "2T-2T*", "2L-2L*"]
    [line] = published.table.rows
    assert line[:3] == ["mpich", "2.00 [2.00, 2.00]", "1.00 [1.00, 1.00]"]
    assert line[4] == "4.00 [4.00, 4.00]"


def short_long(variant: str, long_bytes: int, value: float, **extra: object) -> ResultRow:
    return suite_row("short_long", variant, value, spread=variant == "thread", long_bytes=long_bytes, extra=extra)


def test_what_long_messages_do_to_short_ones() -> None:
    trace = {"us": [1.0] * 50 + [900.0] + [1.0] * 49}
    rows = [
        short_long("process", 0, 1.0), short_long("process", 4 << 20, 1.0), short_long("thread", 0, 1.0),
        short_long("thread", 4 << 20, 3.0, p99=40.0, delayed=0.02, trace=trace),
    ]  # fmt: skip
    rows[2].blocks[:] = [1.0] * 9  # so that the ratio's interval is that of the other row
    figure = page("t5-short-long", *rows)
    assert figure.finding == (
        "At 128 B short messages of threads take 3.00x [2.91, 3.09] on mpich as long beside long ones as alone; "
        "no difference between those of processes is shown on mpich (1.00x [1.00, 1.00])"
    )
    [panel] = figure.panels
    assert panel.title == "mpich, beside messages of 4 MiB"
    assert max(drawn(panel, "y")["thread"]) == 900
    assert "2.00 % [2.00, 2.00]" in cells(figure, "delayed")


def test_traces_with_and_without_long_messages_share_an_axis() -> None:
    rows = [
        short_long("thread", size, 1.0, trace={"us": times}) for size, times in ((0, [1.0] * 9), (4 << 20, [500.0]))
    ]
    limits = []
    for panel in page("t5-short-long", *rows).panels:
        axes = axes_of(panel)
        limits.append(axes.get_ylim())
        assert all(line.get_marker() == "." for line in axes.get_lines())
    assert len(limits) == 2
    assert limits[0] == limits[1]


def test_no_spike_is_lost_in_a_long_trace() -> None:
    times = [1.0] * 100_000
    times[77_777] = 500.0
    places, kept = envelope(times)
    assert (77_777, 500.0) in zip(places, kept, strict=True)
    assert len(kept) <= 2 * BINS
    assert places == sorted(places)


def test_overlap_is_held_against_both_ideals() -> None:
    rows = [
        suite_row("overlap", "process", 1.9, spread=False, extra={"exchange": 100.0, "compute": 100.0}),
        suite_row("overlap", "thread", 1.14, progress="thread", extra={"overlap": 0.86, "path": "lo"}),
    ]
    figure = page("t6-overlap", *rows)
    assert figure.finding == (
        "With a thread blocked in MPI_Recv an iteration takes 0.60x [0.58, 0.62] on mpich as long as without"
    )
    assert "process 1.90 exchanges" in figure.panels[0].description
    assert "thread + thread 1.14 exchanges" in figure.panels[0].description
    marks = {float(np.asarray(line.get_xdata(), dtype=float)[0]) for line in axes_of(figure.panels[0]).get_lines()}
    assert {1.0, 2.0} <= marks
    assert cells(figure, "went through") == ["-", "lo"]


def test_a_helper_without_a_cpu_is_not_held_against_an_iteration_that_has_one() -> None:
    alone = suite_row("overlap", "process", 1.9)
    helped = suite_row("overlap", "thread", 1.14, progress="thread", profile="shared")
    assert page("t6-overlap", alone, helped).finding == (
        "A helper has no CPU of its own here, so an iteration with one is not compared with one without"
    )
    crowded = suite_row("overlap", "process", 1.9, profile="shared", spread=False)
    assert page("t6-overlap", crowded, helped).finding == (
        "With a thread blocked in MPI_Recv an iteration takes 0.60x [0.58, 0.62] on mpich as long as without; "
        "the helper has no CPU of its own here"
    )


def test_serial_collectives_against_concurrent_ones() -> None:
    rows = [
        suite_row("concurrent_collectives", "thread", 10.0, spread=False),
        suite_row("concurrent_collectives", "thread", 5.0, threads=4, profile="shared"),
    ]
    assert cells(page("t7-concurrent-collectives", *rows), "serial / concurrent") == ["-", "8.00x [7.77, 8.25]"]


def test_what_is_left_to_those_who_compute() -> None:
    extra = {"collective_with": 900.0, "collective_without": 300.0}
    rows = [
        suite_row("collective_compute", "process", 0.5, spread=False, profile="shared", extra=extra),
        suite_row("collective_compute", "thread", 0.25, profile="shared", extra=extra),
    ]
    figure = page("t8-collective-compute", *rows)
    assert figure.finding == (
        "Beside a collective computation keeps between 25.0 % [24.2, 25.8] (mpich, thread) and 50.0 % [50.0, 50.0] "
        "(mpich, process) of its speed, kernel in cache, not yielding; at 1 MiB threads reach 0.50x [0.49, 0.51] of "
        "the availability of processes on mpich (node)"
    )
    availability, slowdown = figure.panels
    assert "process, p = 1 50.0 % [50.0, 50.0]" in availability.description
    assert "thread 3.00x [3.00, 3.00]" in slowdown.description


def test_a_hang_is_told_where_liveness_is() -> None:
    hang = Incident(Notice.BENCH_ERROR, "nothing moved for 10 s; liveness, variant thread: in MPI_Recv", "mpich")
    figure = next(each for each in figures(Data([suite_row("liveness", "lane", 9.0)], incidents=[hang])))
    assert figure.finding == "Not every order of starts ended on mpich"
    assert [row[3] for row in figure.fronts[0].table.rows] == [hang.message, "ended"]


def test_more_cpus_make_lines_over_the_number_of_flows() -> None:
    rows = [row for threads in (1, 2, 8) for row in flows("message_rate", 2.0 * threads, threads=threads)]
    crowded = flows("message_rate", 2.0, threads=16, profile="shared")
    panel, bars = page("t4-message-rate", *rows, *crowded).panels
    assert (panel.shared, bars.shared) == (False, True)
    assert bars.description.startswith("16 flows at once: process")
    assert drawn(panel, "y") == {
        "process": pytest.approx([1000, 1000, 1000]),
        "thread": pytest.approx([500, 250, 62.5]),
    }
    assert axes_of(panel).get_xlabel() == "flows at once"


def test_zeros_stop_nothing() -> None:
    def rows() -> Iterator[ResultRow]:
        for benchmark in sorted(TOLD):
            for variant in ("process", "thread"):
                yield suite_row(benchmark, variant, 0.0, extra={"delayed": 0.0, "exchange": 0.0, "compute": 0.0,
                                "collective_with": 0.0, "collective_without": 0.0, "trace": {"us": []}})  # fmt: skip

    data = Data(list(rows()))
    for figure in figures(data):
        assert not figure.panels or figure_files(figure)
    assert len(to_csv(data).splitlines()) == 2 * len(TOLD) + 1


def test_bars_that_would_be_too_short_become_dots() -> None:
    near = page("t2-concurrent-bandwidth", *flows("concurrent_bandwidth", 5.0))
    far = page("t2-concurrent-bandwidth", *flows("concurrent_bandwidth", 50.0))
    for figure, scale in ((near, "linear"), (far, "log")):
        assert axes_of(figure.panels[0]).get_xscale() == scale
