# SPDX-License-Identifier: BSD-3-Clause
"""Installs MPIs from their Python wheels, each into a prefix of its own: the wheels bring files of the same names."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from importlib.util import find_spec
from pathlib import Path

from raddle.errors import UserError
from raddle.locks import exclusive
from raddle.mpi.family import Family, family
from raddle.mpi.places import home, is_installed, prefix_of
from raddle.say import Say


class State(Enum):
    INSTALLED = "installed"
    PRESENT = "already there"
    SKIPPED = "skipped"


@dataclass(frozen=True)
class Outcome:
    """What became of one family; `detail` is the prefix, or why it was skipped."""

    family: Family
    state: State
    detail: str


def install(names: Iterable[str], *, force: bool = False, report: Say = print) -> list[Outcome]:
    """Installs each family that is missing. One that cannot be had is reported in one line; the others go on."""
    wanted = [family(name) for name in dict.fromkeys(names)]
    outcomes = [_install(member, force=force, report=report) for member in wanted]
    for outcome in outcomes:
        if outcome.state is State.SKIPPED:
            report(f"{outcome.family.title} skipped: {outcome.detail}")
    return outcomes


def _install(member: Family, *, force: bool, report: Say) -> Outcome:
    if not member.wheels:
        return Outcome(member, State.SKIPPED, "no wheel brings it; give the path of its mpicc with --mpi")
    prefix = prefix_of(member)
    if is_installed(member) and not force:
        return Outcome(member, State.PRESENT, str(prefix))
    lock = home() / "mpi" / f".{member.name}.lock"
    with exclusive(lock, lambda: report(f"Waiting for another raddle that installs {member.title} ...")):
        if is_installed(member) and not force:  # by the one we waited for
            return Outcome(member, State.PRESENT, str(prefix))
        report(f"Installing {member.title} {member.pinned_version} into {prefix} ...")
        problem = _fill(prefix, member.wheels)
    return Outcome(member, State.SKIPPED, problem) if problem else Outcome(member, State.INSTALLED, str(prefix))


def _fill(prefix: Path, wheels: Iterable[str]) -> str | None:
    """Makes the prefix in one step, so that whoever sees it sees all of it. Returns what went wrong, in a line."""
    with tempfile.TemporaryDirectory(dir=prefix.parent, prefix=f".{prefix.name}-") as scratch:
        fresh = Path(scratch) / "new"
        if problem := _pip(fresh, wheels):
            return problem
        if not (fresh / "bin" / "mpicc").exists():
            return f"the wheel has no bin/mpicc ({' '.join(wheels)})"
        if prefix.exists():
            prefix.rename(Path(scratch) / "old")
        fresh.rename(prefix)
    return None


def _pip(prefix: Path, wheels: Iterable[str]) -> str | None:
    if find_spec("pip") is None:
        raise UserError(
            f"Cannot install an MPI: {sys.executable} has no pip.",
            hint="Get it: python -m ensurepip. Or name your own MPI: --mpi PATH",
        )
    # --ignore-installed: what this interpreter already has must not keep a file out of the prefix.
    options = ["--quiet", "--disable-pip-version-check", "--no-input", "--root-user-action=ignore"]
    options += ["--no-warn-script-location", "--ignore-installed", "--only-binary=:all:", f"--prefix={prefix}"]
    done = subprocess.run(
        [sys.executable, "-m", "pip", "install", *options, *wheels],
        stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace", check=False,
    )  # fmt: skip
    if done.returncode == 0:
        return None
    errors = [line.removeprefix("ERROR: ") for line in done.stderr.splitlines() if line.startswith("ERROR: ")]
    said = errors or done.stderr.splitlines() or [f"pip ended with status {done.returncode}"]
    return said[-1].strip()
