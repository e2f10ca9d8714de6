# SPDX-License-Identifier: BSD-3-Clause
"""The matrix of points: every benchmark, size and thread count, in every variant, on every MPI."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass

import msgspec

from raddle.catalogue import Benchmark, Catalogue
from raddle.clusters import nodes
from raddle.clusters.allocation import Allocation
from raddle.errors import UserError
from raddle.model import NO_MPI, PHYSICAL, PROCESS, TUNED, WAYS, Params
from raddle.mpi.family import Family
from raddle.plan.request import Request
from raddle.plan.teams import team_of
from raddle.tuning.shapes import shape_of
from raddle.tuning.tuned import Tuned


@dataclass(frozen=True)
class Point:
    """One row of the result, before it is measured."""

    mpi: str
    benchmark: str
    variant: str
    placement: str
    params: Params
    profile: str

    @property
    def threads(self) -> int:
        """Concurrent pairs, or what there is of in their place."""
        return int(self.params["ranks" if "ranks" in self.params else "threads"])

    def __str__(self) -> str:
        values = " ".join(f"{name}={value}" for name, value in self.params.items())
        return f"{self.mpi} {self.benchmark} {self.variant} {self.placement} {values}"


class Skipped(msgspec.Struct, frozen=True):
    """Points that this MPI cannot do, with the reason; kept in `plan.json`."""

    mpi: str
    variant: str
    placements: list[str]
    points: int
    reason: str
    benchmarks: list[str] = []  # empty: all that were asked for

    def __str__(self) -> str:
        count = f"{self.points} point{'s' if self.points > 1 else ''}"
        work = f" for {' and '.join(self.benchmarks)}" if self.benchmarks else ""
        return f"{self.mpi}: no {self.variant} on {' or '.join(self.placements)}{work} ({count}): {self.reason}"


@dataclass(frozen=True)
class Matrix:
    """The points to measure and those that cannot be."""

    points: list[Point]
    skipped: list[Skipped]


def profile_of(busy: int, cpus: int) -> str:
    """`shared` when the busy contexts do not fit the allowed CPUs."""
    return "clean" if busy <= cpus else "shared"


def matrix(
    request: Request,
    catalogue: Catalogue,
    families: Mapping[str, Family],
    cpus: int,
    allocation: Allocation | None = None,
    rivals: Collection[str] = (),
    tuned: Mapping[str, Tuned] | None = None,
) -> Matrix:
    """All points of a checked request on `families` (by the name of the MPI) with `cpus` allowed CPUs on each node.

    Of `rivals` only what the others are held against is measured: processes that do the work in the plainest way.

    The physical probe stands beside whatever is measured, so the filters do not concern it; it has no `shared`
    points, because a limit that was measured oversubscribed is none. Raises UserError when nothing is left.
    """
    everything = [
        point
        for mpi in families
        for point in _all_points(mpi, request, catalogue, cpus)
        if mpi not in rivals or _is_yardstick(point, catalogue)
    ]
    wanted = _filtered(everything, request)
    points: list[Point] = []
    cannot: dict[tuple[str, str, str], list[Point]] = {}
    for point in wanted:
        reason = _obstacle(point, families[point.mpi], allocation) or _as_it_comes(point, catalogue, tuned or {})
        if reason is None:
            points.append(point)
        else:
            cannot.setdefault((point.mpi, point.variant, reason), []).append(point)
    if not points and len(cannot) > 1 and len(reasons := {reason for _, _, reason in cannot}) == 1:
        raise UserError(f"Nothing is left to run: {reasons.pop()}.")
    skipped = [_skipped(those, reason, wanted) for (_, _, reason), those in cannot.items()]
    if wanted and not points:
        raise UserError(
            f"Nothing is left to run: {'; '.join(map(str, skipped))}.",
            hint="Choose another --mpi, --variant or --placement.",
        )
    points = [*points, *_physical_points(points, request, catalogue, cpus)]
    if not points:
        raise UserError(
            f"Nothing is left to run: physical needs a CPU for each thread, and {cpus} may be used.",
            hint="Ask for fewer --threads, or for other variants.",
        )
    return Matrix(points, skipped)


def _as_it_comes(point: Point, catalogue: Catalogue, tuned: Mapping[str, Tuned]) -> str | None:
    """Why `tuned` would be `process` once more: a search has found nothing for work of that shape."""
    if point.variant != TUNED or point.mpi not in tuned:
        return None
    found = tuned[point.mpi].settings(shape_of(catalogue.benchmarks[point.benchmark], point.params))
    return None if found else "no settings were shown to be faster than its defaults"


def _is_yardstick(point: Point, catalogue: Catalogue) -> bool:
    """Whether it is what a headline's ratio is against, on an MPI for which no library of ours is built."""
    if point.variant not in (PROCESS, TUNED) or catalogue.benchmarks[point.benchmark].preload:
        return False
    return all(point.params.get(name, ways[0]) == ways[0] for name, ways in WAYS.items())


