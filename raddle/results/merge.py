# SPDX-License-Identifier: BSD-3-Clause
"""From launches to results: one row a point, every sample kept, judged by blocks (docs/use/results.md).

A block is one repetition of the whole plan. Launches differ from each other more than the samples within one do (page
placement, hashing, binding), so a block counts as one value and the interval is over blocks. Launches of one block
that measured the same point, such as one that died and its repetition after `--resume`, are pooled.

Where the machine was in several states, the median and its interval are those of one of them: over blocks of both they
would say how often the machine changed (docs/use/measuring.md).
"""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Sequence
from itertools import chain

import numpy as np

from raddle.model import SCHEMA, STATES_SCHEMA, ResultRow, RowLine, StateFigures
from raddle.results.flags import interrupted, point_flags
from raddle.results.launch_log import Launch
from raddle.results.machine_states import NONE, MachineStates, judge
from raddle.results.own_limit import own_limit
from raddle.stats.order import median, median_interval
from raddle.stats.series import autocorrelation, mad, outliers

Part = tuple[Launch, RowLine]
_Key = tuple[object, ...]


def merge(launches: Iterable[Launch]) -> list[ResultRow]:
    """One row for each point that any launch measured, in the order in which points first appear."""
    launches = list(launches)
    states = judge([launch.probe for launch in launches])
    points: dict[_Key, list[Part]] = {}
    for launch in launches:
        for row in launch.rows:
            points.setdefault(_key(launch, row), []).append((launch, row))
    return [_merge_point(parts, states) for parts in points.values()]


def _key(launch: Launch, row: RowLine) -> _Key:
    return row.benchmark, row.variant, launch.mpi, launch.profile, tuple(sorted(row.params.items())), row.metric


def _merge_point(parts: Sequence[Part], machine: MachineStates) -> ResultRow:
    blocks: dict[int, list[Part]] = {}
    for part in parts:
        blocks.setdefault(part[1].block, []).append(part)
    # Samples are laid out block after block, so that `block_ids`, `block_sizes` and `blocks` run in parallel.
    parts = list(chain.from_iterable(blocks.values()))
    samples_of = {block: [x for _, row in members for x in row.samples] for block, members in blocks.items()}
    samples = list(chain.from_iterable(samples_of.values()))
    medians = [median(values) for values in samples_of.values()]
    states = [_state(members) for members in blocks.values()] if machine.several else []
    state = _shown(states, machine)
    shown = [value for value, its in zip(medians, states, strict=True) if its == state] if states else medians
    correlations = [r for _, row in parts if (r := autocorrelation(row.samples)) is not None]
    correlation = median(correlations) if correlations else None
    p50, p90, p99 = (float(q) for q in np.percentile(samples, [50, 90, 99]))
    launch, row = parts[0]
    limits = [_limit(members) for members in blocks.values()]
    return ResultRow(
        schema=STATES_SCHEMA if states else SCHEMA,
        benchmark=row.benchmark,
        variant=row.variant,
        mpi=launch.mpi,
        mpi_version=" and ".join(sorted({launch.mpi_version for launch, _ in parts} - {""})),
        profile=launch.profile,
        params=row.params,
        metric=row.metric,
        unit=row.unit,
        better=row.better,
        samples=samples,
        block_ids=list(samples_of),
        block_sizes=[len(values) for values in samples_of.values()],
        blocks=medians,
        median=median(shown),
        ci95=median_interval(shown),
        p50=p50,
        p90=p90,
        p99=p99,
        max=max(samples),
        min=min(samples),
        mad=mad(samples),
        autocorrelation=correlation,
        outliers=outliers(samples),
        flags=point_flags(parts, len(shown), correlation),
        extra=_merge_extra(parts),
        launches=list(dict.fromkeys(launch.id for launch, _ in parts)),
        state=state,
        block_states=states,
        block_limits=limits if any(limits) else [],
        states=[_figures(each.name, medians, states, machine) for each in machine.seen],
    )


def _state(parts: Sequence[Part]) -> str:
    """Of a block: that of its launches, if it is one."""
    found = {launch.state for launch, _ in parts}
    return found.pop() if len(found) == 1 else NONE


def _shown(states: Sequence[str], machine: MachineStates) -> str:
    """The state that the figures of a point are of: the run's, or its own most frequent one where it has none of that.

    A point all of whose launches saw the machine change is left with what it has.
    """
    if not states:
        return machine.main if machine.seen else NONE
    if machine.main in states:
        return machine.main
    return max(sorted(set(states) - {NONE}), key=states.count, default=NONE)


def _figures(name: str, medians: Sequence[float], states: Sequence[str], machine: MachineStates) -> StateFigures:
    own = [value for value, its in zip(medians, states, strict=True) if its == name] if states else list(medians)
    seen = next(each for each in machine.seen if each.name == name)
    return StateFigures(
        state=name,
        core_to_core_ns=seen.core_to_core_ns,
        share=machine.share(name),
        blocks=len(own),
        median=median(own) if own else None,
        ci95=median_interval(own),
    )


def _limit(parts: Sequence[Part]) -> float | None:
    found = [limit for launch, row in parts if (limit := own_limit(launch, row)) is not None]
    return median(found) if found else None


def _merge_extra(parts: Sequence[Part]) -> dict[str, object]:
    """What only the benchmark knows, over its launches: numbers to their median, the rest only if all agree.

    A list with one entry a sample stays one: it is laid out like `samples`. A trace is that of the first launch.
    """
    rows = [row for _, row in parts]
    merged: dict[str, object] = {}
    for name in dict.fromkeys(name for row in rows for name in row.extra):
        values = [row.extra[name] for row in rows if name in row.extra]
        if all(isinstance(value, (int, float)) and not isinstance(value, bool) for value in values):
            merged[name] = statistics.median(values)
        elif all(isinstance(row.extra.get(name), list) and len(row.extra[name]) == len(row.samples) for row in rows):
            merged[name] = list(chain.from_iterable(values))
        elif name == "trace" or all(value == values[0] for value in values):
            merged[name] = values[0]
    merged["iterations"] = statistics.median_low(row.iterations for row in rows)
    merged["validated_bytes"] = sum(row.validated_bytes for row in rows)
    merged["interrupted_samples"] = interrupted(parts)
    merged["busy_contexts"] = max(row.busy_contexts for row in rows)
    return merged
