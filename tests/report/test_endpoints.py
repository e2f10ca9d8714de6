# SPDX-License-Identifier: BSD-3-Clause
"""The pages about endpoints: what is added to an operation, shares of processes, a page for whatever else there is."""

from __future__ import annotations

import pytest

from raddle.catalogue import catalogue
from raddle.report.data import Data
from raddle.report.figures import figures
from raddle.report.figures.endpoints import highlights
from tests.report.endpoints import endpoints_data, overhead, throughput
from tests.report.looks import cells, named, page
from tests.report.suite import suite_row

ENDPOINTS = catalogue().suites["endpoints-evaluation"].benchmarks


@pytest.fixture(scope="module")
def evaluated() -> Data:
    return endpoints_data()


def test_the_highlights_are_held_against_2014(evaluated: Data) -> None:
    found = highlights.build(evaluated)
    assert found is not None
    assert found.finding == "At least as good as the library of 2014: of 12 comparisons 9 met, 3 not shown"
    lines = {row[0]: row[1:3] for row in found.table.rows}
    assert lines["added to an operation, direct engine"] == ["about 320 ns", "-0.200 µs [-0.206, -0.194]"]
    assert lines["added to an operation, proxy engine"] == ["about 320 ns", "0.240 µs [0.233, 0.247]"]
    assert lines["throughput of 64 B messages, proxy engine"] == ["72 %", "72.0 % [69.8, 74.2]"]


def test_highlights_of_a_small_machine_say_what_is_oversubscribed() -> None:
    found = highlights.build(endpoints_data(cpus=2))
    assert found is not None
    lines = {row[0]: row[2] for row in found.table.rows}
    assert lines["added to an operation, proxy engine"] == "0.240 µs [0.233, 0.247]"  # a message to itself has room
    assert lines["throughput of 64 B messages, proxy engine"] == "oversubscribed: 72.0 % [69.8, 74.2]"
    assert lines["throughput of 64 B messages, direct engine"] == "2000 % [1940, 2060]"
    assert highlights.build(Data([overhead("process", "other")])) is None


def test_what_is_measured_there_is_no_part_of_the_comparisons_of_others(evaluated: Data) -> None:
    others = [figure.benchmarks for figure in figures(evaluated) if figure.name == "ratios"]
    assert all(not set(ENDPOINTS) & set(each) for each in others)


def test_what_an_engine_adds_is_told_in_time_with_its_interval() -> None:
    rows = [overhead(variant, "other") for variant in ("process", "thread", "endpoint-proxy")]
    figure = page("e1-overhead", *rows)
    assert figure.finding == (
        "At 8 B the proxy engine adds 0.240 µs [0.233, 0.247] on mpich to a message to another (at most 320 ns)"
    )
    assert cells(figure, "added to processes") == ["-", "0.900 µs [0.873, 0.927]", "0.240 µs [0.233, 0.247]"]
    assert cells(figure, "at most 320 ns") == ["-", "-", "met"]
    [front] = figure.fronts
    assert front.caption == "Added to processes, a message to another"
    assert front.table.rows == [["thread", "0.900 µs [0.873, 0.927]"], ["endpoint-proxy", "0.240 µs [0.233, 0.247]"]]


@pytest.mark.parametrize(
    ("added", "blocks", "told", "judged"),
    [
        (0.5, 9, "0.500 µs [0.485, 0.515] on mpich to a message to another (more than 320 ns)", "not met"),
        (
            0.32,
            9,
            "0.320 µs [0.310, 0.330] on mpich to a message to another (320 ns lie within the interval)",
            "not shown",
        ),
        (0.1, 3, "0.100 µs on mpich to a message to another (n too small)", "not shown"),
        (-0.05, 9, "-50.0 ns [-51.5, -48.5] on mpich to a message to another (at most 320 ns)", "met"),
    ],
)
def test_the_bar_is_passed_only_by_whole_intervals(added: float, blocks: int, told: str, judged: str) -> None:
    figure = page(
        "e1-overhead",
        overhead("process", "other", blocks=blocks),
        overhead("endpoint-proxy", "other", added=added, blocks=blocks),
    )
    assert figure.finding == f"At 8 B the proxy engine adds {told}"
    assert cells(figure, "at most 320 ns")[-1] == judged


def test_nothing_added_is_told_as_such() -> None:
    row = overhead("endpoint-proxy", "other", added=0.0)
    row.blocks[:] = [0.5 + each for each in (-0.1, 0.2, 0.0, 0.0, 0.0, 0.0, 0.0, -0.02, 0.0801)]
    figure = page("e1-overhead", overhead("process", "other"), row)
    assert figure.finding.endswith(
        "adds 0 ns [-20.0, 80.1] on mpich to a message to another (no difference shown, at most 320 ns)"
    )


