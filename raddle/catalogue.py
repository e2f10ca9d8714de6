# SPDX-License-Identifier: BSD-3-Clause
"""What can be run: benchmarks, variants, placements and modes, read from `benchmarks.toml`."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from itertools import product
from typing import Literal

import msgspec

from raddle.model import Params, Sampling

# Sizes of the figure that "cores" stands for: past 8 pairs the picture no longer changes, but the run gets long.
MOST_THREADS = 8


class Mode(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How much is measured: blocks, and the sampling of a point within one launch."""

    summary: str
    blocks: int
    max_blocks: int  # more than `blocks`: go on until every headline ratio is known to `half_width`
    half_width: float  # goal, as a fraction
    sampling: Sampling


class Profile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Whether every busy context has a CPU. `stretch` multiplies fields of a mode's sampling."""

    summary: str
    stretch: dict[str, float] = {}

    def sampling(self, usual: Sampling) -> Sampling:
        """What a launch under this profile needs where `usual` would do on a CPU of its own."""
        return msgspec.structs.replace(
            usual, **{name: factor * getattr(usual, name) for name, factor in self.stretch.items()}
        )


class Placement(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Where the two sides of a pair live."""

    summary: str


class Variant(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One way of doing the same work."""

    summary: str
    level: Literal["none", "single", "funneled", "serialized", "multiple"]
    ranks: Literal["process", "thread"]
    placements: list[str]

    def processes(self, placement: str, threads: int) -> int:
        """How many processes a launch of this variant needs for `threads` pairs."""
        if placement == "one-process":
            return 1
        return 2 * threads if self.ranks == "process" else 2


class Param(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A parameter of a benchmark."""

    default: int
    summary: str


class Benchmark(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One thing that is measured. `sweeps` maps a mode to the values of each parameter."""

    summary: str
    metric: str
    unit: str
    better: Literal["higher", "lower"]
    params: dict[str, Param]
    sweeps: dict[str, dict[str, list[int] | Literal["cores"]]]

    def works(self, mode: str, overrides: dict[str, list[int]], cpus: int) -> Iterator[Params]:
        """All combinations of parameter values, in the order of `params`; an override replaces the mode's values."""
        sweep = self.sweeps[mode]
        columns: list[list[int]] = []
        for name, param in self.params.items():
            values = overrides.get(name) or sweep.get(name, [param.default])
            columns.append(thread_counts(cpus) if values == "cores" else list(values))
        for combination in product(*columns):
            yield dict(zip(self.params, combination, strict=True))


class Catalogue(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Everything in `benchmarks.toml`, by name, in the order in which it is shown."""

    modes: dict[str, Mode]
    profiles: dict[str, Profile]
    placements: dict[str, Placement]
    variants: dict[str, Variant]
    benchmarks: dict[str, Benchmark]


@cache
def catalogue() -> Catalogue:
    """The catalogue that comes with this version of Raddle."""
    data = files("raddle").joinpath("benchmarks.toml").read_bytes()
    return msgspec.toml.decode(data, type=Catalogue)


def thread_counts(cpus: int) -> list[int]:
    """Powers of two up to the CPUs; 2 always, since one thread alone never shows what threads cost each other."""
    most = max(2, min(cpus, MOST_THREADS))
    return [1 << power for power in range(most.bit_length()) if 1 << power <= most]
