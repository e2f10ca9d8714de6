# SPDX-License-Identifier: BSD-3-Clause
"""Figures: what must be in them, what must never be together, what titles may claim."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import msgspec
import numpy as np
import pytest
from matplotlib.colors import to_hex
from matplotlib.markers import MarkerStyle

from raddle.report.data import Data
from raddle.report.draw import _compose, figure_files, looks, panel_svg
from raddle.report.figures import figures
from raddle.report.figures.kinds.ticks import log_ticks, plain
from raddle.report.figures.model import Figure
from raddle.report.rows import condition
from raddle.report.style import variant_style
from tests.report.looks import axes_of, check_whole, named, page, series
from tests.stats.builders import result_row

NINE = [9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0, 16.0, 17.0]


def test_all_kinds_are_there_once(drawn: list[Figure]) -> None:
    names = [figure.name for figure in drawn if figure.name != "over-time"]
    assert names == ["ratios", "message-rate", "latency", "bandwidth", "distance-to-physical", "distributions"]


def test_every_panel_draws_and_every_figure_has_its_numbers(drawn: list[Figure]) -> None:
    assert all(figure.panels for figure in drawn)
    check_whole(drawn)


def test_clean_and_shared_are_never_in_one_panel(data: Data, drawn: list[Figure]) -> None:
    """Values of the two profiles do not overlap in this run, so a panel can be told by what is in it."""
    rates = [row for row in data.rows if row.benchmark == "msgrate"]
    shared = {row.median for row in rates if condition(row).shared}
    clean = {row.median for row in rates} - shared
    for panel in named("message-rate", drawn).panels:
        values = {float(np.asarray(line.get_xdata(), dtype=float)[0]) for line in series(panel)}
        assert values <= (shared if panel.shared else clean)
        assert values


def test_the_limit_is_never_drawn_beside_oversubscribed_rows(drawn: list[Figure]) -> None:
    assert not any(panel.shared for panel in named("distance-to-physical", drawn).panels)


def test_latency_and_bandwidth_show_every_mpi_with_the_same_axes(drawn: list[Figure]) -> None:
    for name in ("latency", "bandwidth"):
        limits = set()
        panels = named(name, drawn).panels
        assert [panel.title for panel in panels] == ["MPICH 5.0.2", "Open MPI 5.0.11", "Intel MPI 2021.18"]
        for panel in panels:
            axes = axes_of(panel)
            limits.add((axes.get_xlim(), axes.get_ylim()))
            assert any(line.get_gid() == "series:physical" for line in axes.get_lines())
        assert len(limits) == 1


def test_markers_are_hollow_where_n_is_too_small(data: Data, few: Data) -> None:
    def faces(drawn: list[Figure]) -> Iterator[str]:
        for panel in named("message-rate", drawn).panels:
            yield from (to_hex(line.get_markerfacecolor()) for line in series(panel))

    assert set(faces(figures(few))) == {"#ffffff"}
    assert "#ffffff" not in set(faces(figures(data)))


def test_titles_claim_nothing_without_an_interval(few: Data) -> None:
    for name in ("message-rate", "latency", "bandwidth"):
        assert named(name, figures(few)).finding.endswith("n too small to show a difference")
    assert named("ratios", figures(few)).finding.startswith("n too small: none of 45 comparisons")


@pytest.mark.parametrize(
    ("factor", "expected"),
    [
        (4.0, "At 8 B threads reach 0.25x [0.25, 0.25] of the speed of processes on mpich (node)"),
        (1.0, "Latency: no difference shown"),
    ],
)
def test_titles_say_what_the_data_say(factor: float, expected: str) -> None:
    rows = [
        result_row("latency", "process", NINE),
        result_row("latency", "thread", [factor * value for value in NINE]),
    ]
    assert page("latency", *rows).finding == expected


def test_titles_say_of_every_mpi_what_is_shown_and_what_is_not() -> None:
    """The one with the surest difference chooses the point; lanes are told of where threads differ."""
    wide = [0.5, 0.6, 0.7, 0.8, 1.0, 1.2, 1.4, 1.6, 2.0]
    rows = []
    for mpi, threads, lanes in (
        ("openmpi", [4.0] * 9, [2.0] * 9),
        ("intel", wide, [3.0] * 9),
        ("mpich", [9.0] * 5, wide),
    ):
        rows.append(result_row("latency", "process", [1.0] * 9, mpi=mpi))
        rows.append(result_row("latency", "thread", threads, mpi=mpi))
        rows.append(result_row("latency", "lane", lanes, mpi=mpi))
    assert page("latency", *rows).finding == (
        "At 8 B threads reach 0.25x [0.25, 0.25] of the speed of the best processes on openmpi; no difference is shown "
        "on intel (1.00x [0.62, 1.67]); n too small on mpich (about 0.11x); lanes reach 0.50x [0.50, 0.50] on openmpi "
        "(node, the best: openmpi)"
    )


def test_one_size_is_drawn_as_dots_in_which_no_series_hides_another() -> None:
    variants = ("process", "thread", "lane", "threadcomm", "endpoint-direct")
    one = [result_row("latency", variant, NINE) for variant in variants]
    limit = result_row("latency", "physical", [value / 2 for value in NINE])
    (panel,) = (figure := page("latency", *one, limit)).panels
    heights = [float(np.asarray(line.get_ydata(), dtype=float)[0]) for line in series(panel)]
    assert len(heights) == len(set(heights)) == len(variants) + 1
    assert "Line:" not in figure.how_to_read
    two = [*one, *(result_row("latency", variant, NINE, bytes=64) for variant in variants)]
    assert "Line: median" in page("latency", *two, limit).how_to_read


@pytest.mark.parametrize("variant", ["physical", "slow", "bulk", "shared"])
def test_every_median_stands_out_from_its_interval(variant: str) -> None:
    """A flat marker of the same colour on a flat line is not seen."""
    marker = MarkerStyle(variant_style(variant).marker)
    box = marker.get_path().transformed(marker.get_transform()).get_extents()
    assert marker.is_filled()
    assert box.height > 0.5 * box.width


def test_a_page_has_one_name_in_lists_and_in_its_title(drawn: list[Figure]) -> None:
    assert {figure.short: figure.heading for figure in drawn if figure.across and figure.short != figure.heading} == {}


def test_the_nearest_to_physical_is_told_as_a_multiple() -> None:
    rows = [result_row("latency", "process", [2.0] * 9), result_row("latency", "physical", [1.0] * 9)]
    assert page("distance-to-physical", *rows).finding == (
        "Nearest to physical: process on mpich in latency, 2.00x [2.00, 2.00] as long"
    )


def test_one_lonely_row_is_enough() -> None:
    drawn = figures(Data([result_row("bandwidth", "thread", [1.0], bytes=1 << 20)]))
    assert [figure.name for figure in drawn] == ["bandwidth", "distributions"]
    assert all(figure_files(figure) for figure in drawn)


def test_a_value_of_zero_does_not_stop_the_report() -> None:
    rows = [result_row("msgrate", "process", [0.0] * 9), result_row("msgrate", "thread", NINE)]
    for figure in figures(Data(rows)):
        assert figure_files(figure)


def test_distributions_keep_the_extremes() -> None:
    samples = [1.0] * 5000 + [1000.0]
    row = result_row("latency", "process", NINE, samples=samples, block_ids=[0], block_sizes=[5001])
    [line] = series(page("distributions", row).panels[0])
    values = np.asarray(line.get_xdata(), dtype=float)
    assert values.max() == 1000
    assert len(values) < 500


def test_panels_over_time_can_be_told_apart() -> None:
    plain = result_row("latency", "process", NINE, flags=["still-warming"])
    work: list[tuple[str, dict[str, int | float | str]]] = [
        ("dsde_algorithms", {"algorithm": "nbx", "ranks": 4}),
        ("dsde_algorithms", {"algorithm": "nbx", "ranks": 8}),
        ("dsde_algorithms", {"algorithm": "pex", "ranks": 4}),
        ("short_long", {"long_bytes": 0}),
        ("short_long", {"long_bytes": 1024}),
    ]
    rows = [msgspec.structs.replace(plain, benchmark=name, params=plain.params | own) for name, own in work]
    panels = page("over-time", *rows).panels
    assert len({panel.title for panel in panels}) == len(rows)
    drawn_as = {str(line.get_gid()) for panel in panels for line in series(panel)}
    assert drawn_as == {"series:nbx", "series:pex", "series:process"}


def test_samples_over_time_are_shown_for_points_that_had_not_settled() -> None:
    row = result_row("latency", "process", NINE, flags=["still-warming"])
    drawn = page("over-time", row)
    assert drawn.finding == "1 of 1 points may not have settled"


def test_the_same_data_give_the_same_bytes(drawn: list[Figure]) -> None:
    figure = named("latency", drawn)
    assert figure_files(figure) == figure_files(figure)
    assert "<dc:date>" not in panel_svg(figure.panels[0])


def test_a_long_legend_gets_several_lines_inside_the_picture(drawn: list[Figure]) -> None:
    figure = named("bandwidth", drawn)
    assert len(figure.legend) > 6
    for panels in (figure.panels, figure.panels[:1]):
        with looks():
            canvas = _compose(replace(figure, panels=panels))
            canvas.draw_without_rendering()
        [legend] = canvas.legends
        box = legend.get_window_extent()
        assert canvas.bbox.x0 <= box.x0
        assert box.x1 <= canvas.bbox.x1
        drawn_above = [each for axes in canvas.axes if (each := axes.get_tightbbox())]
        assert box.y1 <= min(each.y0 for each in drawn_above)


def test_files_are_white_and_carry_the_title(drawn: list[Figure]) -> None:
    files = figure_files(named("message-rate", drawn))
    assert set(files) == {"message-rate.svg", "message-rate.png"}
    assert files["message-rate.png"].startswith(b"\x89PNG")
    assert b"(oversubscribed)" in files["message-rate.svg"]


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [
        (0.9, 11, [1, 2, 5, 10]),
        (0.09, 9.5, [0.1, 0.3, 1, 3]),
        (0.2, 1500, [1, 10, 100, 1000]),
        (3.6, 4.4, [3.75, 4, 4.25]),
        (1.0, 1.0001, [1, 1.00005, 1.0001]),
    ],
)
def test_an_axis_has_two_to_six_round_ticks(low: float, high: float, expected: list[float]) -> None:
    ticks = log_ticks(low, high)
    assert len(ticks) >= 2
    if len(expected) < 5 and high / low > 1.01:
        assert ticks == pytest.approx(expected)


def test_ticks_are_short() -> None:
    assert [plain(value) for value in (0.001, 0.5, 20.0, 1000.0, 2500.0)] == ["0.001", "0.5", "20", "1k", "2.5k"]
