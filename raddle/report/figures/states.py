# SPDX-License-Identifier: BSD-3-Clause
"""The states of the machine: what the probes around launches found, and what every figure is in each of them."""

from __future__ import annotations

from functools import partial

from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator

from raddle.judge.points import placement
from raddle.model import NO_MPI, ResultRow
from raddle.report import numbers
from raddle.report.data import Data
from raddle.report.figures.kinds.ticks import log_limits, plain, set_log_ticks
from raddle.report.figures.model import Figure, Front, Panel, Table
from raddle.report.figures.tables import in_order
from raddle.report.params import way
from raddle.report.rows import work_words
from raddle.report.states import main, several, summary
from raddle.report.style import color
from raddle.results.machine_states import NONE, words
from raddle.results.row_states import in_state


def build(data: Data) -> Figure | None:
    """The figure, or none where the machine was in one state."""
    found = several(data)
    if not found:
        return None
    rows = [row for benchmark in data.benchmarks for row in in_order(data, data.headline(benchmark))]
    names = [each.name for each in found]
    return Figure(
        name="states",
        across=True,
        heading="States of the machine",
        short="States",
        finding=summary(data),
        how_to_read=(
            "Before and after each launch a probe passed a cache line between the CPUs that the launch took. Where a "
            "hypervisor moves virtual CPUs, this distance changes and figures follow. A launch is in a state when both "
            "probes were; the others count in no interval. A ratio takes the blocks in which both sides were in the "
            "same state, and the distance to physical what the launch's own probes found. Other figures are of "
            f"{words(main(data))}."
        ),
        panels=[_panel(data)] if _probed(data) else [],
        table=Table(
            ["benchmark", "work", "MPI", "variant", "placement", "state", "median", "95 % interval", "blocks"],
            [_cells(data, row, name) for row in rows for name in names],
            labels=6,
        ),
        benchmarks=data.benchmarks,
        fronts=[
            Front(
                "Medians in each state",
                Table(
                    ["work", "way", *(each.words for each in found)],
                    [[*_about(data, row), *(_told(row, name) for name in names)] for row in rows],
                    labels=2,
                ),
            )
        ],
    )


def _about(data: Data, row: ResultRow) -> list[str]:
    mpi = "" if row.mpi == NO_MPI else f", {data.title(row.mpi)}"
    return [f"{row.benchmark} {work_words(row)}".rstrip(), f"{way(row)}, {placement(row)}{mpi}"]


def _told(row: ResultRow, name: str) -> str:
    own = in_state(row, name)
    return numbers.told(own) if own else "-"


def _cells(data: Data, row: ResultRow, name: str) -> list[str]:
    own = in_state(row, name)
    state = next(each for each in several(data) if each.name == name)
    blocks = row.block_states.count(name) if row.block_states else len(row.blocks)
    return [
        row.benchmark, work_words(row), data.title(row.mpi), way(row), placement(row), state.words,
        *((numbers.value(own), numbers.interval(own)) if own else ("-", "-")), str(blocks),
    ]  # fmt: skip


def _probed(data: Data) -> list[tuple[int, float, bool]]:
    """Launch by launch, twice each: its place in time, the distance, and whether it belongs to a state."""
    return [
        (number, value, launch.state != NONE)
        for number, launch in enumerate(data.log.launches, start=1)
        if launch.probe and launch.probe.whole
        for value in launch.probe.core_to_core_ns
    ]


def _panel(data: Data) -> Panel:
    found = _probed(data)
    values = [value for _, value, _ in found]
    return Panel(
        title="From core to core, before and after each launch",
        draw=partial(_draw, found=found),
        description=f"{len(found)} probes, from {min(values):.0f} to {max(values):.0f} ns.",
        width=7.4,
        height=2.4,
    )


def _draw(axes: Axes, *, found: list[tuple[int, float, bool]]) -> None:
    for belongs, look, name in ((True, "ink", "in-state"), (False, "muted", "in-none")):
        own = [(number, value) for number, value, its in found if its is belongs]
        if not own:
            continue
        (drawn,) = axes.plot(
            *zip(*own, strict=True), "." if belongs else "x", color=color(look), markersize=4, alpha=0.7, linestyle=""
        )
        drawn.set_gid(name)
    limits = log_limits([value for _, value, _ in found], 1.2, 1.2)
    axes.set_yscale("log")
    axes.set_ylim(*limits)
    set_log_ticks(axes.yaxis, limits, plain)
    axes.set_ylabel("ns")
    axes.set_xlabel("launch, in order of time")
    axes.xaxis.set_major_locator(MaxNLocator(6, integer=True))
    axes.grid(axis="x", visible=False)
