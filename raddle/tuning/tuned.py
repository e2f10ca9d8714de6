# SPDX-License-Identifier: BSD-3-Clause
"""What a search found for one MPI on one machine, and its place in the cache."""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec

from raddle.environment import allowed_cpus, host
from raddle.errors import UserError
from raddle.files import read_json, write_whole
from raddle.mpi.find import Mpi
from raddle.mpi.places import home
from raddle.stats.ratio import Ratio
from raddle.tuning.candidates import Candidate
from raddle.wording import assignments, told

SCHEMA = 1


class Choice(msgspec.Struct, frozen=True, kw_only=True):
    """The settings that won a shape. `gain` is how many times faster than the defaults, of `blocks` that were measured
    after they had been chosen."""

    name: str
    settings: dict[str, str]
    loses: str = ""
    gain: float
    interval: tuple[float, float]
    blocks: int
    unit: str = ""  # of both medians over these blocks
    without: float = 0.0
    with_it: float = 0.0

    @property
    def words(self) -> str:
        """E.g. `MPIR_CVAR_NOLOCAL=1, 4.2x [4.0, 4.4] as fast`."""
        return f"{assignments(self.settings)}, {told(Ratio(self.gain, *self.interval, self.blocks))} as fast"


class Tuned(msgspec.Struct, frozen=True, kw_only=True):
    """By shape what won; a shape without an entry is one where nothing was shown to beat the defaults."""

    schema: int = SCHEMA
    shapes: dict[str, Choice] = {}
    tried: list[str] = []
    failed: dict[str, str] = {}  # candidate: what happened

    def settings(self, shape: str) -> dict[str, str]:
        """What `tuned` sets for work of that shape."""
        return dict(self.shapes[shape].settings) if shape in self.shapes else {}


def words(title: str, shapes: Mapping[str, Choice]) -> list[str]:
    """What was found for one MPI, a line for each shape."""
    if not shapes:
        return [f"tuned: {title} as it comes; nothing else was shown to be faster"]
    return [
        f"tuned: {title}, {shape}: {each.words}" + (f" ({each.loses})" if each.loses else "")
        for shape, each in shapes.items()
    ]


def kept(mpi: Mpi, candidates: Sequence[Candidate]) -> Tuned | None:
    """What was found before, if nothing has changed that it depends on."""
    with contextlib.suppress(OSError, msgspec.DecodeError):
        found = read_json(_place(mpi, candidates), Tuned)
        return found if found.schema == SCHEMA else None
    return None


def keep(mpi: Mpi, candidates: Sequence[Candidate], found: Tuned) -> None:
    """A home that cannot be written only costs the next run its search."""
    place = _place(mpi, candidates)
    with contextlib.suppress(OSError, UserError):
        place.parent.mkdir(parents=True, exist_ok=True)
        write_whole(place, msgspec.json.format(msgspec.json.encode(found), indent=1) + b"\n")


def _place(mpi: Mpi, candidates: Sequence[Candidate]) -> Path:
    """Another library, processor, number of CPUs or list of candidates has a file of its own."""
    depends = (mpi.library, host().cpu, len(allowed_cpus()), [msgspec.to_builtins(each) for each in candidates])
    digest = hashlib.sha256(repr(depends).encode()).hexdigest()[:12]
    return home() / "tuned" / f"{mpi.label}-{digest}.json"
