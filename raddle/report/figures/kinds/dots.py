# SPDX-License-Identifier: BSD-3-Clause
"""Panels of dots: values on a logarithmic axis, under the names of their MPIs, held against one that all share."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial

from raddle.model import ResultRow
from raddle.report.data import Data
from raddle.report.figures.kinds.ticks import log_limits
from raddle.report.figures.kinds.tracks import Reference, Track, TrackGroup, draw_tracks, tracks_panel
from raddle.report.figures.model import Panel
from raddle.report.rows import display_order


def groups_by_mpi(data: Data, rows: Sequence[ResultRow], track: Callable[[ResultRow], Track]) -> list[TrackGroup]:
    """A group for each MPI that has rows, its tracks in the order of display."""
    return [
        TrackGroup(data.title(mpi), [track(row) for row in sorted(own, key=display_order)])
        for mpi in data.mpis
        if (own := [row for row in rows if row.mpi == mpi])
    ]


def values(groups: Iterable[TrackGroup]) -> list[float]:
    """All that is drawn."""
    tracks = [track for group in groups for track in group.tracks]
    return [value for track in tracks for value in (track.centre, *track.dots, *(track.interval or ()))]


def dots_panel(
    title: str, groups: Sequence[TrackGroup], description: str, *, label: str, tick: Callable[[float], str],
    room: tuple[float, float], within: Iterable[float] = (), reference: Reference | None = None, shared: bool = False,
) -> Panel:  # fmt: skip
    """The axis has all that is drawn, and what is `within` it, with so many times as much room below and above."""
    limits = log_limits([*within, *values(groups)], *room)
    draw = partial(draw_tracks, limits=limits, label=label, tick=tick, reference=reference)
    return tracks_panel(title, draw, groups, description, shared=shared)
