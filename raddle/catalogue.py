# SPDX-License-Identifier: BSD-3-Clause
"""What can be run: variants, placements and modes, read from `catalogue.toml`, and benchmarks, each from a file beside
its source (`bench/suites`)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from itertools import chain, product
from math import isfinite
from pathlib import Path
from typing import Any, Literal

import msgspec

from raddle.errors import UserError
from raddle.model import Params, Sampling, Value
from raddle.source_tree import sources
from raddle.sparse_algorithms import NAMES

# Sizes of the figure that "cores" stands for: past 8 pairs the picture no longer changes, but the run gets long.
MOST_THREADS = 8
# How many proxies each process has: tells libraddle which of the processes that the launcher starts are proxies.
PROXIES = "RADDLE_PROXIES"
# Stands in a list of values for all algorithms of sparse exchange.
_ALGORITHMS = "sparse-algorithms"


class Mode(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How much is measured: blocks, and the sampling of a point within one launch."""

    summary: str
    blocks: int
    max_blocks: int  # more than `blocks`: go on until every headline ratio is known to `half_width`
    half_width: float  # goal, as a fraction
    sampling: Sampling
    spare_blocks: int = 0  # more, where the machine was in several states and headline ratios lack an interval


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
    """Where the two sides of a pair live. `topology` is what has to be made for it before processes start."""

    summary: str
    topology: Literal["node", "no-shm", "netns", "nodes"] = "node"
    on_request: bool = False  # measured only when it is asked for by name
    settings: dict[str, str] = {}  # of libraddle, for variants that preload it


