# SPDX-License-Identifier: BSD-3-Clause
"""What differs between MPI libraries, read from `raddle/mpis/*.toml`: an `if vendor` is found nowhere else."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from functools import cache
from importlib.resources import files
from typing import Any

import msgspec

from raddle.errors import UserError
from raddle.model import Params
from raddle.mpi.doctor_data import DoctorData

Settings = Mapping[str, str]
OTHER = "other"


class Build(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How a distribution packages the MPI: its compiler, on PATH, and what brings it."""

    compiler: str
    packages: list[str]


@dataclass(frozen=True, kw_only=True)
class Family:
    """A kind of MPI library. Settings are environment variables, whose values may name what is filled in."""

    name: str
    title: str
    launcher: str  # a name registered in raddle.launchers
    wheels: tuple[str, ...]  # pinned requirements that bring it; none for a family that can only be found
    version_pattern: str  # on what MPI_Get_library_version says; its group is the version
    abi_compiler: str = ""  # in bin: its mpicc for the MPI-5 ABI
    distributions: Mapping[str, Build] = field(default_factory=dict, hash=False)  # by ID or ID_LIKE of os-release
    srun: tuple[str, ...] = ()  # options without which it does not start under Slurm
    session_directory: str = ""  # that its launcher makes among temporary files; names {pid}, its own
    env: Settings = field(default_factory=dict, hash=False)  # always; may name {prefix}
    profiles: Mapping[str, Settings] = field(default_factory=dict, hash=False)
    variants: Mapping[str, Settings] = field(default_factory=dict, hash=False)  # may name {lanes} and {threads}
    placements: Mapping[str, Settings] = field(default_factory=dict, hash=False)
    choices: Mapping[str, Settings] = field(default_factory=dict, hash=False)  # by value of a parameter: "name=value"
    # Why not, by variant, placement, value of a parameter, or variant with placement or benchmark: "v/p", "v/b".
    unsupported: Settings = field(default_factory=dict, hash=False)
    doctor: DoctorData = field(default_factory=DoctorData, hash=False)

    @property
    def pinned_version(self) -> str:
        """The version its wheel brings."""
        return self.wheels[0].partition("==")[2]

    @property
    def managed(self) -> frozenset[str]:
        """The variables that make a profile, variant or choice; a user's own would make it another.

        Those of placements stay: a cluster chooses its network with some of them, and every row tells its path.
        """
        groups = (self.profiles, self.variants, self.choices)
        made = (settings for group in groups for settings in group.values())
        return frozenset(name for settings in made for name in settings)

    def profile_env(self, profile: str) -> dict[str, str]:
        """The settings of `clean` or `shared`."""
        return dict(self.profiles.get(profile, {}))

    def variant_env(self, variant: str, lanes: int, threads: int) -> dict[str, str]:
        """What has to be set before MPI_Init for a variant to be what its name says."""
        settings = self.variants.get(variant, {})
        return {name: value.format(lanes=lanes, threads=threads) for name, value in settings.items()}

    def placement_env(self, placement: str) -> dict[str, str]:
        """The settings that send messages the way a placement's name says; none for those that leave it to the MPI."""
        return dict(self.placements.get(placement, {}))

    def choice_env(self, params: Params) -> dict[str, str]:
        """What the values of parameters need before MPI_Init."""
        made = (self.choices.get(f"{name}={value}", {}) for name, value in params.items())
        return {name: value for settings in made for name, value in settings.items()}

    def supports(self, variant: str, placement: str, benchmark: str = "", params: Params | None = None) -> str | None:
        """None, or the reason why this MPI cannot run the variant there."""
        if (variant, placement) == ("process", "one-process"):
            return "its ranks are processes, so both ends are never in one"
        values = (f"{name}={value}" for name, value in (params or {}).items())
        about = (variant, placement, f"{variant}/{placement}", f"{variant}/{benchmark}", *values)
        return next((self.unsupported[name] for name in about if name in self.unsupported), None)

    def version_in(self, library: str) -> str | None:
        """The version when the library's own description is that of this family."""
        found = re.search(self.version_pattern, library)
        return found[1] if found else None


def parse(text: str) -> Family:
    """A family from its TOML; raises ValueError that names what is wrong."""
    data = msgspec.toml.decode(text, type=dict[str, Any])
    unknown = sorted(set(data) - {known.name for known in fields(Family)})
    if unknown:
        raise ValueError(f"unknown keys: {', '.join(unknown)}")
    return msgspec.convert(data, Family)


@cache
def _all() -> dict[str, Family]:
    found = (item for item in files("raddle").joinpath("mpis").iterdir() if item.name.endswith(".toml"))
    loaded = (parse(item.read_text(encoding="utf-8")) for item in found)
    return {family.name: family for family in sorted(loaded, key=lambda family: family.name)}


def families() -> dict[str, Family]:
    """The families that Raddle knows and can install, by name."""
    return {name: known for name, known in _all().items() if known.wheels}


def family(name: str) -> Family:
    """One family by name (`other` is the one for MPIs we have no data for)."""
    try:
        return _all()[name]
    except KeyError:
        raise UserError(f"There is no MPI '{name}'.", hint=f"Known: {', '.join(families())}") from None


def classify(library: str) -> tuple[Family, str]:
    """Family and version of the MPI that describes itself so (MPI_Get_library_version)."""
    known = [member for member in _all().values() if member.name != OTHER]
    candidates: Sequence[Family] = (*known, family(OTHER))
    for candidate in candidates:
        if version := candidate.version_in(library):
            return candidate, version
    return family(OTHER), "unknown"
