# SPDX-License-Identifier: BSD-3-Clause
"""The page of Dslash: performance by contexts, what of the time is communication, and what is said of a master."""

from __future__ import annotations

from typing import Any

from raddle.model import ResultRow
from raddle.report.data import Data
from raddle.report.figures import figures
from raddle.report.figures.endpoints.dslash import breakdown
from tests.report.looks import drawn, page
from tests.report.suite import suite_row

NAME = "e4-dslash"


def row(variant: str, value: float, **keys: Any) -> ResultRow:
    """A tenth of 100 us packs, half computes; exact where the variant is the one that others are compared with."""
    phases = {"communication": 0.4, "pack": 10.0, "post": 5.0, "interior": 20.0, "wait": 35.0, "boundary": 30.0}
    about: dict[str, Any] = {"extent": 4, "parties": 2, "spread": variant != "master", "extra": phases} | keys
    made = suite_row("dslash", variant, value, **about)
    del made.params["bytes"]  # it has no messages of one size
    return made


def test_the_computation_is_a_part_of_the_time() -> None:
    bar = breakdown(Data([]), row("process", 5.0))
    assert bar is not None
    assert (bar.centre, bar.part) == (100.0, 60.0)
    assert bar.text == "100 µs [100, 100], 40.0 %"


def test_a_row_without_phases_has_no_bar() -> None:
    assert breakdown(Data([]), row("process", 5.0, extra={})) is None
    assert len(page(NAME, row("process", 5.0, extra={})).panels) == 1


def test_panels_are_performance_on_each_lattice_and_time_where_communication_weighs_most() -> None:
    rows = [row(variant, 5.0, extent=extent) for variant in ("process", "endpoint-direct") for extent in (4, 8)]
    figure = page(NAME, *rows)
    assert [panel.title for panel in figure.panels] == [
        f"mpich, lattice {lattice}" for lattice in ("4x4x4x8", "8x8x8x16", "4x4x4x8")
    ]
    for panel in figure.panels:
        assert set(drawn(panel)) == {"process", "endpoint-direct"}
    assert "40.0 %" in figure.panels[-1].description


def test_more_contexts_make_a_line() -> None:
    figure = page(NAME, *(row("lane", 5.0 * threads, threads=threads) for threads in (1, 2, 4)))
    assert figure.panels[0].description == "1 series over 1, 2, 4 contexts on each side."
    assert "4 contexts on each side: lane" in figure.panels[1].description


def test_the_finding_tells_clean_and_oversubscribed_apart() -> None:
    crowded = {"threads": 2, "profile": "shared"}
    clean = [row("master", 5.0), row("endpoint-direct", 10.0)]
    shared = [row("master", 5.0, **crowded), row("endpoint-direct", 5.0, **crowded)]
    assert page(NAME, *clean).finding == (
        "On 4x4x4x8, 1 context on each side, endpoints multiply the performance of a master thread by "
        "2.00x [1.94, 2.06] on mpich"
    )
    assert page(NAME, *clean, *shared).finding.endswith(
        "; no difference between endpoints and a master thread (4x4x4x8, oversubscribed, 2 contexts on each side) is "
        "shown on mpich (1.00x [0.97, 1.03])"
    )
    assert {panel.shared for panel in page(NAME, *clean, *shared).panels} == {False, True}


def test_without_a_master_nothing_is_claimed() -> None:
    assert page(NAME, row("process", 5.0), row("endpoint-direct", 9.0)).finding == "Dslash by variant"


def test_no_size_is_told_of_work_that_has_none() -> None:
    found = figures(Data([row("process", 5.0), row("endpoint-direct", 9.0)]))
    titles = [panel.title for figure in found for panel in figure.panels]
    assert "dslash, mpich, 1 context on each side, lattice 4x4x4x8" in titles
    assert not any("0 B" in title for title in titles)
