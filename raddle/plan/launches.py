# SPDX-License-Identifier: BSD-3-Clause
"""Points grouped into launches: what one start of the MPI can measure together.

Launches cost up to a second each, and variants compare best when one process interleaves them sample by sample. So
points share a launch whenever they agree in everything that is fixed at MPI_Init: the MPI, its environment, the
thread level, the number of processes and of their proxies, and the profile.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from raddle.catalogue import PROXIES, Benchmark, Catalogue, Variant
from raddle.model import TUNED, PointSet
from raddle.mpi.family import Family
from raddle.plan.points import Point
from raddle.plan.teams import team_of
from raddle.tuning.shapes import shape_of
from raddle.tuning.tuned import Tuned

# Stand in what is preloaded for directories that are not known before something is built there: of our programs without
# MPI, and of libraddle for the launch's MPI.
PROGRAMS = "{programs}"
LIBRARY = "{library}"
PRELOAD = "LD_PRELOAD"


@dataclass(frozen=True)
class Group:
    """The launches of one kind: one in every block."""

    name: str  # unique within the plan, fit for a file name, e.g. "mpich-node-lane-x2"
    mpi: str
    level: str
    processes: int
    profile: str
    env: dict[str, str]  # what the variant, the profile, the placement and the work need before MPI_Init
    topology: str  # what has to be made before it starts
    sets: list[PointSet]
    proxies: int = 0  # of each process


@dataclass(frozen=True)
class _Start:
    """What is fixed when the processes start."""

    mpi: str
    env: tuple[tuple[str, str], ...]
    level: str
    processes: int
    proxies: int
    profile: str
    topology: str


def group(
    points: list[Point], families: Mapping[str, Family], catalogue: Catalogue, tuned: Mapping[str, Tuned] | None = None
) -> list[Group]:
    """The launches that measure `points` once, in the order of their first point; `tuned` is by MPI."""
    together: dict[_Start, list[Point]] = {}
    for point in points:
        together.setdefault(_start(point, families, catalogue, tuned or {}), []).append(point)
    names: set[str] = set()
    return [
        Group(
            name=_unique(_name(members), names),
            mpi=start.mpi,
            level=start.level,
            processes=start.processes,
            proxies=start.proxies,
            profile=start.profile,
            env=dict(start.env),
            topology=start.topology,
            sets=_sets(members),
        )
        for start, members in together.items()
    ]


def _start(point: Point, families: Mapping[str, Family], catalogue: Catalogue, tuned: Mapping[str, Tuned]) -> _Start:
    variant, benchmark = catalogue.variants[point.variant], catalogue.benchmarks[point.benchmark]
    env: dict[str, str] = {}
    if point.mpi in families:
        family = families[point.mpi]
        env = {
            **family.profile_env(point.profile),
            **family.variant_env(point.variant, point.threads, point.threads),
            **family.placement_env(point.placement),
            **family.choice_env(point.params),
        }
    if point.variant == TUNED and point.mpi in tuned:
        env |= tuned[point.mpi].settings(shape_of(benchmark, point.params))
    if preloads := list(dict.fromkeys(filter(None, (benchmark.preload, variant.preload)))):
        env[PRELOAD] = ":".join(preloads)
    team = team_of(benchmark, variant, point.placement, point.params)
    env |= _settings(benchmark, variant, point, catalogue)
    if team.proxies:
        env[PROXIES] = str(team.proxies)
    return _Start(
        mpi=point.mpi,
        env=tuple(sorted(env.items())),
        level=str(point.params.get("level", variant.level)),
        processes=team.processes,
        proxies=team.proxies,
        profile=point.profile,
        topology=catalogue.placements[point.placement].topology,
    )


def _settings(benchmark: Benchmark, variant: Variant, point: Point, catalogue: Catalogue) -> dict[str, str]:
    """Those of libraddle, where it is preloaded. Messages of proxies are the MPI's, whose own settings say which way
    they go."""
    owners = [one for one in (benchmark, variant) if LIBRARY in one.preload]
    if not owners:
        return {}
    placed = {} if variant.proxies else catalogue.placements[point.placement].settings
    own = [one.settings for one in owners]
    chosen = [one.choices.get(f"{name}={value}", {}) for one in owners for name, value in point.params.items()]
    return {name: value for made in (*own, placed, *chosen) for name, value in made.items()}


def _sets(points: list[Point]) -> list[PointSet]:
    """Points that differ in nothing but the variant become one set, to be interleaved."""
    sets: dict[tuple[object, ...], PointSet] = {}
    for point in points:
        work = (point.benchmark, point.placement, tuple(point.params.items()))
        same = sets.setdefault(
            work,
            PointSet(benchmark=point.benchmark, placement=point.placement, variants=[], params=point.params),
        )
        same.variants.append(point.variant)
    return list(sets.values())


def _name(points: list[Point]) -> str:
    """E.g. "openmpi-node-thread+lane-x1+2", or "none-one-process-physical-x1" for the probe."""
    first = points[0]
    variants = "+".join(dict.fromkeys(point.variant for point in points))
    threads = "+".join(dict.fromkeys(str(point.threads) for point in points))
    level = next((f"-{point.params['level']}" for point in points if "level" in point.params), "")
    return f"{first.mpi}-{first.placement}-{variants}{level}-x{threads}"


def _unique(name: str, taken: set[str]) -> str:
    number, candidate = 1, name
    while candidate in taken:
        number += 1
        candidate = f"{name}-{number}"
    taken.add(candidate)
    return candidate
