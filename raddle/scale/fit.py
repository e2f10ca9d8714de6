# SPDX-License-Identifier: BSD-3-Clause
"""LogGP's parameters from what `raddle run` has measured: half round trips, and rates of messages.

Half a round trip of b bytes is L + 2o + bG, and messages of one rank follow each other in g + bG. Both are fitted at
once, by least squares of relative errors, so that short messages count as much as long ones. How much of L + 2o is o no
such measurement tells; a rank that does nothing but send is busy all the time, so o is taken to be g, or half of L + 2o
where that is less.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from scipy.stats import t as student

from raddle.errors import UserError
from raddle.model import ResultRow
from raddle.results.rows import read_results, results_file
from raddle.scale.parameters import LogGP

LONGEST = 65536  # bytes: beyond, an MPI copies in other ways
RATES = ("msgrate", "message_rate")
TRIPS = ("latency", "concurrent_latency")
WAYS = {"between": ("nodes", "netns", "no-shm"), "within": ("node",)}


@dataclass(frozen=True)
class Point:
    """One measurement, and what the fit makes of it; seconds."""

    benchmark: str
    bytes: int
    measured: float
    fitted: float

    @property
    def error(self) -> float:
        """Relative."""
        return self.fitted / self.measured - 1


@dataclass(frozen=True)
class Fit:
    """`half_widths` are those of the 95 % intervals of L + 2o, g and G; None: as many points as parameters."""

    mpi: str
    placement: str
    parameters: LogGP
    trip: float  # L + 2o
    half_widths: tuple[float, float, float] | None
    points: list[Point]

    @property
    def typical_error(self) -> float:
        """Root of the mean square of the relative errors."""
        return float(np.sqrt(np.mean([point.error**2 for point in self.points])))


def fits(directory: Path, mpi: str | None) -> dict[str, Fit]:
    """What a run tells of the ways between nodes and within one. Raises UserError where it tells nothing."""
    rows = [row for row in read_results(results_file(directory)) if _usable(row)]
    measured = list(dict.fromkeys(row.mpi for row in rows))
    if not measured or (mpi and mpi not in measured):
        raise UserError(
            f"{directory} has no latencies and rates of two processes{f' of {mpi}' if mpi else ''}.",
            hint="Measure them: raddle run latency msgrate --variant process --bytes 8,1K,8K,64K --threads 1",
        )
    if mpi is None and len(measured) > 1:
        raise UserError(f"{directory} is of several MPIs.", hint=f"Name one: --mpi {' or --mpi '.join(measured)}")
    found = {}
    for way, placements in WAYS.items():
        for placement in placements:
            chosen = [row for row in rows if row.mpi == (mpi or measured[0]) and row.params["placement"] == placement]
            if way not in found and (one := _fit(chosen, placement)):
                found[way] = one
    if not found:
        raise UserError(
            f"{directory} has too few sizes to tell L, g and G apart.", hint="Two for latency, and a rate of messages."
        )
    return found


def _usable(row: ResultRow) -> bool:
    params = row.params
    return (
        (row.benchmark, row.metric) in [*((name, "latency") for name in TRIPS), *((name, "rate") for name in RATES)]
        and (row.variant, row.profile, params.get("threads")) == ("process", "clean", 1)
        and params.get("mode", "windowed") == "windowed"
        and int(params["bytes"]) <= LONGEST
    )


def _fit(rows: Sequence[ResultRow], placement: str) -> Fit | None:
    trips = [(row, row.median * 1e-6) for row in rows if row.benchmark in TRIPS]
    gaps = [(row, 1 / row.median) for row in rows if row.benchmark in RATES]
    if len({row.params["bytes"] for row, _ in trips}) < 2 or not gaps:
        return None
    measured = [*trips, *gaps]
    times = np.array([seconds for _, seconds in measured])
    sizes = np.array([float(row.params["bytes"]) for row, _ in measured])
    is_trip = np.array([row.benchmark in TRIPS for row, _ in measured], dtype=float)
    design = np.column_stack([is_trip, 1 - is_trip, sizes]) / times[:, None]
    # Columns of one length: G is a millionth of the others, and times are in seconds.
    scale = np.linalg.norm(design, axis=0)
    solved, *_ = np.linalg.lstsq(design / scale, np.ones(len(times)), rcond=None)
    trip, gap, byte = (solved / scale).tolist()
    if min(trip, gap, byte) <= 0:
        raise UserError(
            f"The times of {rows[0].mpi}, {placement}, do not grow with the length as LogGP has it.",
            hint="Measure more sizes and more blocks: raddle run latency msgrate --bytes 8,1K,8K,64K --publish",
        )
    overhead = min(gap, trip / 2)
    fitted = trip * is_trip + gap * (1 - is_trip) + byte * sizes
    points = [
        Point(row.benchmark, int(row.params["bytes"]), seconds, float(one))
        for (row, seconds), one in zip(measured, fitted, strict=True)
    ]
    parameters = LogGP(L=trip - 2 * overhead, o=overhead, g=gap, G=byte)
    return Fit(rows[0].mpi, placement, parameters, trip, _half_widths(design / scale, solved, scale), points)


def _half_widths(design: np.ndarray, solved: np.ndarray, scale: np.ndarray) -> tuple[float, float, float] | None:
    """Of the 95 % intervals, by Student's distribution."""
    freedom = len(design) - design.shape[1]
    if freedom < 1:
        return None
    errors = 1 - design @ solved
    covariance = np.linalg.inv(design.T @ design) * float(errors @ errors) / freedom
    widths = float(student.ppf(0.975, freedom)) * np.sqrt(np.diag(covariance)) / scale
    return float(widths[0]), float(widths[1]), float(widths[2])
