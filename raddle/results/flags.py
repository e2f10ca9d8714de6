# SPDX-License-Identifier: BSD-3-Clause
"""Which notices a point deserves, judged from its launches. Thresholds and majorities are all here."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from raddle.clusters.nodes import NODES
from raddle.model import LEVELS, RowLine
from raddle.notices import Notice, notice_of
from raddle.results.launch_log import Launch
from raddle.results.machine_states import NONE
from raddle.stats.order import FEWEST
from raddle.stats.series import CORRELATED, still_warming

PREEMPTED_SHARE = 0.05
"""Of the samples of a point: below it, an interruption here and there leaves the median and p90 alone."""

STEAL_SHARE = 0.01
"""CPU seconds a second, summed over the CPUs as the kernel does."""


# One launch in ten or so has these by chance alone (a drift, a wide interval): a point needs a majority.
_BY_MAJORITY = {Notice.STILL_WARMING: 0.5, Notice.NOT_CONVERGED: 0.49}


def point_flags(parts: Sequence[tuple[Launch, RowLine]], n_blocks: int, autocorrelation: float | None) -> list[str]:
    """Names for a row, in the catalogue's order; flags from raddle-bench that the catalogue lacks come last."""
    counts = Counter(flag for launch, row in parts for flag in _launch_flags(launch, row))
    flags = {flag for flag, count in counts.items() if count > _BY_MAJORITY.get(notice_of(flag), 0) * len(parts)}
    if n_blocks < FEWEST:
        flags.add(Notice.N_TOO_SMALL)
    if autocorrelation is not None and autocorrelation > CORRELATED:
        flags.add(Notice.AUTOCORRELATED)
    if interrupted(parts) > PREEMPTED_SHARE * sum(len(row.samples) for _, row in parts):
        flags.add(Notice.PREEMPTED)
    if len({launch.mpi_version for launch, _ in parts if launch.mpi_version}) > 1:
        flags.add(Notice.MIXED_VERSIONS)
    known = [notice.value for notice in Notice if notice in flags]
    return known + sorted({str(flag) for flag in flags} - set(known))


def interrupted(parts: Sequence[tuple[Launch, RowLine]]) -> int:
    """How many samples saw at least one involuntary context switch."""
    return sum(switches > 0 for _, row in parts for switches in row.switches)


def _launch_flags(launch: Launch, row: RowLine) -> set[str]:
    flags: set[str] = set(row.flags)
    if launch.profile == "shared":
        flags.add(Notice.OVERSUBSCRIBED)
    if not row.converged:
        flags.add(Notice.NOT_CONVERGED)
    if still_warming(row.samples):
        flags.add(Notice.STILL_WARMING)
    if launch.died:
        flags.add(Notice.LAUNCH_DIED)
    if _stolen(launch) > STEAL_SHARE:
        flags.add(Notice.STEAL)
    if launch.state == NONE and launch.probe and launch.probe.whole:
        flags.add(Notice.STATE_CHANGED)
    if _level_raised(launch):
        flags.add(Notice.LEVEL_RAISED)
    if Notice.OVERSUBSCRIBED not in flags and _share_a_cpu(row.cpus, row.params.get("placement") == NODES):
        flags.add(Notice.ONE_CPU)
    return flags


def _stolen(launch: Launch) -> float:
    """CPU seconds that the hypervisor kept back in a second of the launch."""
    end = launch.end or {}
    seconds = float(end.get("seconds") or 0)
    return float(end.get("steal_s") or 0) / seconds if seconds > 0 else 0.0


def _level_raised(launch: Launch) -> bool:
    levels = [str((launch.launch or {}).get(key, "")).lower() for key in ("level_requested", "level_provided")]
    if not all(level in LEVELS for level in levels):
        return False  # the probe has no levels
    return LEVELS.index(levels[1]) > LEVELS.index(levels[0])


def _share_a_cpu(cpus: Sequence[Sequence[int]], two_nodes: bool) -> bool:
    """More contexts than CPUs among which they may be placed, though the launch was not planned so.

    The CPUs of two nodes have the same numbers. The first contexts are on the first node, but a row does not tell how
    many: they share one if they do so wherever the second node begins.
    """
    if two_nodes:
        return all(_share_a_cpu(cpus[:i], False) or _share_a_cpu(cpus[i:], False) for i in range(len(cpus) + 1))
    return len({cpu for context in cpus for cpu in context}) < sum(1 for context in cpus if context)