class Variant(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One way of doing the same work."""

    summary: str
    level: Literal["none", "single", "funneled", "serialized", "multiple"]
    ranks: Literal["process", "thread"]
    placements: list[str]
    preload: str = ""  # a library of ours, without which there is none, in a place of raddle.plan.launches
    settings: dict[str, str] = {}  # of what is preloaded; a placement's go before them
    choices: dict[str, dict[str, str]] = {}  # the same by value of a parameter: "name=value"
    proxies: bool = False  # the launcher starts a process beside each context, which communicates for it
    on_request: bool = False  # measured only when it is asked for, or by a benchmark that names it
    common: bool = True  # false: only for benchmarks that name it


class Param(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A parameter of a benchmark; a word is one of `choices`, a number in `range`.

    A range begins with the least value; where fractions may stand, all are above it.
    """

    default: Value
    summary: str
    choices: list[str] = []
    range: tuple[int, int] | None = None

    def allows(self, value: Value) -> bool:
        """Whether a number's value is of its kind and in its range."""
        if isinstance(value, str) or (isinstance(value, float) and not (self.fractions and isfinite(value))):
            return False
        if self.range is None:
            return True
        least, most = self.range
        return (least < value if self.fractions else least <= value) and value <= most

    @property
    def fractions(self) -> bool:
        """Whether it need not be a whole number."""
        return isinstance(self.default, float)

    @property
    def kind(self) -> str:
        """What a number can be, in words."""
        if self.range is None:
            return "a number" if self.fractions else "a whole number"
        least, most = self.range
        return f"a number above {least}, {most} at most" if self.fractions else f"a whole number, {least} to {most}"


Question = Literal["threads", "flows", "lanes", "level", "overhead", "partitioned", "sparse", "limit"]
"""What the verdict asks (raddle.judge.verdict), in the order in which it is told."""

Rule = dict[str, Value | list[Value]]
"""By names of parameters, `variant` and `placement`: a value, or several."""


class Cases(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How the program's tests try a benchmark (tests/mpi/bench_runs.py), where not with its defaults."""

    runs: list[Rule] = msgspec.field(default_factory=lambda: [{}])  # in all variants, with one thread and with two
    # Messages of 1000 bytes that arrive changed, which must be noticed.
    damaged: list[Rule] = msgspec.field(default_factory=lambda: [{}])


class Benchmark(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One thing that is measured. `sweeps` maps a mode to the values of each parameter."""

    summary: str
    metric: str
    unit: str
    better: Literal["higher", "lower"]
    params: dict[str, Param]
    sweeps: dict[str, dict[str, list[Value] | Literal["cores"]]]
    team: str = "pairs"  # a name in raddle.plan.teams
    flow: str = "pair"  # what runs `threads` times at once; empty where it has no name
    headline: Params = {}  # the parameters that stand for it where only one point can be shown
    verdict: list[Question] = []  # that its rows answer
    variants: list[str] = []  # empty: all that use an MPI
    on_request: list[str] = []  # further ones, which are measured only when they are asked for by name
    placements: list[str] = []  # empty: all
    without: list[Rule] = []  # what does not suit each other
    one_at_a_time: list[str] = []  # parameters of which one differs from its default, unless others are asked for
    limit: bool = False  # raddle-probe has the machine's limit for the same work
    preload: str = ""  # a library of ours, without which it cannot be measured, likewise
    settings: dict[str, str] = {}  # of what is preloaded, and `choices` likewise, as a variant has them
    choices: dict[str, dict[str, str]] = {}
    test: Cases = Cases()

    def runs(self, variant: str, placement: str, common: bool = True) -> bool:
        """Whether it makes sense for a variant, which may be one that has to be named, in a placement."""
        named = variant in self.variants or variant in self.on_request
        known = named or (common and not self.variants)
        return known and (not self.placements or placement in self.placements) and self.suits(variant, placement, {})

    def suits(self, variant: str, placement: str, params: Params, asked: Collection[str] = ()) -> bool:
        """Whether parameters, some of which were asked for, are worth measuring there, and possible."""
        varied = [name for name in self.one_at_a_time if name in params and name not in asked]
        if sum(params[name] != self.params[name].default for name in varied) > 1:
            return False
        point = {**params, "variant": variant, "placement": placement}
        return not any(
            all(name in point and _is_one(point[name], of) for name, of in rule.items()) for rule in self.without
        )

    def works(self, mode: str, overrides: Mapping[str, Sequence[Value]], cpus: int) -> Iterator[Params]:
        """All combinations of parameter values, in the order of `params`; an override replaces the mode's values."""
        sweep = self.sweeps[mode]
        columns: list[Sequence[Value]] = []
        for name, param in self.params.items():
            values = overrides.get(name) or sweep.get(name, [param.default])
            columns.append(thread_counts(cpus) if isinstance(values, str) else values)
        for combination in product(*columns):
            yield dict(zip(self.params, combination, strict=True))

    def __post_init__(self) -> None:
        rules: list[Mapping[str, object]] = [*self.sweeps.values(), *self.test.runs, *self.test.damaged]
        lists = [values for rule in rules for values in rule.values() if isinstance(values, list)]
        for values in [*lists, *(param.choices for param in self.params.values())]:
            values[:] = chain.from_iterable(NAMES if one == _ALGORITHMS else [one] for one in values)


class Suite(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Benchmarks that are run together; `raddle run` takes its name in place of theirs."""

    summary: str
    benchmarks: list[str]


class Catalogue(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """All of it, by name, in the order in which it is shown."""

    suites: dict[str, Suite]
    modes: dict[str, Mode]
    profiles: dict[str, Profile]
    placements: dict[str, Placement]
    variants: dict[str, Variant]
    benchmarks: dict[str, Benchmark]

    @property
    def settings(self) -> frozenset[str]:
        """The variables by which libraddle becomes one variant or another; a user's own would make another of it."""
        owners: list[Variant | Benchmark] = [*self.variants.values(), *self.benchmarks.values()]
        made = (settings for one in owners for settings in (one.settings, *one.choices.values()))
        return frozenset({PROXIES, *chain.from_iterable(made)})

    def spelt_out(self, names: Iterable[str]) -> list[str]:
        """Benchmarks by names of benchmarks and suites, once each; the first suite's when there is no name."""
        chosen = list(names) or [next(iter(self.suites))]
        each = (self.suites[name].benchmarks if name in self.suites else [name] for name in chosen)
        return list(dict.fromkeys(chain.from_iterable(each)))


def read(*places: Path) -> Catalogue:
    """The catalogue with the benchmarks in these folders of suites. Raises UserError that names a wrong file."""
    data = msgspec.toml.decode(files("raddle").joinpath("catalogue.toml").read_bytes(), type=dict[str, Any])
    found: dict[str, dict[str, Benchmark]] = {}
    for path in sorted(path for place in places for path in place.glob("*/*.toml")):
        found.setdefault(path.parent.name, {})[path.stem] = _benchmark(path)
    benchmarks: dict[str, Benchmark] = {}
    for name, suite in data["suites"].items():
        own = found.pop(name, {})
        suite["benchmarks"] = sorted(own, key=[*suite["benchmarks"], *own].index)
        benchmarks |= {benchmark: own[benchmark] for benchmark in suite["benchmarks"]}
    for own in found.values():
        benchmarks |= own
    return msgspec.convert({**data, "benchmarks": benchmarks}, Catalogue)


def _benchmark(path: Path) -> Benchmark:
    try:
        return msgspec.toml.decode(path.read_bytes(), type=Benchmark)
    except msgspec.DecodeError as error:
        raise UserError(f"{path}: {error}", hint="The keys are explained in raddle/catalogue.py.") from error


@cache
def catalogue() -> Catalogue:
    """The catalogue that comes with this version of Raddle."""
    return read(sources() / "bench" / "suites")


def thread_counts(cpus: int) -> list[int]:
    """Powers of two up to the CPUs; 2 always, since one thread alone never shows what threads cost each other."""
    most = max(2, min(cpus, MOST_THREADS))
    return [1 << power for power in range(most.bit_length()) if 1 << power <= most]


def _is_one(value: Value, of: Value | list[Value]) -> bool:
    return value in of if isinstance(of, list) else value == of
