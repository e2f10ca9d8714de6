# SPDX-License-Identifier: BSD-3-Clause
"""All benchmarks together as multiples: of the best processes, and of what the machine allows without any MPI."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

from raddle.judge.points import placement
from raddle.model import PHYSICAL, ResultRow
from raddle.report import numbers
from raddle.report.data import Data
from raddle.report.figures.kinds.dots import dots_panel, groups_by_mpi
from raddle.report.figures.kinds.ticks import ratio_tick
from raddle.report.figures.kinds.tracks import Reference, Track
from raddle.report.figures.model import Figure, Panel
from raddle.report.figures.tables import Column, ratio_columns, table
from raddle.report.rows import condition, size_words
from raddle.stats.ratio import Ratio

_Place = tuple[object, ...]


@dataclass(frozen=True)
class _Multiples:
    """Rows with their ratios, and how these are drawn; `dots` are the ratios in single blocks."""

    rows: Sequence[ResultRow]
    of: Callable[[ResultRow], Ratio]
    dots: Callable[[ResultRow], Sequence[float]]
    label: str
    reference: Reference
    room: tuple[float, float]
    # Which ratio the description tells, and as what.
    extreme: Callable[..., ResultRow]
    told: str

    def panels(self, data: Data, order: Callable[[ResultRow], _Place]) -> list[Panel]:
        """One for each benchmark and condition, in the order of what `order` says of their rows."""
        found: dict[_Place, list[ResultRow]] = {}
        for row in sorted(self.rows, key=order):
            found.setdefault(order(row), []).append(row)
        return [self._panel(data, own) for own in found.values()]

    def _panel(self, data: Data, rows: Sequence[ResultRow]) -> Panel:
        each, told = condition(rows[0]), self.extreme(rows, key=lambda row: self.of(row).estimate)
        return dots_panel(
            ", ".join(filter(None, [rows[0].benchmark, size_words(rows[0]), each.words])),
            groups_by_mpi(data, rows, self._track),
            f"{len(rows)} {self.told} is {numbers.ratio_text(self.of(told))}, "
            f"{told.variant} on {data.title(told.mpi)}.",
            label=self.label, tick=ratio_tick, room=self.room, within=[1.0], reference=self.reference,
            shared=each.shared,
        )  # fmt: skip

    def _track(self, row: ResultRow) -> Track:
        where = "" if row.variant == "process" else f", {placement(row)}"
        its = self.of(row)
        return Track(
            row.variant, f"{row.variant}{where}", its.estimate, its.interval, numbers.ratio_text(its), self.dots(row)
        )

    def columns(self, header: str) -> list[Column]:
        """The ratio, its interval, and of how many blocks it is."""
        return [
            *ratio_columns(header, lambda _, row: self.of(row)),
            ("blocks", lambda _, row: str(self.of(row).n)),
        ]


def against_processes(data: Data, without: Collection[str]) -> Figure | None:
    """What the matrix says, drawn, but for benchmarks whose comparisons have pages of their own; none without any."""
    benchmarks = [benchmark for benchmark in data.benchmarks if benchmark not in without]
    shown = [row for benchmark in benchmarks for row in data.headline(benchmark) if row.variant != "process"]
    ratios = {id(row): its for row in shown if (its := data.speed(row, data.rival(row))) is not None}
    if not ratios:
        return None
    rows = [row for row in shown if id(row) in ratios]
    found = _Multiples(
        rows, lambda row: ratios[id(row)], lambda row: data.speed_by_block(row, data.rival(row)),
        "speed as a multiple of the best processes", Reference(1.0), (1.15, 1.15), min, "ratios; the lowest",
    )  # fmt: skip
    return Figure(
        name="ratios",
        across=True,
        heading="Against processes",
        short="Against processes",
        finding=_counted(list(ratios.values())),
        how_to_read=(
            "Speed as a multiple of the best processes of any MPI doing the same work: right of the line is faster, "
            "whatever the metric. Ratios are paired block by block. Marker: median. Bar: 95 % interval; where it "
            "touches the line, no difference is shown. Ticks: the ratio in every block."
        ),
        panels=found.panels(data, lambda row: (condition(row), benchmarks.index(row.benchmark))),
        table=table(
            data, rows,
            ["benchmark", "size", "MPI", "variant", "placement", "profile", "pairs", *found.columns("speed"),
             ("", lambda _, row: found.of(row).words)],
            labels=6,
        ),
        benchmarks=benchmarks,
    )  # fmt: skip


def _counted(ratios: Sequence[Ratio]) -> str:
    known = [ratio for ratio in ratios if ratio.interval is not None]
    if not known:
        return f"n too small: none of {len(ratios)} comparisons with processes has an interval"
    faster = sum(ratio.shown and ratio.estimate > 1 for ratio in known)
    slower = sum(ratio.shown and ratio.estimate < 1 for ratio in known)
    return (
        f"Of {len(known)} comparisons with processes {slower} are slower, {faster} faster, the rest show no difference"
    )


def distance_to_physical(data: Data) -> Figure | None:
    """How many times slower than the limit, clean rows only, since a limit has no scheduler; none without limits."""
    shown = [row for benchmark in data.benchmarks for row in data.headline(benchmark) if not condition(row).shared]
    ratios = {
        id(row): speed.inverse()
        for row in shown
        if row.variant != PHYSICAL and (speed := data.speed(row, data.limit(row))) is not None
    }
    if not ratios:
        return None
    rows = [row for row in shown if id(row) in ratios]
    found = _Multiples(
        rows, lambda row: ratios[id(row)], lambda row: [],
        "times slower than physical", Reference(1.0, beyond=-1), (1.25, 1.15), max, "distances; the largest",
    )  # fmt: skip
    nearest = min(rows, key=lambda row: found.of(row).estimate)
    its = found.of(nearest)
    return Figure(
        name="distance-to-physical",
        across=True,
        heading="Distance to physical",
        short="Distance to physical",
        finding=f"Nearest to physical: {nearest.variant} on {data.title(nearest.mpi)} in {nearest.benchmark}, "
        f"{numbers.ratio_text(its)} as long{'' if its.shown or its.interval is None else ', no difference shown'}",
        how_to_read=(
            "How many times slower than physical, the same work without an MPI, measured in the same run and paired "
            "block by block: left is better. Bandwidth may be faster than the memcpy of one core, where two copy at "
            "once. The axis is logarithmic; bars are 95 % intervals."
        ),
        panels=found.panels(data, lambda row: (data.benchmarks.index(row.benchmark), condition(row))),
        table=table(
            data, rows, ["benchmark", "size", "MPI", "variant", "placement", "pairs", *found.columns("times slower")],
            labels=5,
        ),
        benchmarks=list(dict.fromkeys(row.benchmark for row in rows)),
    )  # fmt: skip