def test_where_a_pair_has_no_room_a_message_to_itself_tells() -> None:
    """Two CPUs: a pair with proxies is oversubscribed, and clean processes are nothing to compare it with."""
    rows = [
        *(overhead("process", partner) for partner in ("other", "self")),
        overhead("endpoint-proxy", "other", profile="shared"),
        overhead("endpoint-proxy", "self"),
        overhead("endpoint-direct", "other"),
    ]
    figure = page("e1-overhead", *rows)
    assert figure.finding == (
        "At 8 B the proxy engine adds 0.240 µs [0.233, 0.247] on mpich to a message to itself (at most 320 ns); "
        "the direct engine adds -0.200 µs [-0.206, -0.194] on mpich to a message to another (at most 320 ns)"
    )
    to_another, to_itself = figure.fronts
    assert to_another.table.rows[1] == ["endpoint-proxy", "oversubscribed, not compared"]
    assert to_itself.table.rows == [["endpoint-proxy", "0.240 µs [0.233, 0.247]"]]
    assert not any(panel.shared for panel in figure.panels)


def test_shares_of_processes_with_the_limit_beside() -> None:
    rows = [throughput(variant, 2) for variant in ("process", "thread", "endpoint-direct", "endpoint-proxy")]
    limit = [row for row in endpoints_data().rows if row.benchmark == "ep_throughput" and row.variant == "physical"]
    figure = page("e2-throughput", *rows, *limit)
    assert figure.finding == (
        "64 B messages in per cent of processes: thread 2.60 % [2.52, 2.68], endpoint-direct 2000 % [1940, 2060] and "
        "endpoint-proxy 72.0 % [69.8, 74.2] on mpich (2 flows at once)"
    )
    [front] = figure.fronts
    assert front.table.header == ["", "ST: process", "MT: thread", "EP: direct", "EP: proxy", "no MPI"]
    assert front.table.rows == [
        ["mpich, 64 B, 2 flows at once", "200 MB/s [200, 200]", "2.60 % [2.52, 2.68]", "2000 % [1940, 2060]",
         "72.0 % [69.8, 74.2]", "6000 % [6000, 6000]"],
    ]  # fmt: skip
    assert "physical 6000 % [6000, 6000]" in figure.panels[0].description


def test_oversubscribed_shares_are_told_as_such_and_have_no_limit() -> None:
    rows = [throughput(variant, 2, profile="shared", blocks=3) for variant in ("process", "endpoint-proxy")]
    figure = page("e2-throughput", *rows)
    assert figure.finding == (
        "64 B messages in per cent of processes: endpoint-proxy 72.0 % (n too small) on mpich "
        "(2 flows at once, oversubscribed)"
    )
    assert figure.fronts[0].caption.endswith("(* oversubscribed)")
    assert figure.fronts[0].table.rows[0][0] == "mpich, 64 B, 2 flows at once*"
    assert all(panel.shared for panel in figure.panels)


def test_the_number_of_flows_is_one_at_which_most_can_be_compared() -> None:
    """Four flows need eight CPUs, and with proxies sixteen."""
    found = named("e2-throughput", figures(endpoints_data(cpus=8)))
    assert found.finding.count("endpoint-proxy 72.0 %") == 3
    assert found.finding.endswith("(2 flows at once)")
    assert [row[0] for row in found.fronts[0].table.rows[:3]] == [
        f"MPICH 5.0.2, 64 B, {flows}" for flows in ("1 flow", "2 flows at once", "4 flows at once")
    ]


def test_what_needs_more_cpus_than_processes_do_says_so() -> None:
    rows = [throughput(variant, 1) for variant in ("process", "endpoint-direct")]
    figure = page("e2-throughput", *rows, throughput("endpoint-proxy", 1, profile="shared"))
    [line] = figure.fronts[0].table.rows
    assert line == ["mpich, 64 B, 1 flow", "100 MB/s [100, 100]", "2000 % [1940, 2060]", "oversubscribed, not compared"]


def test_shares_are_of_contexts_in_several_processes() -> None:
    """As processes are: threads of one process are another comparison."""
    places = {"node": (2, 50.0), "one-process": (1, 900.0)}
    rows = [
        suite_row("fft_exchange", "thread", value, spread=False, bytes=64, processes=processes, placement=place)
        for place, (processes, value) in places.items()
    ]
    figure = page("e3-fft-exchange", suite_row("fft_exchange", "process", 100.0, spread=False, bytes=64), *rows)
    assert [row[1:] for row in figure.fronts[0].table.rows] == [["100 MB/s [100, 100]", "50.0 % [50.0, 50.0]"]]


def test_so_are_those_of_the_highlights() -> None:
    """The row of one process comes first, and is passed over."""
    rows = [
        suite_row(
            "fft_exchange", "endpoint-direct", value, spread=False, bytes=64, processes=processes, placement=place
        )
        for place, processes, value in (("one-process", 1, 900.0), ("node", 2, 300.0))
    ]
    process = suite_row("fft_exchange", "process", 100.0, spread=False, bytes=64)
    found = highlights.build(Data([*rows, process]))
    assert found is not None
    assert found.table.rows == [["FFT exchange, direct engine", "-", "300 % [300, 300]"]]


def test_without_processes_nothing_is_compared() -> None:
    figure = page("e1-overhead", overhead("endpoint-proxy", "other"))
    assert figure.finding == "Time of an operation by variant and MPI"
    assert figure.fronts == []
    figure = page("e2-throughput", throughput("endpoint-proxy", 1))
    assert figure.finding == "Bandwidth of small messages by number of processes, threads or endpoints"
    assert figure.fronts == []
