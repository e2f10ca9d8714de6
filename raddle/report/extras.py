# SPDX-License-Identifier: BSD-3-Clause
"""What a benchmark measured beside its value: figures in `extra` that are laid out like the samples."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import accumulate, pairwise
from typing import Any

from raddle.model import ResultRow
from raddle.report import numbers
from raddle.stats.order import median, median_interval
from raddle.units import scale_for


@dataclass(frozen=True)
class Figures:
    """A quantity as it came out in each block: all that its median, its interval and ratios need."""

    blocks: Mapping[int, float]
    unit: str

    @property
    def median(self) -> float:
        return median(list(self.blocks.values()))

    @property
    def interval(self) -> tuple[float, float] | None:
        return median_interval(list(self.blocks.values()))

    @property
    def value(self) -> str:
        """The median with its unit."""
        return numbers.amount(self.median, self.unit)

    @property
    def bounds(self) -> str:
        """The interval in the same unit."""
        return numbers.bounds(self.interval, scale_for(self.median, self.unit).factor)

    @property
    def text(self) -> str:
        """Both, e.g. `0.912 µs [0.900, 0.931]` or `0.912 µs, n too small`."""
        return numbers.with_bounds(self.value, self.bounds)


def figures(row: ResultRow, unit: str, of: Callable[..., float | None], *names: str) -> Figures | None:
    """A quantity computed from these entries of each sample; none where the row lacks one or no sample has a value.

    Of blocks in the state that the row's own median is of, where the machine was in several.
    """
    columns = [_numbers(row, name) for name in names]
    if not all(columns):
        return None
    edges = pairwise([0, *accumulate(row.block_sizes)])
    states = row.block_states or [row.state] * len(row.block_ids)
    samples = [of(*entries) for entries in zip(*columns, strict=True)]
    blocks = {
        block: median(own)
        for block, (begin, end), state in zip(row.block_ids, edges, states, strict=True)
        if state == row.state
        and (own := [each for each in samples[begin:end] if each is not None and math.isfinite(each)])
    }
    return Figures(blocks, unit) if blocks else None


def extra(row: ResultRow, name: str, unit: str) -> Figures | None:
    """One entry as it is."""
    return figures(row, unit, lambda value: value, name)


def quotient(row: ResultRow, above: str, below: str) -> Figures | None:
    """One entry over another, sample by sample."""
    return figures(row, "", lambda a, b: a / b if b > 0 else None, above, below)


def trace(row: ResultRow) -> list[float]:
    """The single times of one sample, in order; empty where the row has none."""
    kept = row.extra.get("trace")
    return _finite(kept.get("us")) if isinstance(kept, dict) else []


def path(row: ResultRow) -> str:
    """Which way the messages really went, e.g. `memory`, `veth0`; empty where nobody looked."""
    return str(row.extra.get("path") or "")


def _numbers(row: ResultRow, name: str) -> list[float]:
    """One for each sample, or none at all."""
    values = _finite(row.extra.get(name))
    return values if len(values) == len(row.samples) == sum(row.block_sizes) else []


def _finite(values: Any) -> list[float]:
    if not isinstance(values, list):
        return []
    return [float(value) for value in values if isinstance(value, (int, float)) and math.isfinite(value)]
