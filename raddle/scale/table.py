# SPDX-License-Identifier: BSD-3-Clause
"""Predictions, fits and comparisons as a terminal of 80 columns shows them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from rich.table import Table
from rich.text import Text

from raddle.scale.algorithms import ALGORITHMS
from raddle.scale.cost import Cost
from raddle.scale.fit import Fit
from raddle.scale.parameters import shown
from raddle.scale.prediction import Prediction
from raddle.units import format_bytes, format_value, three_digits


def power(ranks: int) -> str:
    """2^10 for a power of two from there on."""
    bits = ranks.bit_length() - 1
    return f"2^{bits}" if bits >= 10 and ranks == 1 << bits else str(ranks)


def costs(prediction: Prediction) -> list[Table]:
    """Times, messages and memory; the fastest is bold."""
    return [
        _table(
            "Time of an exchange", prediction, lambda cost: format_value(cost.seconds, "s"), lambda cost: cost.seconds
        ),
        _table("Messages that a rank sends", prediction, lambda cost: three_digits(cost.messages), None),
        _table("Memory of a rank besides messages", prediction, lambda cost: _memory(cost.memory), None),
    ]


def fastest(prediction: Prediction) -> str:
    """From where on which algorithm is the fastest."""
    parts = [
        f"{one.algorithm} at {power(one.first)}" + (f" to {power(one.last)}" if one.last > one.first else "")
        for one in prediction.fastest
    ]
    return f"Fastest: {', '.join(parts)} ranks."


def fit_words(fits: Mapping[str, Fit]) -> list[str]:
    """What was fitted, how well, and at each point."""
    lines = []
    for way, fit in fits.items():
        where = "between nodes" if way == "between" else "within a node"
        lines.append(f"Fitted to {fit.mpi}, {fit.placement}, as {where}: {shown(fit.parameters)}")
        values = (fit.trip * 1e6, fit.parameters.g * 1e6, fit.parameters.G * 1e9)
        widths = [width * unit for width, unit in zip(fit.half_widths or (), (1e6, 1e6, 1e9), strict=False)]
        within = [f" +- {three_digits(width)}" for width in widths] or [" (no interval: too few points)"] * 3
        names = zip(("L + 2o", "g", "G"), values, within, ("us", "us", "ns/B"), strict=True)
        lines.append("  95 %: " + ", ".join(f"{name} {three_digits(v)}{w} {unit}" for name, v, w, unit in names))
        lines.append(f"  error {fit.typical_error:.0%} (root mean square); at each point:")
        lines += [
            f"    {point.benchmark} {format_bytes(point.bytes)}: {format_value(point.measured, 's')} measured, "
            f"{format_value(point.fitted, 's')} fitted, {point.error:+.0%}"
            for point in sorted(fit.points, key=lambda point: (point.benchmark, point.bytes))
        ]
    return lines


def side_by_side(rows: Sequence[Mapping[str, object]], columns: Sequence[str]) -> Table:
    """Model, simulation and measurement of the same exchange."""
    table = _bare("Time of an exchange by " + " and ".join(columns))
    table.add_column("ranks", justify="right")
    table.add_column("algorithm")
    for column in columns:
        table.add_column(column, justify="right")
    for row in rows:
        cells = [row.get(column) for column in columns]
        values = [format_value(cell, "s") if isinstance(cell, float) else str(cell or "-") for cell in cells]
        table.add_row(str(row["ranks"]), str(row["algorithm"]), *values)
    return table


def _table(
    title: str, prediction: Prediction, words: Callable[[Cost], str], rank: Callable[[Cost], float] | None
) -> Table:
    table = _bare(title)
    table.add_column("ranks", justify="right")
    for name in ALGORITHMS:
        table.add_column(name, justify="right")
    for work, found in zip(prediction.works, prediction.costs, strict=True):
        best = min(found, key=lambda name: rank(found[name])) if rank else None
        cells = [Text(words(cost), style="bold" if name == best else "") for name, cost in found.items()]
        table.add_row(power(work.ranks), *cells)
    return table


def _bare(title: str) -> Table:
    return Table(title=title, title_justify="left", title_style="bold", box=None, pad_edge=False, header_style="dim")


def _memory(count: float) -> str:
    for unit in ("B", "KiB", "MiB"):
        if count < 1000:
            return f"{three_digits(count)} {unit}"
        count /= 1024
    return f"{three_digits(count)} GiB"
