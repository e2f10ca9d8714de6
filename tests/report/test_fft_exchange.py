# SPDX-License-Identifier: BSD-3-Clause
"""The page of the exchange of an FFT: what stands against the thread that communicates for all, and what is said."""

from __future__ import annotations

from typing import Any

import pytest

from raddle.model import ResultRow
from raddle.report.data import Data
from raddle.report.matrix import matrix
from tests.report.looks import drawn, page
from tests.report.suite import suite_row

NAME = "e3-fft-exchange"
SIZES = (64, 4096, 65536)


def row(variant: str, value: float, **keys: Any) -> ResultRow:
    """Exact where the variant is the one that others are compared with."""
    about = {"bytes": 64, "parties": 2, "volume": 1 << 18, "spread": variant != "master"} | keys
    return suite_row("fft_exchange", variant, value, **about)


def test_lines_are_multiples_of_the_master_by_size() -> None:
    rows = [row("master", 100.0 * size, bytes=size) for size in SIZES]
    rows += [row("endpoint-direct", 300.0 * size, bytes=size) for size in SIZES]
    rows += [row("thread", 50.0 * size, bytes=size, placement="one-process", processes=1) for size in SIZES]
    figure = page(NAME, *rows)
    [panel] = figure.panels
    assert drawn(panel, "y") == {"endpoint-direct": pytest.approx([3.0] * 3), "thread--": pytest.approx([0.5] * 3)}
    assert panel.title == "mpich, 1 context on each side"
    assert [one.label for one in figure.legend] == ["thread, one-process", "endpoint-direct, node"]


def test_the_finding_tells_clean_and_oversubscribed_apart() -> None:
    crowded = {"threads": 2, "profile": "shared"}
    clean = [row("master", 100.0), row("endpoint-direct", 300.0)]
    shared = [row("master", 100.0, **crowded), row("endpoint-direct", 100.0, **crowded)]
    assert page(NAME, *clean).finding == (
        "At 64 B (1 context on each side) endpoints multiply the bandwidth of a master thread by "
        "3.00x [2.91, 3.09] on mpich"
    )
    assert page(NAME, *clean, *shared).finding.endswith(
        "; no difference between endpoints and a master thread (oversubscribed, 2 contexts on each side) is shown on "
        "mpich (1.00x [0.97, 1.03])"
    )
    assert {panel.shared for panel in page(NAME, *clean, *shared).panels} == {False, True}


def test_without_a_master_the_bandwidth_is_drawn_and_nothing_claimed() -> None:
    figure = page(NAME, *(row(variant, 100.0, bytes=size) for variant in ("process", "thread") for size in SIZES))
    assert figure.finding == "Bandwidth by variant"
    assert len(figure.panels) == 1
    assert "speed to master" not in figure.table.header


def test_other_volumes_and_nodes_are_other_work() -> None:
    rows = [row("master", 100.0), row("endpoint-direct", 300.0, volume=1 << 20), row("thread", 50.0, parties=3)]
    assert page(NAME, *rows).finding == "Bandwidth by variant"
    told = {part.work for part in matrix(Data([*rows, row("process", 100.0), row("process", 10.0, parties=3)]))}
    assert told == {"64 B, 1 context on each side"}
