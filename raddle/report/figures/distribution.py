# SPDX-License-Identifier: BSD-3-Clause
"""All samples of the headline points as distribution functions: what a median and its interval do not tell."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import FixedLocator, FuncFormatter

from raddle.judge.points import placement
from raddle.model import ResultRow
from raddle.report import numbers
from raddle.report.data import Data
from raddle.report.figures.kinds.lines import DASHED
from raddle.report.figures.kinds.ticks import axis_unit, log_limits, set_log_ticks
from raddle.report.figures.model import Figure, Panel, Series
from raddle.report.figures.tables import Column, table
from raddle.report.params import series, way
from raddle.report.rows import Condition, condition, display_order, group, size_words
from raddle.report.style import variant_rank, variant_style
from raddle.units import scale_for, three_digits

# More steps than a panel has pixels are only bytes; the first and the last sample are always among them.
STEPS = 160

# A run of many benchmarks has a hundred such points: then those with most outliers are drawn, and all are in the table.
MOST = 12


def build(data: Data) -> Figure | None:
    """The figure, or none without rows."""
    # What is nothing but zeros, such as locks that nobody took, has no place on a logarithmic axis.
    rows = [row for benchmark in data.benchmarks for row in data.headline(benchmark) if row.max > 0]
    if not rows:
        return None
    kinds = [
        (mpi, benchmark, each, own)
        for each in sorted(group(rows, condition))
        for benchmark in data.benchmarks
        for mpi in data.mpis
        if (own := [row for row in rows if (row.mpi, row.benchmark, condition(row)) == (mpi, benchmark, each)])
    ]
    told = sorted(kinds, key=lambda kind: -max(map(_outlying, kind[-1])))[:MOST]
    some = f"; the {MOST} of {len(kinds)} points with most are drawn" if len(kinds) > MOST else ""
    worst = max(rows, key=_outlying)
    return Figure(
        name="distributions",
        across=True,
        heading="Distributions",
        short="Distributions",
        finding=f"Most outliers: {way(worst)} on {data.title(worst.mpi)} in {worst.benchmark}, "
        f"{worst.outliers} of {len(worst.samples)} samples; all are kept{some}",
        how_to_read=(
            "The share of all samples at or below a value; nothing is dropped. Steep is steady; a step is a second "
            "mode; a long foot or shoulder is a tail. Outliers are samples further than 14.8 MAD from the "
            "median. Dashed: both sides in one process."
        ),
        panels=[_panel(data, *kind) for kind in kinds if kind in told],
        table=table(data, rows, COLUMNS, labels=6),
        benchmarks=data.benchmarks,
        legend=sorted({_series(row) for row in rows}, key=lambda each: (variant_rank(each.variant), each.placement)),
    )


def _outlying(row: ResultRow) -> float:
    return row.outliers / len(row.samples)


def _series(row: ResultRow) -> Series:
    return Series(series(row), "" if row.variant == "process" else placement(row))


def _panel(data: Data, mpi: str, benchmark: str, each: Condition, rows: Sequence[ResultRow]) -> Panel:
    return Panel(
        title=", ".join(filter(None, [benchmark, size_words(rows[0]), data.title(mpi), each.words])),
        draw=partial(_draw, rows=sorted(rows, key=display_order)),
        description=" ".join(f"{way(row)}: {len(row.samples)} samples, median {numbers.value(row)}." for row in rows),
        height=2.3,
        shared=each.shared,
    )


def _draw(axes: Axes, *, rows: Sequence[ResultRow]) -> None:
    limits = log_limits((sample for row in rows for sample in row.samples), 1.1, 1.1)
    axes.set_xscale("log")
    axes.set_xlim(*limits)
    for row in rows:
        style = variant_style(series(row))
        values, shares = _steps(row.samples)
        (drawn,) = axes.plot(
            values, shares, color=style.light, drawstyle="steps-post", linewidth=1.5,
            linestyle=DASHED if placement(row) == "one-process" else "-",
        )  # fmt: skip
        drawn.set_gid(f"series:{series(row)}")
        axes.plot([row.p50], [0.5], style.marker, color=style.light, zorder=4)
    unit, tick = axis_unit([row.median for row in rows], rows[0].unit)
    set_log_ticks(axes.xaxis, limits, tick)
    axes.set_xlabel(f"{rows[0].metric} ({unit})")
    axes.set_ylim(-0.02, 1.02)
    axes.yaxis.set_major_locator(FixedLocator([0, 0.5, 0.9, 1]))
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{100 * value:.0f} %"))


def _steps(samples: Sequence[float]) -> tuple[list[float], list[float]]:
    """The distribution function at no more than STEPS of the sorted samples, extremes included."""
    ordered = np.sort(np.asarray(samples, dtype=float))
    picked = np.unique(np.linspace(0, len(ordered) - 1, min(STEPS, len(ordered))).round().astype(int))
    return [float(ordered[0]), *map(float, ordered[picked])], [0.0, *((picked + 1) / len(ordered)).tolist()]


def _quantile(name: str) -> Column:
    """Of all samples, in the unit in which the median reads best."""

    def text(data: Data, row: ResultRow) -> str:
        return three_digits(getattr(row, name) * scale_for(row.median, row.unit).factor)

    return name, text


def _unit(data: Data, row: ResultRow) -> str:
    return numbers.pretty_unit(scale_for(row.median, row.unit).label)


COLUMNS: list[str | Column] = [
    *("benchmark", "size", "MPI", "variant", "placement", "profile", "samples"),
    *map(_quantile, ("min", "p50", "p90", "p99", "max")),
    ("unit", _unit),
    ("outliers", lambda data, row: str(row.outliers)),
]
