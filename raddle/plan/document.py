# SPDX-License-Identifier: BSD-3-Clause
"""`plan.json`: every planned launch in order, and what is needed to go on with them later."""

from __future__ import annotations

from pathlib import Path

import msgspec

from raddle.errors import UserError
from raddle.files import read_json, write_whole
from raddle.model import SCHEMA, Sampling
from raddle.plan import FILE
from raddle.plan.launches import Group
from raddle.plan.points import Skipped
from raddle.plan.request import Request
from raddle.plan.schedule import Launch, block


class PlannedMpi(msgspec.Struct, frozen=True, kw_only=True):
    """An MPI of the plan, and how `find` finds it again."""

    name: str  # the `mpi` of its launches
    selection: str
    version: str


class Document(msgspec.Struct, kw_only=True):
    """The whole plan of a run. Launches are appended when more blocks are needed; nothing else changes."""

    schema: int = SCHEMA
    created: str
    seed: int
    cpus: int
    pin: str
    max_blocks: int
    half_width: float
    spare_blocks: int = 0  # that may still be added where the machine was in several states
    time_limit: float | None = None
    sampling: Sampling
    request: Request
    mpis: list[PlannedMpi]
    skipped: list[Skipped] = []
    launches: list[Launch] = []

    @property
    def blocks(self) -> int:
        """How many blocks are planned."""
        return 1 + max((launch.block for launch in self.launches), default=-1)

    @property
    def open_ended(self) -> bool:
        """Whether a block may be added."""
        return self.blocks < self.max_blocks

    def add_block(self, groups: list[Group] | None = None) -> None:
        """Plan one more repetition, of `groups` or of the launches of block 0."""
        if groups is None:
            groups = [_group(launch) for launch in self.launches if launch.block == 0]
        self.launches += block(groups, self.blocks, self.seed, self.sampling, self.pin)

    def save(self, directory: Path) -> None:
        """Write it whole or not at all: `--resume` depends on it. Raises UserError."""
        text = msgspec.json.format(msgspec.json.encode(self), indent=1)
        write_whole(directory / FILE, text + b"\n")

    @classmethod
    def load(cls, directory: Path) -> Document:
        """Read the plan of a run. Raises UserError when there is none, or one that this version cannot go on with."""
        path = directory / FILE
        try:
            document = read_json(path, cls)
        except OSError as error:
            raise UserError(
                f"There is no plan to go on with in {directory}: {error.strerror}.",
                hint="Name a directory that `raddle run` has made.",
            ) from error
        except msgspec.DecodeError as error:
            raise UserError(
                f"{path} is damaged or from another version of raddle: {error}.",
                hint="Start a new run; `raddle report` still works on what this one measured.",
            ) from error
        if document.schema != SCHEMA:
            raise UserError(f"{path} has schema {document.schema}; this raddle reads {SCHEMA}.", hint="Start anew.")
        return document


def _group(launch: Launch) -> Group:
    return Group(
        name=launch.kind,
        mpi=launch.mpi,
        level=launch.level,
        processes=launch.processes,
        proxies=launch.proxies,
        profile=launch.profile,
        env=launch.env,
        topology=launch.topology,
        sets=launch.sets,
    )
