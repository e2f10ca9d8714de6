# SPDX-License-Identifier: BSD-3-Clause
"""`raddle mpi`: the MPIs on this machine, and getting those that are missing."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import Annotated

import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from raddle.errors import UserError
from raddle.launchers import launcher_name
from raddle.mpi.distribution import Packaged, packaged
from raddle.mpi.family import Family, families
from raddle.mpi.find import Mpi, find, installed_mpi, packaged_mpi
from raddle.mpi.install import State, install
from raddle.mpi.places import is_installed
from raddle.paths import tilde

mpi_app = typer.Typer(no_args_is_help=True, help="Show the MPIs on this machine, or install them from their wheels.")


@dataclass(frozen=True)
class _Entry:
    """One line of the list; `problem` where the MPI cannot be used."""

    name: str
    title: str
    version: str
    where: str
    launcher: str
    library: str
    problem: str


@mpi_app.command("list")
def list_mpis(
    path: Annotated[list[str] | None, typer.Argument(help="Also MPIs of your own: an mpicc, or its prefix.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON instead of a table.")] = False,
) -> None:
    """Show each MPI: its version, what starts its processes, and where it is."""
    entries = [_known(member) for member in families().values()]
    entries += [_packaged(one) for one in packaged().values()]
    entries += [_entry(mpi) for mpi in find(path)] if path else []
    if as_json:
        typer.echo(json.dumps([asdict(entry) for entry in entries], indent=2))
        return
    Console().print(_table(entries))


@mpi_app.command("install")
def install_mpis(
    name: Annotated[list[str] | None, typer.Argument(help="Families: mpich, openmpi, intel. Default: all.")] = None,
    force: Annotated[bool, typer.Option("--force", help="Install again what is there.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", help="Say nothing of what is there already.")] = False,
) -> None:
    """Install MPIs from their Python wheels, each into a prefix of its own.

    One that cannot be had here is skipped with a line; that is an error only when it was asked for by name.
    """
    outcomes = install(name or families(), force=force, report=typer.echo)
    for outcome in outcomes:
        if outcome.state is State.PRESENT and not quiet:
            typer.echo(f"{outcome.family.title} {outcome.family.pinned_version} is in {outcome.detail}")
    skipped = [outcome.family.title for outcome in outcomes if outcome.state is State.SKIPPED]
    if name and skipped:
        raise UserError(f"Not installed: {', '.join(skipped)}.", hint="Name your own: --mpi PATH")


@mpi_app.command("tune")
def tune_mpis(
    name: Annotated[list[str] | None, typer.Argument(help="MPIs as --mpi takes them. Default: all.")] = None,
    again: Annotated[bool, typer.Option("--again", help="Search also where something was found before.")] = False,
) -> None:
    """Find the settings with which each MPI is fastest here: what the variant `tuned` runs with.

    It takes half a minute to two for each MPI, and is done by itself where `tuned` is measured.
    """
    from raddle.campaign.prepare import find_mpis  # noqa: PLC0415
    from raddle.campaign.tune import tune  # noqa: PLC0415
    from raddle.inspection.ask import InterruptError  # noqa: PLC0415
    from raddle.plan.request import Request  # noqa: PLC0415
    from raddle.tuning.tuned import words  # noqa: PLC0415

    mpis, _ = find_mpis(Request(mpis=list(name or [])), typer.echo, distributions=True)
    try:
        found = tune(mpis, typer.echo, again=again)
    except InterruptError as error:
        raise typer.Exit(128 + error.received) from error
    for each, its in found.items():
        for line in words(mpis[each].title, its.shapes):
            typer.echo(line)


def _known(member: Family) -> _Entry:
    problem = f"not installed: raddle mpi install {member.name}"
    if is_installed(member):
        try:
            return _entry(installed_mpi(member))
        except UserError as error:
            problem = str(error)
    return _Entry(member.name, member.title, "", "", member.launcher, "", problem)


def _packaged(one: Packaged) -> _Entry:
    problem = f"not installed: {one.how}"
    if one.mpicc:
        try:
            return _entry(packaged_mpi(one))
        except UserError as error:
            problem = str(error)
    return _Entry(one.name, one.full_title, "", "", one.family.launcher, "", problem)


def _entry(mpi: Mpi) -> _Entry:
    title = mpi.packaged.full_title if mpi.packaged else mpi.family.title
    return _Entry(mpi.name, title, mpi.version, str(mpi.prefix), launcher_name(mpi), mpi.library, "")


def _table(entries: list[_Entry]) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    for heading in ("name", "MPI", "version", "launcher", "where"):
        table.add_column(heading, overflow="fold")
    for entry in entries:
        where = entry.problem or tilde(entry.where)
        table.add_row(entry.name, entry.title, entry.version or "-", entry.launcher, escape(where))
    return table
