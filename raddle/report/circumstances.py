# SPDX-License-Identifier: BSD-3-Clause
"""Under what circumstances each MPI was measured: thread levels, affinity, and the settings that were made."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from raddle.model import NO_MPI
from raddle.report.data import Data
from raddle.report.style import variant_rank
from raddle.results.launch_log import Launch
from raddle.wording import cpu_ranges


@dataclass(frozen=True)
class Circumstance:
    """What held for one variant of one MPI in one profile; every field is told in words."""

    mpi: str
    variant: str
    profile: str
    asked: str
    provided: str
    affinity: str
    settings: list[str]


def by_variant(data: Data) -> list[Circumstance]:
    """One line for each variant of each MPI and profile that was measured."""
    return [
        Circumstance(
            mpi=data.title(mpi),
            variant=variant,
            profile=profile,
            asked=_words(_field(launch, "level_requested") for launch in launches),
            provided=_words(_field(launch, "level_provided") for launch in launches),
            affinity=_affinity(launches, variant),
            settings=_settings(launches),
        )
        for mpi in dict.fromkeys([*data.mpis, NO_MPI])
        for (variant, profile), launches in _by_variant(data, mpi).items()
    ]


def differing_cvars(data: Data) -> list[tuple[str, str, list[tuple[str, str]]]]:
    """Control variables that are not the same in all launches of an MPI: (MPI, variable, [(value, variants)])."""
    return [
        (data.title(mpi), name, sorted(values.items()))
        for mpi in data.mpis
        for name, values in sorted(_cvars(launch for launch in data.log.launches if launch.mpi == mpi).items())
        if len(values) > 1
    ]


def _cvars(launches: Iterable[Launch]) -> dict[str, dict[str, str]]:
    """Variable -> value -> the variants that were measured with it."""
    found: dict[str, dict[str, set[str]]] = {}
    for launch in launches:
        cvars = (launch.launch or {}).get("cvars")
        for name, value in cvars.items() if isinstance(cvars, dict) else ():
            where = {f"{row.variant} ({launch.profile})" for row in launch.rows}
            found.setdefault(str(name), {}).setdefault(str(value), set()).update(where)
    return {
        name: {value: ", ".join(sorted(where)) for value, where in values.items()} for name, values in found.items()
    }


def _by_variant(data: Data, mpi: str) -> dict[tuple[str, str], list[Launch]]:
    """The launches of an MPI by variant and profile, in the order of display."""
    found: dict[tuple[str, str], list[Launch]] = {}
    for launch in data.log.launches:
        if launch.mpi == mpi:
            for variant in dict.fromkeys(row.variant for row in launch.rows):
                found.setdefault((variant, launch.profile), []).append(launch)
    return dict(sorted(found.items(), key=lambda item: (variant_rank(item[0][0]), item[0][1])))


def _settings(launches: Sequence[Launch]) -> list[str]:
    """What raddle set, e.g. `MPIR_CVAR_CH4_NUM_VCIS=1 or 2` where the launches of a variant differ in it."""
    found: dict[str, dict[str, None]] = {}
    for launch in launches:
        for name, value in launch.env.items():
            found.setdefault(name, {})[value] = None
    return [f"{name}={' or '.join(sorted(values))}" for name, values in sorted(found.items())]


def _field(launch: Launch, key: str) -> str:
    return str((launch.launch or {}).get(key) or "")


def _words(values: Iterable[str]) -> str:
    return ", ".join(dict.fromkeys(value for value in values if value))


def _affinity(launches: Iterable[Launch], variant: str) -> str:
    """CPUs of each busy context as read back, e.g. `0 | 1`; several layouts when launches differ in size."""
    return "; ".join(dict.fromkeys(_layouts(launches, variant)))


def _layouts(launches: Iterable[Launch], variant: str) -> Iterator[str]:
    for launch in launches:
        for row in launch.rows:
            if row.variant == variant and row.cpus:
                yield " | ".join(cpu_ranges(context) for context in row.cpus)
