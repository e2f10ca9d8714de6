# SPDX-License-Identifier: BSD-3-Clause
"""`raddle` with two MPIs that exist only here: what tests of the whole command start.

FAKE_BROKEN names MPIs whose program cannot be built; without FAKE_REPORT no figures are drawn; with FAKE_THEIRS they
are the cluster's.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from unittest.mock import patch

from rich.console import Console

from raddle.cli import main
from raddle.errors import UserError
from raddle.locks import exclusive
from raddle.mpi.family import Family
from raddle.mpi.find import Mpi
from tests.cli import fakes

HOME = Path(os.environ["FAKE_HOME"])
FAMILIES = [
    fakes.family("alpha", variants={"lane": {"ALPHA_LANES": "{lanes}"}}),
    fakes.family("beta", unsupported={"threadcomm": "only Alpha MPI has it"}),
]


def find(selection: Sequence[str] = ()) -> list[Mpi]:
    ours = "FAKE_THEIRS" not in os.environ
    known = {family.name: replace(fakes.mpi(HOME, family), ours=ours) for family in FAMILIES}
    known |= {str(mpi.mpicc): mpi for mpi in known.values()}
    return [known[word] for word in selection]


def installed() -> list[Family]:
    return FAMILIES


def ensure(mpi: Mpi | None, *, besides: Iterable[str] = (), report: Callable[[str], None] = print) -> Path:
    if mpi and mpi.name in os.environ.get("FAKE_BROKEN", ""):
        raise UserError(f"cannot build for {mpi.family.title}: mpicc: command not found", hint="install a compiler")
    return fakes.programs(HOME / "bin")


def build(mpi: Mpi, *, targets: Sequence[str], report: Callable[[str], None]) -> Path:
    """A raddle-inspect that hangs, when nobody else builds."""

    def waiting() -> None:
        with Path(os.environ["FAKE_TRACE"]).open("a", encoding="utf-8") as trace:
            print("waiting", file=trace)

    with exclusive(HOME / ".lock", waiting):
        program = fakes.programs(HOME / "bin") / "raddle-inspect"
        program.write_text('#!/bin/sh\necho "trial" >>"$FAKE_TRACE"\nexec sleep 600\n')
        program.chmod(0o755)
    return HOME


def make_report(directory: Path, console: Console, _: object) -> None:
    console.print(f"report of {directory}")


with ExitStack() as stack:
    stack.enter_context(patch("raddle.campaign.prepare.names", lambda: [one.name for one in FAMILIES]))
    stack.enter_context(patch("raddle.campaign.prepare.packaged", dict))
    stack.enter_context(patch("raddle.campaign.prepare.find", find))
    stack.enter_context(patch("raddle.campaign.prepare.installed", installed))
    stack.enter_context(patch("raddle.campaign.prepare.ensure", ensure))
    stack.enter_context(patch("raddle.campaign.trials.build", build))
    stack.enter_context(patch("raddle.doctor.consultation.build", build))
    if "FAKE_REPORT" not in os.environ:
        stack.enter_context(patch("raddle.report.make.make_report", make_report))
    main()