def _skipped(those: list[Point], reason: str, wanted: list[Point]) -> Skipped:
    """Points of one MPI and variant that share a reason; their benchmarks, where others were wanted too."""
    mpi, variant = those[0].mpi, those[0].variant
    own = dict.fromkeys(point.benchmark for point in those)
    siblings = {point.benchmark for point in wanted if (point.mpi, point.variant) == (mpi, variant)}
    places = sorted({point.placement for point in those})
    return Skipped(mpi, variant, places, len(those), reason, [] if siblings == set(own) else list(own))


def _obstacle(point: Point, family: Family, allocation: Allocation | None) -> str | None:
    """Why a point cannot be measured, or None."""
    if reason := nodes.obstacle(point.placement, family, allocation):
        return reason
    if point.placement == "netns":
        from raddle.topology import netns  # noqa: PLC0415

        if reason := netns.unavailable():
            return reason
    return family.supports(point.variant, point.placement, point.benchmark, point.params)


def _all_points(mpi: str, request: Request, catalogue: Catalogue, cpus: int) -> Iterator[Point]:
    for name in request.benchmarks:
        benchmark = catalogue.benchmarks[name]
        for params in benchmark.works(request.mode, request.params, cpus):
            for variant, placement in _ways(benchmark, catalogue, request):
                if benchmark.suits(variant, placement, params, request.params):
                    team = team_of(benchmark, catalogue.variants[variant], placement, params)
                    busy = nodes.busiest(placement, team.busy)
                    yield Point(mpi, name, variant, placement, params, profile_of(busy, cpus))


def _ways(benchmark: Benchmark, catalogue: Catalogue, request: Request) -> Iterator[tuple[str, str]]:
    """Variants and placements of a benchmark; those that are measured on request only when they are asked for."""
    for variant, about in catalogue.variants.items():
        asked = variant in benchmark.variants or variant in request.variants
        optional = about.on_request or variant in benchmark.on_request
        for placement in about.placements if variant != PHYSICAL and (asked or not optional) else ():
            wanted = not catalogue.placements[placement].on_request or placement in request.placements
            if wanted and benchmark.runs(variant, placement, about.common):
                yield variant, placement


def _filtered(points: list[Point], request: Request) -> list[Point]:
    """The points that pass all filters; with none left, the message says how many each filter removed."""
    filters: list[tuple[str, Callable[[Point], bool]]] = []
    if request.variants:
        filters.append((f"--variant {','.join(request.variants)}", lambda point: point.variant in request.variants))
    if request.placements:
        places = request.placements
        filters.append((f"--placement {','.join(places)}", lambda point: point.placement in places))
    if request.profile:
        filters.append((f"--profile {request.profile}", lambda point: point.profile == request.profile))
    removed: list[str] = []
    left = points
    for option, passes in filters:
        kept = [point for point in left if passes(point)]
        removed.append(f"{option} removed {len(left) - len(kept)} of {len(left)}")
        left = kept
    if points and not left and request.variants != [PHYSICAL]:
        raise UserError(
            f"Nothing is left to run: {', then '.join(removed)} points.",
            hint="`raddle list` shows which variant runs on which placement; two busy threads a pair that fit the "
            "CPUs are profile clean, more are shared.",
        )
    return left


def _physical_points(points: list[Point], request: Request, catalogue: Catalogue, cpus: int) -> Iterator[Point]:
    """The limit for every piece of work in `points`, or for all of the request when it asks for nothing else."""
    wanted = {_work(point.benchmark, point.params) for point in points}
    about = catalogue.variants[PHYSICAL]
    for name in request.benchmarks:
        benchmark = catalogue.benchmarks[name]
        for params in benchmark.works(request.mode, request.params, cpus) if benchmark.limit else ():
            if points and _work(name, params) not in wanted:
                continue
            for placement in about.placements:
                team = team_of(benchmark, about, placement, params)
                if benchmark.suits(PHYSICAL, placement, params) and profile_of(sum(team.busy), cpus) == "clean":
                    yield Point(NO_MPI, name, PHYSICAL, placement, params, "clean")


def _work(benchmark: str, params: Params) -> tuple[str, tuple[tuple[str, int | float | str], ...]]:
    return benchmark, tuple(params.items())
