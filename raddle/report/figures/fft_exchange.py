# SPDX-License-Identifier: BSD-3-Clause
"""E3: the exchange of an FFT, speed against one thread that communicates."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from matplotlib.axes import Axes

from raddle.judge.points import placement
from raddle.model import ResultRow
from raddle.report import numbers
from raddle.report.data import Data
from raddle.report.figures.by_size import legend, size_panels
from raddle.report.figures.ep_shares import shares_front
from raddle.report.figures.findings import on_each
from raddle.report.figures.lines import Line, Point, Scene, draw_lines
from raddle.report.figures.model import Figure, Panel
from raddle.report.figures.suite import measured, one_for_each, suite_table
from raddle.report.figures.ticks import log_limits, ratio_tick
from raddle.report.params import series
from raddle.report.rows import Condition, condition, display_order, group, size
from raddle.report.style import color
from raddle.stats.ratio import Ratio
from raddle.units import format_bytes

MASTER = "master"
Compared = tuple[ResultRow, Ratio]


def build(data: Data, number: int) -> Figure | None:
    """The figure, or none when it was not measured."""
    rows = measured(data, "fft_exchange")
    if not rows:
        return None
    compared = [(row, its) for row in rows if (its := to_master(data, row)) is not None]
    return Figure(
        name=f"e{number}-fft-exchange",
        heading=f"E{number}. Exchange of an FFT",
        short=f"E{number}",
        finding=_finding(data),
        how_to_read=(
            "A volume that stays the same goes from all contexts to all contexts, in blocks of each size. Speed as a "
            "multiple of what is reached where one thread of each process communicates for all (master, the line at "
            "1): above it is faster. Ratios are paired block by block. Line: median; band: 95 % interval. Dashed: the "
            "contexts are threads of one process, and the master those of two. Without a master the bandwidth itself "
            "is drawn."
        ),
        panels=list(_panels(data, compared)) if compared else size_panels(data, rows, [], "bandwidth"),
        table=suite_table(data, rows, [("speed to master", lambda row: _told(to_master(data, row)))]),
        benchmarks=["fft_exchange"],
        legend=legend([row for row, _ in compared] or rows),
        fronts=shares_front(data, data.headline("fft_exchange")),
    )


def to_master(data: Data, row: ResultRow) -> Ratio | None:
    """How many times faster than one thread of each process for all; none for that itself."""
    return None if row.variant == MASTER else data.speed(row, data.other(row, MASTER))


def _told(its: Ratio | None) -> str:
    return numbers.ratio_text(its) if its else "-"


def _finding(data: Data) -> str:
    """What endpoints make of it at the headline size: with a CPU for each thread, and without."""
    own = [row for row in data.headline("fft_exchange") if row.variant == "endpoint-direct"]
    between = [row for row in own if placement(row) != "one-process"]
    said = [sentence for shared in (False, True) if (sentence := _sentence(data, between, shared))]
    return "; ".join([said[0], *(part[:1].lower() + part[1:] for part in said[1:])]) if said else "Bandwidth by variant"


def _sentence(data: Data, rows: Sequence[ResultRow], shared: bool) -> str:
    chosen = one_for_each(data, [row for row in rows if condition(row).shared == shared])
    found = [(data.title(row.mpi), its) for row in chosen if (its := to_master(data, row)) is not None]
    if not found:
        return ""
    where = f"{'oversubscribed, ' if shared else ''}{condition(chosen[0]).flows}"
    return on_each(
        found,
        f"at {format_bytes(size(chosen[0]))} ({where}) endpoints multiply the bandwidth of a master thread by {{}}",
        nothing=f"between endpoints and a master thread ({where})",
    )


def _panels(data: Data, compared: Sequence[Compared]) -> Iterator[Panel]:
    """One for every MPI and condition; each profile has axes of its own, alike in all panels."""
    for each in sorted({condition(row) for row, _ in compared}):
        scene = _scene([pair for pair in compared if condition(pair[0]).shared == each.shared])
        for mpi in data.mpis:
            if own := [pair for pair in compared if pair[0].mpi == mpi and condition(pair[0]) == each]:
                yield _panel(data.title(mpi), scene, each, own)


def _scene(compared: Sequence[Compared]) -> Scene:
    values = [value for _, its in compared for value in (its.estimate, *(its.interval or ()))]
    sizes = sorted({size(row) for row, _ in compared})
    return Scene(sizes, log_limits([1.0, *values], 1.3, 1.3), "speed to master", ratio_tick, "size of a block")


def _panel(title: str, scene: Scene, each: Condition, compared: Sequence[Compared]) -> Panel:
    ratios = {id(row): its for row, its in compared}
    rows = sorted((row for row, _ in compared), key=display_order)
    lines = [
        Line(name, [_point(row, ratios[id(row)]) for row in own], dashed=place == "one-process")
        for (name, place), own in group(rows, lambda row: (series(row), placement(row))).items()
    ]
    best, its = max(compared, key=lambda pair: pair[1].estimate)
    return Panel(
        title=f"{title}, {each.words}",
        draw=partial(_draw, scene=scene, lines=lines),
        description=f"{len(lines)} series over {len({size(row) for row in rows})} sizes; the highest is "
        f"{numbers.ratio_text(its)}, {series(best)} at {format_bytes(size(best))}.",
        shared=each.shared,
    )


def _point(row: ResultRow, its: Ratio) -> Point:
    return Point(size(row), its.estimate, its.interval)


def _draw(axes: Axes, scene: Scene, lines: Sequence[Line]) -> None:
    draw_lines(axes, scene, lines)
    axes.axhline(1.0, color=color(MASTER), linewidth=1.0, linestyle=(0, (1, 1.2)), zorder=1.5)
